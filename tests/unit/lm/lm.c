/* tests/unit/lm/lm.c -- steps of the automaton, the search of an arc, and memory. */
#include "toy.h"

static double step(const struct lm *lm, uint32_t *state, uint32_t token) { return exp(lm_step(lm, state, token)); }

static void steps_by_hand(void **unused)
{
    struct lm_build b = toy_model();
    uint32_t        state = b.lm.begin;

    (void)unused;
    assert_true(near(step(&b.lm, &state, A), .7));
    assert_int_equal(state, 2);
    assert_true(near(step(&b.lm, &state, B), .2));
    assert_int_equal(state, 3);
    assert_true(near(step(&b.lm, &state, A), .4 / .7 * .4));        /* not seen after b: its weight, and p(a) */
    assert_int_equal(state, 2);
    assert_true(near(step(&b.lm, &state, LM_UNK), .1));
    assert_int_equal(state, 0);                             /* nothing was seen after what is not known */
    assert_true(near(step(&b.lm, &state, LM_END), .3));
    assert_int_equal(state, 0);
    assert_true(near(step(&b.lm, &state, LM_BEGIN), 0));
    assert_int_equal(state, 1);
    lm_build_free(&b);
}

/* Weights of all states on the way to shorter contexts count: `a b` and then what neither `a b` nor `b` goes on to. */
static void steps_through_two_suffixes(void **unused)
{
    static const struct lm_state state[] = { { .first = 0 }, { 5, -1, 0, 0, 0 }, { 6, -2, 0, 0, 0 }, { 7, -4, 2, 0, 0 },
                                             { .first = 8 } };
    static const struct lm_arc arc[] = { { 0, -8, 0 }, { 1, -8, 0 }, { 2, -16, 0 }, { 3, -8, 1 }, { 4, -8, 2 },
                                         { 4, -8, 3 }, { 3, -32, 1 }, { 4, -64, 2 } };
    struct lm lm = { .order = 3, .tokens = 5, .states = 4, .level = { 0, 1, 3, 4, 4, 4, 4, 4 }, .arcs = 8,
                     .state = state, .arc = arc };
    uint32_t  at = 3;

    (void)unused;
    assert_true(lm_step(&lm, &at, 2) == -4 - 2 - 16);
    assert_int_equal(at, 0);
    at = 3;
    assert_true(lm_step(&lm, &at, 3) == -4 - 32);
    assert_int_equal(at, 1);
    at = 3;
    assert_true(lm_step(&lm, &at, 4) == -64);
    assert_int_equal(at, 2);
}

static void arcs_are_found(void **unused)
{
    struct lm_arc arc[40];

    (void)unused;
    for (uint32_t i = 0; i < 40; i++) arc[i] = (struct lm_arc){ .token = 2 * i + 1 };
    for (uint32_t count = 0; count <= 40; count++)
        for (uint32_t token = 0; token < 84; token++)
            assert_ptr_equal(lm_find(arc, count, token), token % 2 && token / 2 < count ? &arc[token / 2] : NULL);
}

static void memory_is_zeroed(void **unused)
{
    static const size_t sizes[] = { 0, 1, 4096, (4u << 20) - 1, 4u << 20, (4u << 20) + 1 };
    struct lm_build     b = { .lm = { .states = 3, .arcs = 0 } };
    struct err          err = { 0 };

    (void)unused;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *at = lm_zeros(sizes[i], 1);

        assert_true(at || !sizes[i]);
        for (size_t k = 0; k < sizes[i]; k++)
            if (at[k]) fail_msg("%zu bytes: byte %zu is %d", sizes[i], k, at[k]);
        free(at);
    }
    assert_int_equal(lm_build_reserve(&b, &err), 0);
    assert_true(b.lm.state == b.state && b.lm.arc == b.arc && b.below);
    for (size_t s = 0; s <= 3; s++) assert_true(b.state[s].first == 0 && b.state[s].suffix == 0);
    lm_build_free(&b);
    assert_true(b.state == NULL && b.below == NULL && b.lm.state == NULL && b.lm.states == 0);
    lm_build_free(&b);
    lm_free(&b.lm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_by_hand), cmocka_unit_test(steps_through_two_suffixes),
        cmocka_unit_test(arcs_are_found), cmocka_unit_test(memory_is_zeroed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
