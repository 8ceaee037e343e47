/* A formula from a stranger, and behind its first line feed a table: the formula is refused with its place, or means
 * the same the second time; columns are made of it, or there is a reason. */
#include "regress/design.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int right, const char *what)
{
    if (right) return;
    fprintf(stderr, "fuzz_formula: %s\n", what);
    abort();
}

/* Rows of cells between blanks; those of a row that are too few are missing. */
static void fill(struct frame *frame, struct slice text)
{
    while (text.len) {
        const char  *end = memchr(text.at, '\n', text.len);
        const size_t len = end ? (size_t)(end - text.at) : text.len;
        struct slice row = { text.at, len };

        for (size_t i = 0; i < frame->columns && row.len; i++) {
            const char  *blank = memchr(row.at, ' ', row.len);
            const size_t cell = blank ? (size_t)(blank - row.at) : row.len;

            frame->column[i].cell = (struct slice){ row.at, cell };
            row.at += cell + (blank != NULL);
            row.len -= cell + (blank != NULL);
        }
        require(frame_end_row(frame) == 0, "no memory");
        text.at += len + (end != NULL);
        text.len -= len + (end != NULL);
    }
}

static void make(const struct formula *f, struct slice table, bool hits)
{
    struct slice  name[FORMULA_VARIABLES + 2];
    struct frame  frame;
    struct design design;
    struct err    err = { 0 };
    size_t        count = 0;

    for (size_t i = 0; i < f->variables; i++) name[count++] = f->variable[i].name;
    name[count++] = f->response.name;
    if (f->trials.name.at) name[count++] = f->trials.name;
    require(frame_open(&frame, name, count) == 0, "no memory");
    for (size_t i = 0; i < count; i++) frame.column[i].found = true;
    fill(&frame, table);
    require(frame_finish(&frame) == 0, "no memory");
    if (design_make(&design, f, &frame, hits, &err) < 0) require(err.text[0] != 0, "a failure without text");
    else
        for (size_t i = 0; i < design.data.rows * design.data.columns; i++)
            require(!isnan(design.x[i]), "a column without a number");
    design_free(&design);
    frame_close(&frame);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char        *end = size ? memchr(data, '\n', size) : NULL;
    const struct slice text = { (const char *)data, end ? (size_t)(end - (const char *)data) : size };
    const struct slice table = { end ? end + 1 : "", end ? size - text.len - 1 : 0 };
    struct formula     first, second;
    struct err         err = { 0 };

    if (formula_parse(&first, text, &err) < 0) {
        require(err.code == -EINVAL && strncmp(err.text, "formula, character ", 19) == 0, "a failure without text");
        return 0;
    }
    require(first.variables <= FORMULA_VARIABLES && first.terms <= FORMULA_TERMS && first.groups <= REGRESS_TERMS,
            "more than there may be");
    require(formula_parse(&second, text, &err) == 0 && memcmp(first.term, second.term, sizeof first.term) == 0 &&
            memcmp(first.group, second.group, sizeof first.group) == 0, "another meaning the second time");
    make(&first, table, first.trials.name.at != NULL);
    return 0;
}
