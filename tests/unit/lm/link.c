/* tests/unit/lm/link.c -- suffixes, next states and moments of a model made by hand. */
#include "toy.h"

static void states_are_linked(void **unused)
{
    static const uint32_t next[TOY_ARCS] = { 0, 1, 0, 2, 3, 2, 0, 2, 3, 0 };
    static const uint32_t below[] = { A, LM_END, A, B, LM_END };
    static const uint64_t after[TOKENS] = { 0, 0, 2, 2, 1 };     /* different tokens before each */
    struct lm_build       b = toy_build();
    struct lm_value       value[TOY_ARCS] = { 0 };

    (void)unused;
    assert_int_equal(lm_link(&b, value, 2), TOY_ARCS);
    assert_int_equal(b.lm.begin, 1);
    for (uint32_t s = 0; s < TOY_STATES; s++) assert_int_equal(b.state[s].suffix, 0);
    for (size_t a = 0; a < TOY_ARCS; a++) assert_int_equal(b.arc[a].next, next[a]);
    for (size_t a = TOKENS; a < TOY_ARCS; a++) assert_int_equal(b.below[a], below[a - TOKENS]);
    for (size_t t = 0; t < TOKENS; t++) assert_int_equal(value[t].count, after[t]);
    lm_build_free(&b);
}

/* Order 3 with the trigram `a b </s>`; in front of it the bigrams given, of which the last two tokens' may miss. */
static uint64_t link_trigram(bool has_b, uint32_t after_b, uint32_t *suffix, uint32_t *next)
{
    struct lm_build b = { .lm = { .order = 3, .tokens = TOKENS, .states = 4 - !has_b, .level = { 0, 1, 3 - !has_b },
                                  .arcs = TOKENS + 2 + has_b } };
    uint32_t        s = 1, a = TOKENS;
    struct err      err = { 0 };
    uint64_t        got;

    for (size_t k = 3; k <= LM_ORDER_MAX; k++) b.lm.level[k] = b.lm.states;
    assert_int_equal(lm_build_reserve(&b, &err), 0);
    for (uint32_t t = 0; t < TOKENS; t++) b.arc[t] = (struct lm_arc){ .token = t, .next = LM_NONE };
    b.arc[A].next = 1;
    b.state[s++].first = a;
    b.arc[a++] = (struct lm_arc){ .token = B, .next = 3 - !has_b };
    if (has_b) {
        b.arc[B].next = 2;
        b.state[s++].first = a;
        b.arc[a++] = (struct lm_arc){ .token = after_b, .next = LM_NONE };
    }
    b.state[s++].first = a;
    b.arc[a++] = (struct lm_arc){ .token = LM_END, .next = LM_NONE };
    b.state[s].first = a;
    got = lm_link(&b, NULL, 1);
    *suffix = b.state[b.lm.states - 1].suffix;
    *next = b.arc[TOKENS].next;
    lm_build_free(&b);
    return got;
}

static void a_missing_suffix_is_found(void **unused)
{
    uint32_t suffix, next;

    (void)unused;
    assert_int_equal(link_trigram(true, LM_END, &suffix, &next), TOKENS + 3);    /* all arcs: nothing is missing */
    assert_true(suffix == 2 && next == 3);                  /* of `a b` it is `b` */
    assert_int_equal(link_trigram(true, A, &suffix, &next), TOKENS + 2);         /* `b </s>` is not there */
    assert_int_equal(link_trigram(false, 0, &suffix, &next), TOKENS + 1);        /* nothing after `b` is */
}

/* Mean and deviation of log p, the long way: every token but <s>, weighing its probability. */
static void moments_are_those_of_all_tokens(void **unused)
{
    struct lm_build b = toy_model();

    (void)unused;
    for (uint32_t s = 0; s < TOY_STATES; s++) {
        double mass = 0, mean = 0, variance = 0;

        for (uint32_t t = 0; t < TOKENS; t++) {
            double p = t == LM_BEGIN ? 0 : p_after(&b.lm, s, t);

            if (p > 0) mass += p, mean += p * log(p), variance += p * log(p) * log(p);
        }
        assert_true(near(mass, 1));
        assert_true(near((double)b.state[s].mean, mean));
        assert_true(fabs((double)b.state[s].deviation - sqrt(variance - mean * mean)) < 1e-5);
    }
    lm_build_free(&b);
}

/* Four equal tokens: log p is the same for all.  With a weight of 1 and no arcs a state has its suffix's moments. */
static void moments_of_equals(void **unused)
{
    const double     log_p = log(.25);
    struct lm_moment arcs = { 0 }, gone = { 0 }, none = { 0 }, got;
    struct lm_state  state = { 0 };

    (void)unused;
    for (int i = 0; i < 4; i++) lm_moment_add(&arcs, .25, log_p);
    lm_moment_add(&arcs, 0, -INFINITY);                     /* what is never seen weighs nothing */
    got = lm_moment_end(&state, arcs, &none, NULL, 0);
    assert_true(near(got.mass, 1) && near((double)state.mean, log_p) && state.deviation < 1e-3F);
    state = (struct lm_state){ .backoff = 0 };
    got = lm_moment_end(&state, none, &gone, &arcs, 1);
    assert_true(near(got.mass, 1) && near((double)state.mean, log_p));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_linked), cmocka_unit_test(a_missing_suffix_is_found),
        cmocka_unit_test(moments_are_those_of_all_tokens), cmocka_unit_test(moments_of_equals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
