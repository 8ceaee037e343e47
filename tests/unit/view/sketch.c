/* tests/unit/view/sketch.c -- sketches: how many of their features similar sets share, and what is told apart. */
#include "view/sketch.h"

#include "tests/unit/draw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* Probability of fewer than `least` hits, by logarithms of factorials. */
static double tail(uint32_t n, double p, uint32_t least)
{
    double sum = 0;

    for (uint32_t i = 0; i < least; i++)
        sum += exp(lgamma(n + 1.0) - lgamma(i + 1.0) - lgamma(n - i + 1.0) + i * log(p) + (n - i) * log1p(-p));
    return sum;
}

static double choices(double n, double k) { return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1); }

/* The same where nothing is drawn twice: k of a union, of which so many are shared. */
static double tail_of_union(uint32_t k, uint32_t whole, uint32_t shared, uint32_t least)
{
    double sum = 0;

    for (uint32_t i = 0; i < least; i++)
        if (i <= shared && k - i <= whole - shared)
            sum += exp(choices(shared, i) + choices(whole - shared, k - i) - choices(whole, k));
    return sum;
}

static void test_plan(void **unused)
{
    (void)unused;
    for (uint32_t percent = 1; percent < 100; percent++) {
        const struct sketch_plan plan = sketch_plan((struct ratio){ percent, 100 });
        const double             p = percent / 100.0;

        if (plan.size == 0) {
            assert_true(percent < 20 && tail(SKETCH_MOST, p, 4) > SKETCH_MISSED);
            continue;
        }
        assert_true(plan.size <= SKETCH_MOST && plan.least >= 4 && plan.least <= plan.size);
        assert_true(tail(plan.size, p, plan.least) <= SKETCH_MISSED);
        assert_true(tail(plan.size, p, plan.least + 1) > SKETCH_MISSED);
        for (uint32_t whole = plan.size; whole < 600; whole += 7)
            assert_true(tail_of_union(plan.size, whole, (whole * percent + 99) / 100, plan.least) <= SKETCH_MISSED);
        assert_true(plan.size == 16 || tail(plan.size - 8, p, 4) > SKETCH_MISSED);
    }
    assert_true(sketch_plan((struct ratio){ 1, 1 }).least == sketch_plan((struct ratio){ 1, 1 }).size);
}

static void test_small(void **unused)
{
    static const uint64_t x[] = { 1, 2, 3 }, y[] = { 7, 8 };
    struct sketch_plan    plan = { 6, 3 };

    (void)unused;
    /* five of both: they are all that there is, and nothing is said against them */
    assert_true(sketch_may_match(plan, x, 3, y, 2));
    assert_true(sketch_may_match(plan, x, 0, y, 0));
    plan = (struct sketch_plan){ 4, 1 };
    assert_false(sketch_may_match(plan, x, 3, y, 2));
    assert_true(sketch_may_match(plan, x, 3, x, 3));
    plan = (struct sketch_plan){ 3, 3 };
    assert_true(sketch_may_match(plan, x, 3, x, 3));
    assert_false(sketch_may_match(plan, x, 3, (const uint64_t[]){ 1, 2, 4 }, 3));
}

static int number_order(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Sets of a Jaccard index at the threshold are never told apart, those far below it nearly always. */
static void test_drawn(void **unused)
{
    enum { ROUNDS = 2000, UNION = 400 };
    const struct ratio       threshold = { 7, 10 };
    const struct sketch_plan plan = sketch_plan(threshold);
    uint64_t                 state = seed_of_run();
    int                      far = 0;

    (void)unused;
    for (int round = 0; round < 2 * ROUNDS; round++) {
        const size_t shared = round < ROUNDS ? UNION * 7 / 10 : UNION / 20;
        uint64_t     x[UNION], y[UNION];
        size_t       nx = 0, ny = 0;
        bool         may;

        for (size_t i = 0; i < UNION; i++) {
            const uint64_t feature = draw(&state);

            if (i < shared || i % 2) x[nx++] = feature;
            if (i < shared || i % 2 == 0) y[ny++] = feature;
        }
        qsort(x, nx, sizeof *x, number_order);
        qsort(y, ny, sizeof *y, number_order);
        may = sketch_may_match(plan, x, nx < plan.size ? nx : plan.size, y, ny < plan.size ? ny : plan.size);
        if (round < ROUNDS) assert_true(may);
        else far += may;
    }
    assert_true(far < ROUNDS / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_plan), cmocka_unit_test(test_small),
                                        cmocka_unit_test(test_drawn) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
