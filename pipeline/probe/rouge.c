/* probe/rouge.c -- ROUGE-L as the package rouge_score computes it, with stemming; see metric.h. */
#include "probe/metric.h"

#include <errno.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Words of a text, by hash. */
struct words { uint64_t *at; size_t count; };

static bool in_word(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

static int words_make(struct slice text, struct words *out, struct err *err)
{
    struct bytes lower = { 0 };
    int          rc = metric_lower(text, &lower, err);

    out->count = 0;
    out->at = malloc((text.len / 2 + 1) * sizeof *out->at);
    if (rc == 0 && !out->at) rc = err_memory(err, text.len / 2 * sizeof *out->at, "a text's words");
    for (size_t i = 0, end; rc == 0 && i < lower.len; i = end) {
        size_t len;

        end = i + 1;
        if (!in_word(lower.at[i])) continue;
        while (end < lower.len && in_word(lower.at[end])) end++;
        len = end - i > 3 ? porter_stem(lower.at + i, end - i) : end - i;
        out->at[out->count++] = XXH3_64bits(lower.at + i, len);
    }
    bytes_free(&lower);
    return rc;
}

static int common_subsequence(const struct words *a, const struct words *b, size_t *out, struct err *err)
{
    size_t *row = calloc(b->count + 1, sizeof *row);

    if (!row) return err_memory(err, b->count * sizeof *row, "a subsequence");
    for (size_t i = 0; i < a->count; i++) {
        size_t diagonal = 0;                                /* row[j] of the word before */

        for (size_t j = 0; j < b->count; j++) {
            size_t above = row[j + 1];

            if (a->at[i] == b->at[j]) row[j + 1] = diagonal + 1;
            else if (row[j] > above) row[j + 1] = row[j];
            diagonal = above;
        }
    }
    *out = row[b->count];
    free(row);
    return 0;
}

int rouge_l(struct slice predicted, struct slice reference, double *out, struct err *err)
{
    struct words p = { 0 }, r = { 0 };
    size_t       common = 0;
    int          rc = words_make(predicted, &p, err);

    if (rc == 0) rc = words_make(reference, &r, err);
    if (rc == 0) rc = common_subsequence(&p, &r, &common, err);
    /* 2PR / (P + R) with P = common / |p|, R = common / |r| */
    *out = common ? 2 * (double)common / (double)(p.count + r.count) : 0;
    free(p.at);
    free(r.at);
    return rc;
}
