/* tests/unit/train/estimate.c -- a model that can be worked out by hand, and what holds for every model. */
#include "unit/lm/toy.h"

static struct err err;

/* Bigrams by what was seen: <s> a 2, a </s> 1, a a 1, a b 1, b </s> 1.  Unigrams by what they were seen after: a 2, b
 * 1, </s> 2.  Nothing was seen four times: the discounts are .5, 1 and 1.5. */
static void by_hand(void **unused)
{
    struct lm_counts    counts = two_documents();
    struct lm_discounts discounts[3];
    struct lm           lm;
    uint32_t            after_a = 0, after_b = 0;
    const double        held = (1 + 1 + .5) / 5 / 4, a = (2 - 1) / 5.0 + held, b = (1 - .5) / 5.0 + held;

    (void)unused;
    assert_int_equal(lm_estimate(&lm, &counts, SMOOTH_KNESER_NEY, 1, discounts, &err), 0);
    assert_false(discounts[1].estimated || discounts[2].estimated);
    assert_int_equal(lm.states, 4);                         /* none, <s>, a, b */
    assert_int_equal(lm.arcs, TOKENS + 5);
    assert_true(near(p_after(&lm, 0, A), a) && near(p_after(&lm, 0, LM_END), a) && near(p_after(&lm, 0, B), b) &&
                near(p_after(&lm, 0, LM_UNK), held));
    assert_true(near(p_after(&lm, lm.begin, A), (2 - 1) / 2.0 + 1 / 2.0 * a));
    assert_true(near(p_after(&lm, lm.begin, B), 1 / 2.0 * b));
    lm_step(&lm, &after_a, A);
    lm_step(&lm, &after_b, B);
    assert_true(near(p_after(&lm, after_a, A), (1 - .5) / 3 + .5 * a) &&
                near(p_after(&lm, after_a, LM_UNK), .5 * held));
    assert_true(near(p_after(&lm, after_b, LM_END), .5 + .5 * a) && near(p_after(&lm, after_b, A), .5 * a));
    lm_free(&lm);

    /* Witten-Bell counts what was seen: a 3, b 1, </s> 2, of 6, and 3 different ones. */
    assert_int_equal(lm_estimate(&lm, &counts, SMOOTH_WITTEN_BELL, 1, discounts, &err), 0);
    assert_true(near(p_after(&lm, 0, A), (3 + 3 / 4.0) / 9) && near(p_after(&lm, 0, LM_UNK), 3 / 4.0 / 9));
    assert_true(near(p_after(&lm, lm.begin, A), (2 + p_after(&lm, 0, A)) / 3));
    lm_free(&lm);
}

static void no_document(void **unused)
{
    static const uint32_t piece_at[] = { 0, 5, 8, 12 };
    struct lm_counts      counts = { .order = 3, .tokens = LM_FIRST, .piece_at = piece_at, .piece = "<unk><s></s>" };
    struct lm             lm;

    (void)unused;
    assert_int_equal(lm_estimate(&lm, &counts, SMOOTH_KNESER_NEY, 1, NULL, &err), 0);
    assert_true(near(p_after(&lm, lm.begin, LM_END), .5) && near(p_after(&lm, 0, LM_UNK), .5));
    lm_free(&lm);
}

/* ---- the definitions, read the long way ---- */

static const struct documents *docs;
static uint32_t                order;

/* What an n-gram counts: what was seen of the highest order, of what begins a document and with Witten-Bell; else the
 * different tokens before it.  <s> is never predicted. */
static uint64_t count_of(const uint32_t *gram, uint32_t k, enum lm_smoothing smoothing)
{
    uint32_t longer[LM_ORDER_MAX + 1];
    uint64_t count = 0;

    if (gram[k - 1] == LM_BEGIN) return 0;
    if (k == order || gram[0] == LM_BEGIN || smoothing == SMOOTH_WITTEN_BELL) return documents_have(docs, gram, k);
    memcpy(longer + 1, gram, k * sizeof *gram);
    for (longer[0] = 0; longer[0] < DOC_TOKENS; longer[0]++) count += documents_have(docs, longer, k + 1) > 0;
    return count;
}

static double reference(const uint32_t *context, uint32_t n, uint32_t token, enum lm_smoothing smoothing,
                        const struct lm_discounts *discounts)
{
    uint32_t gram[LM_ORDER_MAX + 1];
    uint64_t total = 0, distinct = 0, count = 0;
    double   held = 0, lower, discount = 0;

    if (token == LM_BEGIN) return 0;
    lower = n ? reference(context + 1, n - 1, token, smoothing, discounts) : 1.0 / (DOC_TOKENS - 1);
    memcpy(gram, context, n * sizeof *gram);
    for (gram[n] = 0; gram[n] < DOC_TOKENS; gram[n]++) {
        uint64_t c = count_of(gram, n + 1, smoothing);
        double   d = discounts[n + 1].of[c < 3 ? c : 3];

        total += c;
        distinct += c > 0;
        held += d;
        if (gram[n] == token) count = c, discount = d;
    }
    if (!total) return lower;
    if (smoothing == SMOOTH_WITTEN_BELL)
        return ((double)count + (double)distinct * lower) / (double)(total + distinct);
    return ((double)count - discount + held * lower) / (double)total;
}

