/* tests/unit/lm/grams.c -- the walk over rows of the highest order gives every n-gram of the documents, each once, in
 * order. */
#include "toy.h"

#include "lm/grams.h"

/* What documents have that is looked for among the walk's n-grams: of order k, all that stand somewhere. */
static size_t distinct_of(const struct documents *d, uint32_t k)
{
    size_t count = 0;

    for (size_t i = 0; i < d->count; i++)
        for (uint32_t at = 0; at + k <= d->len[i]; at++) {
            bool before = false;

            for (size_t j = 0; j <= i && !before; j++)
                for (uint32_t b = 0; b + k <= d->len[j] && (j < i || b < at) && !before; b++)
                    before = memcmp(d->token[j] + b, d->token[i] + at, k * sizeof **d->token) == 0;
            count += !before;
        }
    return count;
}

static void check_walk(const struct documents *d, const struct lm_counts *counts, struct lm_grams *g)
{
    size_t         got[LM_ORDER_MAX + 1] = { 0 };
    struct lm_gram before = { .depth = 0 };

    while (lm_grams_next(g)) {
        const uint32_t *token = g->at.token;
        uint32_t        same = 0;

        while (same < before.depth && same < g->at.depth && before.token[same] == token[same]) same++;
        assert_int_equal(g->same, same);
        if (same == before.depth) assert_true(g->at.depth >= same);                     /* it goes on */
        else assert_true(same < g->at.depth && token[same] > before.token[same]);       /* or is larger */
        if (same == g->at.depth) continue;                  /* an end that several rows have */
        for (uint32_t k = same + 1; k <= g->at.depth; k++) {
            got[k]++;
            if (documents_have(d, token, k) == 0) fail_msg("an n-gram of %u tokens stands nowhere", k);
        }
        if (g->at.depth == counts->order) {
            assert_true(lm_grams_count(g, got[counts->order] - 1) == documents_have(d, token, counts->order));
            assert_int_equal(g->at.count, 0);
        } else if (token[0] == LM_BEGIN) assert_true(g->at.count == documents_have(d, token, g->at.depth));
        else assert_int_equal(g->at.count, 0);
        before = g->at;
    }
    assert_false(lm_grams_next(g));
    for (uint32_t k = 2; k <= counts->order; k++) assert_int_equal(got[k], distinct_of(d, k));
}

static void walks_give_every_n_gram_once(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < 40; seed++)
        for (uint32_t order = 1; order <= 5; order++) {
            struct documents d = documents_of(seed, (size_t)seed % 9);
            struct lm_counts counts = documents_count(&d, order);
            struct lm_grams  grams;
            struct err       err = { 0 };

            assert_int_equal(lm_grams_open(&grams, &counts, &err), 0);
            lm_grams_rewind(&grams);
            check_walk(&d, &counts, &grams);
            lm_grams_rewind(&grams);                        /* and again */
            check_walk(&d, &counts, &grams);
            lm_grams_close(&grams);
            assert_null(grams.extra);
            free((void *)(uintptr_t)counts.row);
            free((void *)(uintptr_t)counts.count);
        }
}

/* The document " a", and an empty one, of order 3. */
static void by_hand(void **unused)
{
    static const uint32_t row[] = { LM_BEGIN, LM_BEGIN, LM_END, LM_BEGIN, LM_BEGIN, A, LM_BEGIN, A, LM_END };
    static const uint64_t count[] = { 1, 2, 2 };
    static const struct { uint32_t token[3], depth; uint64_t count; } expected[] = {
        { { LM_BEGIN, LM_END }, 2, 1 }, { { LM_BEGIN, A }, 2, 2 }, { { LM_BEGIN, A, LM_END }, 3, 0 },
        { { A, LM_END }, 2, 0 },
    };
    struct lm_counts counts = { .order = 3, .tokens = TOKENS, .rows = 3, .row = row, .count = count };
    struct lm_grams  grams;
    struct err       err = { 0 };
    size_t           at = 0;

    (void)unused;
    assert_int_equal(lm_grams_open(&grams, &counts, &err), 0);
    assert_true(grams.filled == 0 && grams.filled_end == 2);
    lm_grams_rewind(&grams);
    while (lm_grams_next(&grams)) {
        const uint32_t *token = expected[at].token;

        /* an n-gram of a document's end is added once a row, and may come twice: it has nothing new then */
        if (grams.same == grams.at.depth) continue;
        assert_true(at < 4 && grams.at.depth == expected[at].depth && grams.at.count == expected[at].count);
        assert_memory_equal(grams.at.token, token, expected[at].depth * sizeof *token);
        at++;
    }
    assert_int_equal(at, 4);
    assert_int_equal(lm_grams_count(&grams, 0), 2);
    lm_grams_close(&grams);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_give_every_n_gram_once), cmocka_unit_test(by_hand),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
