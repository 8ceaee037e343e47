/* stats/order: by hand; shards that gain nothing, or all the same; p of orders that are like any other is uniform. */
#include "stats/order.h"
#include "tests/unit/draw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static struct order_test tested(const double *logprob, size_t shards, size_t shuffles)
{
    struct order_test out;

    order_test(logprob, shards, shuffles, &out);
    return out;
}

static void test_hand(void **state)
{
    /* gains 2, 1 and 3: mean 2, deviation 1, t 2 sqrt 3 */
    static const double logprob[] = { -10, -11, -13, -20, -21, -21, -5, -9, -7 };
    struct order_test   t = tested(logprob, 3, 2);

    (void)state;
    assert_true(t.shards == 3 && t.shuffles == 2 && t.gain == 2);
    assert_true(fabs(t.t - 2 * sqrt(3)) < 1e-12);
    assert_true(fabs(t.p - 0.0370899) < 1e-6);              /* two degrees: (1 - t / sqrt(2 + t^2)) / 2 */
    assert_true(t.p_orders == 1. / 3);
    /* of the sums, -30 stands against -40 and -30 */
    t = tested((const double[]){ -10, -20, -10, -20, -20, -20 }, 2, 2);
    assert_true(t.p_orders == 2. / 3 && t.gain == 2.5);
    t = tested((const double[]){ -9, -8, -9, -7 }, 2, 1);   /* less probable than shuffled */
    assert_true(t.gain == -1.5 && t.p > 0.5 && t.p_orders == 1);
    t = tested((const double[]){ -9, -10, -19, -20 }, 2, 1);
    assert_true(t.gain == 1 && isnan(t.t) && isnan(t.p) && t.p_orders == 0.5);
    t = tested(logprob, 1, 2);
    assert_true(t.gain == 2 && isnan(t.p) && t.p_orders == 1. / 3);
    assert_true(isnan(tested(logprob, 0, 2).gain) && isnan(tested(logprob, 2, 0).p_orders));
}

/* Which of equal orders is called the given one is chance: one in 20 is rejected at 5 %, and no more by orders. */
static void test_chance(void **state)
{
    enum { ROUNDS = 4000, SHARDS = 10, SHUFFLES = 19 };
    uint64_t random = seed_of_run();
    double   logprob[SHARDS * (1 + SHUFFLES)];
    size_t   by_shards = 0, by_orders = 0;

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct order_test t;

        for (size_t i = 0; i < sizeof logprob / sizeof *logprob; i++)
            logprob[i] = -1000 + (double)(draw(&random) % 1000) / 10;
        t = tested(logprob, SHARDS, SHUFFLES);
        by_shards += t.p <= 0.05;
        by_orders += t.p_orders <= 0.05;
    }
    /* four standard errors of 5 % */
    assert_in_range(by_shards, ROUNDS * 36 / 1000, ROUNDS * 64 / 1000);
    assert_in_range(by_orders, ROUNDS * 36 / 1000, ROUNDS * 64 / 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_hand), cmocka_unit_test(test_chance) };

    printf("seed=%llu\n", (unsigned long long)seed_of_run());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