/* All contexts that stand in the documents, and some that do not; all tokens after each. */
static void probabilities_are_those_of_the_definitions(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 6; seed++)
        for (order = 1; order <= 4; order++)
            for (enum lm_smoothing smoothing = SMOOTH_KNESER_NEY; smoothing <= SMOOTH_WITTEN_BELL; smoothing++) {
                struct documents    d = documents_of(seed, seed * 2);
                struct lm_counts    counts = documents_count(&d, order);
                struct lm_discounts discounts[LM_ORDER_MAX + 1];
                struct lm           lm;

                docs = &d;
                if (lm_estimate(&lm, &counts, smoothing, 1, discounts, &err) < 0) fail_msg("%s", err.text);
                assert_true(lm.trained_tokens == counts.trained_tokens && lm.trained_documents == d.count);
                for (size_t i = 0; i < d.count; i++) {
                    uint32_t state = order > 1 ? lm.begin : 0;

                    for (uint32_t at = 1; at < d.len[i]; at++) {
                        uint32_t n = at < order - 1 ? at : order - 1;
                        double   sum = 0;

                        for (uint32_t t = 0; t < DOC_TOKENS; t++) {
                            double p = p_after(&lm, state, t);

                            sum += p;
                            if (fabs(p - reference(d.token[i] + at - n, n, t, smoothing, discounts)) > 1e-5)
                                fail_msg("order %u, document %zu, place %u, token %u: %g", order, i, at, t, p);
                        }
                        assert_true(fabs(sum - 1) < 1e-5);
                        lm_step(&lm, &state, d.token[i][at]);
                    }
                }
                lm_free(&lm);
                free((void *)(uintptr_t)counts.row);
                free((void *)(uintptr_t)counts.count);
            }
}

/* Four tokens seen once, two twice, one three times, one four times: y = 4 / (4 + 2 * 2) = 1/2. */
static void discounts_by_hand(void **unused)
{
    static const uint32_t row[] = { LM_END, 3, 4, 5, 6, 7, 8, 9, 10 }, piece_at[LM_FIRST + 8 + 1] = { 0 };
    static const uint64_t count[] = { 9, 1, 1, 1, 1, 2, 2, 3, 4 };
    struct lm_counts      counts = { 1, LM_FIRST + 8, 9, 24, 9, row, count, piece_at, "" };
    struct lm_discounts   discounts[2];
    struct lm             lm;

    (void)unused;
    assert_int_equal(lm_estimate(&lm, &counts, SMOOTH_KNESER_NEY, 1, discounts, &err), 0);
    assert_true(discounts[1].estimated);
    assert_true(near(discounts[1].of[1], 1 - 2 * .5 * 2 / 4) && near(discounts[1].of[2], 2 - 3 * .5 * 1 / 2) &&
                near(discounts[1].of[3], 3 - 4 * .5 * 1 / 1));
    lm_free(&lm);
    counts.rows = 8;                                        /* none is seen four times any more */
    assert_int_equal(lm_estimate(&lm, &counts, SMOOTH_KNESER_NEY, 1, discounts, &err), 0);
    assert_true(!discounts[1].estimated && near(discounts[1].of[1], .5) && near(discounts[1].of[2], 1) &&
                near(discounts[1].of[3], 1.5));
    lm_free(&lm);
}

static void threads_do_not_show(void **unused)
{
    struct documents d = documents_of(5, 40);
    struct lm_counts counts = documents_count(&d, 3);
    struct lm        one, three;

    (void)unused;
    assert_int_equal(lm_estimate(&one, &counts, SMOOTH_KNESER_NEY, 1, NULL, &err), 0);
    assert_int_equal(lm_estimate(&three, &counts, SMOOTH_KNESER_NEY, 3, NULL, &err), 0);
    assert_true(one.states == three.states && one.arcs == three.arcs);
    assert_memory_equal(one.state, three.state, (one.states + 1) * sizeof *one.state);
    assert_memory_equal(one.arc, three.arc, one.arcs * sizeof *one.arc);
    lm_free(&one);
    lm_free(&three);
    free((void *)(uintptr_t)counts.row);
    free((void *)(uintptr_t)counts.count);
}

/* `a a b` without any n-gram `a b`. */
static void counts_that_contradict_themselves(void **unused)
{
    static const uint32_t row[] = { A, A, B }, piece_at[] = { 0, 5, 8, 12, 14, 15 };
    static const uint64_t count[] = { 1 };
    struct lm_counts      counts = { 3, TOKENS, 1, 1, 1, row, count, piece_at, "<unk><s></s> ab" };
    struct lm             lm;

    (void)unused;
    assert_int_equal(lm_estimate(&lm, &counts, SMOOTH_KNESER_NEY, 1, NULL, &err), -EBADMSG);
    assert_non_null(strstr(err.text, "contradict"));
    assert_null(lm.state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand), cmocka_unit_test(no_document),
        cmocka_unit_test(probabilities_are_those_of_the_definitions), cmocka_unit_test(discounts_by_hand),
        cmocka_unit_test(threads_do_not_show), cmocka_unit_test(counts_that_contradict_themselves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
