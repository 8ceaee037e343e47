/* regress/frame.c -- see frame.h. */
#include "regress/frame.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER_LONGEST = 63 };

int frame_open(struct frame *f, const struct slice *name, size_t columns)
{
    *f = (struct frame){ .columns = columns, .column = calloc(columns + 1, sizeof *f->column) };
    if (!f->column) return -ENOMEM;
    for (size_t i = 0; i < columns; i++) f->column[i].name = name[i];
    return 0;
}

void frame_close(struct frame *f)
{
    for (size_t i = 0; f->column && i < f->columns; i++) {
        bytes_free(&f->column[i].text);
        free(f->column[i].end);
        free(f->column[i].number);
    }
    free(f->column);
    *f = (struct frame){ .columns = 0 };
}

struct frame_column *frame_column_of(const struct frame *f, struct slice name)
{
    for (size_t i = 0; i < f->columns; i++)
        if (slice_equal(f->column[i].name, name)) return &f->column[i];
    return NULL;
}

int frame_end_row(struct frame *f)
{
    for (size_t i = 0; i < f->columns; i++) {
        struct frame_column *c = &f->column[i];

        if (bytes_append_slice(&c->text, c->cell) < 0 || ARRAY_GROW(c->end, c->room, f->rows) < 0) return -ENOMEM;
        c->end[f->rows] = c->text.len;
        c->cell = (struct slice){ NULL, 0 };
    }
    f->rows++;
    return 0;
}

static struct slice trimmed(struct slice cell)
{
    while (cell.len && memchr(" \t", cell.at[0], 2)) cell.at++, cell.len--;
    while (cell.len && memchr(" \t", cell.at[cell.len - 1], 2)) cell.len--;
    return cell;
}

struct slice frame_cell(const struct frame_column *c, size_t row)
{
    const size_t from = row ? c->end[row - 1] : 0;

    return trimmed((struct slice){ c->text.at + from, c->end[row] - from });
}

bool frame_is_missing(struct slice cell)
{
    static const char *const words[] = { "", "NA", "NaN", "nan", "null" };

    cell = trimmed(cell);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (slice_equal(cell, slice_of(words[i]))) return true;
    return false;
}

/* A decimal number, which may be past the largest. */
static bool is_decimal(struct slice cell, double *out)
{
    char text[NUMBER_LONGEST + 1], *end;

    cell = trimmed(cell);
    if (cell.len == 0 || cell.len > NUMBER_LONGEST) return false;
    memcpy(text, cell.at, cell.len);
    text[cell.len] = 0;
    /* strtod skips blanks, and reads hexadecimal numbers and infinity, too */
    if (strspn(text, "0123456789.eE+-") != cell.len) return false;
    *out = strtod(text, &end);
    return end == text + cell.len;
}

bool frame_number(struct slice cell, double *out) { return is_decimal(cell, out) && isfinite(*out); }

static bool is_infinite(struct slice cell)
{
    static const char *const words[] = { "inf", "Inf", "-inf", "-Inf", "+inf", "Infinity", "-Infinity" };
    double                   number;

    cell = trimmed(cell);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (slice_equal(cell, slice_of(words[i]))) return true;
    return is_decimal(cell, &number) && isinf(number);
}

static int finish_column(struct frame_column *c, size_t rows)
{
    size_t numbers = 0, infinite = 0, texts = 0;

    c->number = malloc((rows + 1) * sizeof *c->number);
    if (!c->number) return -ENOMEM;
    for (size_t row = 0; row < rows; row++) {
        const struct slice cell = frame_cell(c, row);

        c->number[row] = NAN;
        if (frame_is_missing(cell)) continue;
        if (frame_number(cell, &c->number[row])) numbers++;
        else {
            if (texts + infinite == 0) c->text_row = row;
            *(is_infinite(cell) ? &infinite : &texts) += 1;
        }
    }
    if (texts + infinite == 0) return 0;
    c->nearly = numbers > 1 && numbers + infinite >= 9 * texts;
    free(c->number);
    c->number = NULL;
    return 0;
}

int frame_finish(struct frame *f)
{
    int rc = 0;

    for (size_t i = 0; i < f->columns && rc == 0; i++) rc = finish_column(&f->column[i], f->rows);
    return rc;
}
