/* inclusion/half.c -- see half.h. */
#include "inclusion/half.h"

#include "audit/label.h"
#include "audit/space.h"
#include "code/statement.h"
#include "inclusion/inclusion.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void half_free(struct inclusion_halves *halves)
{
    free(halves->at);
    *halves = (struct inclusion_halves){ NULL, 0, 0 };
}

static size_t line_feeds(struct slice text, size_t from, size_t to)
{
    size_t count = 0;

    for (; from < to; from++) count += text.at[from] == '\n';
    return count;
}

/* last: of the function before it in the text, or zeroed; becomes its own. */
static struct inclusion_half half_of(struct slice text, const struct function *function, struct inclusion_half *last)
{
    struct inclusion_half half = { .head = function->at, .at = function->at, .end = function->end };
    size_t                lines;

    half.line = (last->line ? last->line : 1) + (uint32_t)line_feeds(text, last->head, half.head);
    while (half.at && memchr(" \t\f", text.at[half.at - 1], 3)) half.at--;
    if (half.at && text.at[half.at - 1] != '\n') half.at = half.head;   /* something else stands before it */
    half.middle = half.at;
    lines = (line_feeds(text, half.at, half.end) + 1) / 2;
    for (; lines; half.middle++) lines -= text.at[half.middle] == '\n';
    return *last = half;
}

static int half_add(struct inclusion_halves *to, struct inclusion_half half, struct err *err)
{
    if (ARRAY_GROW(to->at, to->room, to->count) < 0) return err_memory(err, to->count * sizeof half, "functions");
    to->at[to->count++] = half;
    return 0;
}

/* ---- as published ---- */

static int half_order(const void *a, const void *b)
{
    const struct inclusion_half *x = a, *y = b;
    const size_t                 left = x->head - x->at, right = y->head - y->at;

    return left != right ? (left > right) - (left < right) : (x->at > y->at) - (x->at < y->at);
}

static bool is_published(struct slice text, const struct inclusion_half *half)
{
    size_t pieces = 1;

    for (size_t i = half->at; i < half->end; i++) pieces += text.at[i] == ' ';
    return pieces <= HALF_PIECES && half->end - half->head > 3 && memcmp(text.at + half->head, "def", 3) == 0;
}

static int published_find(struct audit_reader *reader, struct slice text, struct inclusion_halves *out,
                          struct err *err)
{
    struct inclusion_half last = { .line = 0 };

    for (size_t i = 0; i < reader->functions.count; i++) {
        const struct inclusion_half half = half_of(text, &reader->functions.at[i], &last);

        if (is_published(text, &half) && half_add(out, half, err) < 0) return err->code;
    }
    if (out->count) qsort(out->at, out->count, sizeof *out->at, half_order);
    return 0;
}

/* ---- exact ---- */

/* Statements that begin in the second half. */
static size_t statements_of(const struct audit_reader *reader, const struct language *language, struct slice text,
                            const struct function *function, size_t middle, uint32_t *number)
{
    const struct token *token = &reader->lexer.token[function->token];
    const uint32_t      count = statements_number(language, &reader->lexer, text, function->token, function->token_end,
                                                  number);
    size_t              first = 0;

    for (size_t t = 0; t < function->token_end - function->token && token[t].at < middle; t++)
        if (number[t] != STATEMENT_NONE) first = number[t] + 1;
    return count - first;
}

/* The halves whose functions are among those chosen, both in the order of the text. */
static int most_keep(struct inclusion_halves *out, struct slice text, uint32_t most, struct err *err)
{
    struct audit_elements chosen = { NULL, 0, 0 };
    size_t                kept = 0;
    int                   rc = 0;

    for (size_t i = 0; i < out->count && rc == 0; i++)
        rc = audit_elements_add(&chosen, (struct audit_element){ .category = AUDIT_FUNCTION, .at = out->at[i].head,
                                                                 .end = out->at[i].end }, err);
    if (rc == 0) rc = inclusion_choose(&chosen, text, most, err);
    for (size_t i = 0; rc == 0 && i < out->count; i++)
        if (kept < chosen.count && chosen.at[kept].at == out->at[i].head) out->at[kept++] = out->at[i];
    if (rc == 0) out->count = kept;
    audit_elements_free(&chosen);
    return rc;
}

static int exact_find(struct audit_reader *reader, const struct language *language, struct slice text, uint32_t most,
                      struct inclusion_halves *out, struct err *err)
{
    struct inclusion_half last = { .line = 0 };
    uint32_t             *number = malloc((reader->lexer.count + 1) * sizeof *number);
    int                   rc = number ? 0 : err_memory(err, reader->lexer.count * sizeof *number,
                                                       "statements of a file");

    for (size_t i = 0; i < reader->functions.count && rc == 0; i++) {
        const struct function      *function = &reader->functions.at[i];
        const struct inclusion_half half = half_of(text, function, &last);

        if (statements_of(reader, language, text, function, half.middle, number) >= HALF_LEAST)
            rc = half_add(out, half, err);
    }
    free(number);
    return rc < 0 ? rc : most_keep(out, text, most, err);
}

int half_find(struct audit_reader *reader, const struct language *language, struct slice text, bool published,
              uint32_t most, struct inclusion_halves *out, struct err *err)
{
    double ratio = 0;
    int    rc = 0;

    out->count = 0;
    if (!language || !functions_known(language) || text.len > LEXER_MAX_TEXT) return 0;
    if (published && strcmp(language_name(language), "python") != 0) return 0;
    if (published) rc = audit_comment_ratio(&reader->lexer, text, &ratio, err);
    if (rc < 0 || ratio == AUDIT_RATIO_NONE) return rc;
    rc = lexer_run(&reader->lexer, language, text, LEX_ALL, err);
    if (rc == 0) rc = functions_find(&reader->functions, language, &reader->lexer, text, err);
    if (rc < 0) return rc;
    return published ? published_find(reader, text, out, err) : exact_find(reader, language, text, most, out, err);
}

/* ---- what the published code compares ---- */

struct slice half_shown(struct slice text, const struct inclusion_half *half, bool published)
{
    struct slice shown = { text.at + half->at, half->middle - half->at };

    if (published) shown.len -= shown.len > 0;              /* of a function of one line nothing is shown */
    else while (shown.len && memchr(" \t\f\r\n", shown.at[shown.len - 1], 5)) shown.len--;
    return shown;
}

static struct slice left_trimmed(struct slice text)
{
    size_t space;

    while ((space = audit_space_len(text, 0))) text.at += space, text.len -= space;
    return text;
}

int half_original(struct slice text, const struct inclusion_half *half, struct bytes *out)
{
    const int rc = bytes_append_slice(out, left_trimmed(half_shown(text, half, true)));

    return rc < 0 ? rc : bytes_append(out, text.at + half->middle, half->end - half->middle);
}

int half_generated(struct slice text, const struct inclusion_half *half, struct slice written, struct bytes *out)
{
    struct bytes whole = { 0 };
    int          rc = bytes_append_slice(&whole, half_shown(text, half, true));

    if (rc == 0) rc = bytes_append_slice(&whole, written);
    if (rc == 0) rc = bytes_append_slice(out, left_trimmed(bytes_slice(&whole)));
    bytes_free(&whole);
    return rc;
}
