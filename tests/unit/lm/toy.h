/* tests/unit/lm/toy.h -- small models that can be worked out by hand, counts of made-up documents, and a file. */
#ifndef LEAKGRAPH_TESTS_UNIT_LM_TOY_H
#define LEAKGRAPH_TESTS_UNIT_LM_TOY_H

#include "lm/private.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

enum { A = LM_FIRST, B, TOKENS };

static inline bool near(double a, double b) { return fabs(a - b) < 1e-6; }

static inline double p_after(const struct lm *lm, uint32_t state, uint32_t token)
{
    return exp(lm_step(lm, &state, token));
}

/* ---- a file in a folder of its own ---- */

static char toy_folder[] = "/tmp/leakgraph-lm.XXXXXX", toy_path[64];

static inline int toy_setup(void **unused)
{
    (void)unused;
    if (!mkdtemp(toy_folder)) return -1;
    snprintf(toy_path, sizeof toy_path, "%s/model", toy_folder);
    return 0;
}

static inline int toy_teardown(void **unused)
{
    (void)unused;
    unlink(toy_path);
    return rmdir(toy_folder);
}

static inline void toy_write(const void *bytes, size_t len)
{
    FILE *file;

    unlink(toy_path);                                       /* a file that is cut and written anew waits for the disk */
    file = fopen(toy_path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

static inline char *toy_read(size_t *len)                   /* free() */
{
    FILE *file = fopen(toy_path, "rb");
    char *bytes = malloc(1 << 20);

    assert_true(file && bytes);
    *len = fread(bytes, 1, (1 << 20) - 1, file);
    bytes[*len] = 0;
    fclose(file);
    return bytes;
}

/* ---- counts ---- */

/* Two documents: " a" "b", and " a" " a". */
static inline struct lm_counts two_documents(void)
{
    static const uint32_t row[] = { LM_BEGIN, A, A, LM_END, A, A, A, B, B, LM_END },
        piece_at[] = { 0, 5, 8, 12, 14, 15 };
    static const uint64_t count[] = { 2, 1, 1, 1, 1 };

    return (struct lm_counts){ 2, TOKENS, 5, 6, 2, row, count, piece_at, "<unk><s></s> ab" };
}

/* ---- a bigram model with round numbers ---- */

/* Arcs: the unigrams; then a after <s>; </s>, a and b after a; </s> after b. */
enum { TOY_STATES = 4, TOY_ARCS = TOKENS + 5 };

/* The structure before lm_link, with the probabilities; the caller frees it with lm_build_free. */
static inline struct lm_build toy_build(void)
{
    static const struct { uint32_t token, next; double p; } arc[TOY_ARCS] = {
        { LM_UNK, LM_NONE, .1 }, { LM_BEGIN, 1, 0 }, { LM_END, LM_NONE, .3 }, { A, 2, .4 }, { B, 3, .2 },
        { A, LM_NONE, .7 }, { LM_END, LM_NONE, .5 }, { A, LM_NONE, .2 }, { B, LM_NONE, .2 }, { LM_END, LM_NONE, .6 },
    };
    static const uint64_t first[TOY_STATES + 1] = { 0, 5, 6, 9, 10 };
    static const double   weight[TOY_STATES] = { 1, .3 / .6, .1 / .1, .4 / .7 };
    struct lm_build       b = { .lm = { .order = 2, .tokens = TOKENS, .states = TOY_STATES, .level = { 0, 1 },
                                        .arcs = TOY_ARCS, .trained_tokens = 6, .trained_documents = 2 } };
    uint32_t             *at = malloc((TOKENS + 1) * sizeof *at);
    struct err            err = { 0 };

    for (size_t k = 2; k <= LM_ORDER_MAX; k++) b.lm.level[k] = TOY_STATES;
    assert_non_null(at);
    assert_int_equal(lm_build_reserve(&b, &err), 0);
    memcpy(at, (const uint32_t[]){ 0, 5, 8, 12, 14, 15 }, (TOKENS + 1) * sizeof *at);
    b.lm.piece_at = at;
    b.lm.piece = strdup("<unk><s></s> ab");
    for (size_t i = 0; i < TOY_ARCS; i++)
        b.arc[i] = (struct lm_arc){ arc[i].token, (float)log(arc[i].p), arc[i].next };
    for (size_t s = 0; s <= TOY_STATES; s++)
        b.state[s] = (struct lm_state){ .first = first[s], .backoff = s < TOY_STATES ? (float)log(weight[s]) : 0 };
    return b;
}

/* The whole model. */
static inline struct lm_build toy_model(void)
{
    struct lm_build b = toy_build();
    struct err      err = { 0 };

    assert_int_equal(lm_link(&b, NULL, 1), TOY_ARCS);
    assert_int_equal(lm_moments(&b, 1, &err), 0);
    return b;
}

/* ---- counts of random documents ---- */

enum { DOC_MOST = 12, DOC_TOKENS = 7 };
struct documents { uint32_t token[40][DOC_MOST + 2], len[40]; size_t count; };      /* <s> ... </s>, both counted */

static inline struct documents documents_of(uint64_t seed, size_t count)
{
    struct documents d = { .count = count };

    for (size_t i = 0; i < count; i++) {
        size_t tokens = (seed = seed * 6364136223846793005u + 1442695040888963407u) >> 33;

        d.token[i][d.len[i]++] = LM_BEGIN;
        for (tokens %= DOC_MOST + 1; tokens; tokens--) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            d.token[i][d.len[i]++] = LM_FIRST + (uint32_t)((seed >> 33) % (DOC_TOKENS - LM_FIRST));
        }
        d.token[i][d.len[i]++] = LM_END;
    }
    return d;
}

/* How often an n-gram stands in the documents. */
static inline uint64_t documents_have(const struct documents *d, const uint32_t *token, uint32_t n)
{
    uint64_t count = 0;

    for (size_t i = 0; i < d->count; i++)
        for (uint32_t at = 0; at + n <= d->len[i]; at++)
            count += memcmp(d->token[i] + at, token, n * sizeof *token) == 0;
    return count;
}

static uint32_t toy_order;

static inline int toy_row_order(const void *a, const void *b)
{
    const uint32_t *left = a, *right = b;

    for (uint32_t i = 0; i < toy_order; i++)
        if (left[i] != right[i]) return left[i] < right[i] ? -1 : 1;
    return 0;
}

/* Rows as lm.h wants them: filled up in front with <s>, sorted, each once.  Free row and count. */
static inline struct lm_counts documents_count(const struct documents *d, uint32_t order)
{
    static const uint32_t piece_at[DOC_TOKENS + 1] = { 0, 5, 8, 12, 13, 14, 15, 16 };
    uint32_t             *row = calloc(d->count * (DOC_MOST + 1) * order, sizeof *row);
    uint64_t             *count = calloc(d->count * (DOC_MOST + 1), sizeof *count), tokens = 0;
    size_t                rows = 0, distinct = 0;

    assert_true(row && count);
    for (size_t i = 0; i < d->count; i++)
        for (uint32_t at = 1; at < d->len[i]; at++, rows++, tokens++)
            for (uint32_t k = 0; k < order; k++)
                row[rows * order + k] = at + k + 1 >= order ? d->token[i][at + k + 1 - order] : LM_BEGIN;
    toy_order = order;
    qsort(row, rows, order * sizeof *row, toy_row_order);
    for (size_t i = 0; i < rows; i++) {
        if (!i || toy_row_order(row + (distinct - 1) * order, row + i * order) != 0)
            memmove(row + distinct++ * order, row + i * order, order * sizeof *row);
        count[distinct - 1]++;
    }
    return (struct lm_counts){ order, DOC_TOKENS, distinct, tokens, d->count, row, count, piece_at,
                               "<unk><s></s>abcd" };
}

#endif
