/* tests/unit/stats/resample.c -- permutations against all deals, bootstrap intervals against their definition. */
#include "stats/resample.h"

#include "stats/distribution.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void close_to(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance)) fail_msg("%.12g is not %.12g", value, wanted);
}

/* Of the 10 deals of {1 2 4} and {8 9}, only that at hand has a difference so far from 0. */
static void test_by_hand(void **unused)
{
    const double       x[] = { 1, 2, 4 }, y[] = { 8, 9 };
    struct permutation p;

    (void)unused;
    assert_int_equal(permutation_means(x, 3, y, 2, 10, 1, 1, &p), 0);
    assert_true(p.exact && p.rounds == 10);
    close_to(p.difference, 7.0 / 3 - 8.5, 1e-12);
    close_to(p.p, 0.1, 0);
    close_to(p.greater, 1, 0);
    assert_int_equal(permutation_means(y, 2, x, 3, 10, 1, 1, &p), 0);
    close_to(p.p, 0.1, 0);
    close_to(p.greater, 0.1, 0);
    assert_int_equal(permutation_means(x, 3, y, 2, 9, 1, 1, &p), 0);
    assert_true(!p.exact && p.rounds == 9);
}

/* All 3003 deals of ten and five against 20,000 random ones: within five standard errors. */
static void test_random_deals(void **unused)
{
    const double       x[] = { 2, 4, 4, 5, 7, 9, 9, 11, 12, 13 }, y[] = { 1, 3, 3, 4, 8 };
    struct permutation all, some, more;

    (void)unused;
    assert_int_equal(permutation_means(x, 10, y, 5, 3003, 1, 1, &all), 0);
    assert_true(all.exact && all.rounds == 3003);
    assert_int_equal(permutation_means(x, 10, y, 5, 3002, 1, 1, &some), 0);
    assert_false(some.exact);
    close_to(some.p, all.p, 5 * sqrt(all.p * (1 - all.p) / 3002));
    close_to(some.greater, all.greater, 5 * sqrt(all.greater * (1 - all.greater) / 3002));
    assert_int_equal(permutation_means(x, 10, y, 5, 3002, 1, 3, &more), 0);
    close_to(more.p, some.p, 0);                            /* whatever the threads */
    close_to(more.greater, some.greater, 0);
    assert_int_equal(permutation_means(x, 10, y, 5, 3002, 2, 1, &more), 0);
    assert_true(more.p < some.p || more.p > some.p || more.greater < some.greater || more.greater > some.greater);
}

static void test_permutation_edges(void **unused)
{
    double             flat[40], far[40];
    struct permutation p;

    (void)unused;
    for (size_t i = 0; i < 40; i++) flat[i] = 0.1, far[i] = 1e6 + (double)i;
    for (size_t n = 1; n < 7; n++) {
        assert_int_equal(permutation_means(flat, n, flat, 7 - n, 100, 1, 1, &p), 0);
        assert_true(p.exact);
        close_to(p.p, 1, 0);
        close_to(p.greater, 1, 0);
    }
    assert_int_equal(permutation_means(flat, 40, flat, 40, 99, 1, 2, &p), 0);
    close_to(p.p, 1, 0);
    assert_int_equal(permutation_means(flat, 40, far, 40, 99, 1, 2, &p), 0);
    close_to(p.p, 0.01, 1e-15);                             /* (1 + 0) / (1 + 99) */
    close_to(p.greater, 1, 0);
    assert_int_equal(permutation_means(flat, 0, far, 40, 99, 1, 2, &p), 0);
    assert_true(isnan(p.p) && isnan(p.greater) && isnan(p.difference));
}

/* Without bias and acceleration BCa is the percentiles; with them the shares are those of Efron's formula. */
static void test_range(void **unused)
{
    double       resample[999], low, high;
    const double bias = normal_quantile(0.3), from = bias - NORMAL_95, to = bias + NORMAL_95;

    (void)unused;
    for (size_t i = 0; i < 999; i++) resample[i] = (double)(i * 500 % 999);
    bootstrap_range(resample, 999, 499, 0, 0.95, &low, &high);
    close_to(low, 0.025 * 998, 1e-9);
    close_to(high, 0.975 * 998, 1e-9);
    bootstrap_range(resample, 999, 0.3 * 999 - 0.5, 0, 0.9, &low, &high);
    close_to(low, 998 * normal_above(-(2 * bias + normal_quantile(0.05))), 1);
    bootstrap_range(resample, 999, 299.2, 0.1, 0.95, &low, &high);      /* 300 lie below */
    close_to(low, 998 * normal_above(-(bias + from / (1 - 0.1 * from))), 0.5);
    close_to(high, 998 * normal_above(-(bias + to / (1 - 0.1 * to))), 0.5);
    bootstrap_range(resample, 999, 5000, 0, 0.95, &low, &high);
    assert_true(low <= high && high <= 998);
}

static double first_or_none(const double *value, size_t count, const void *limit)
{
    return count && value[0] < *(const double *)limit ? value[0] : NAN;
}

static bool same(const struct bootstrap *a, const struct bootstrap *b)
{
    return memcmp(&a->value, &b->value, sizeof a->value) == 0 && memcmp(&a->low, &b->low, sizeof a->low) == 0 &&
           memcmp(&a->high, &b->high, sizeof a->high) == 0 && memcmp(&a->error, &b->error, sizeof a->error) == 0 &&
           a->rounds == b->rounds;
}

static void test_bootstrap(void **unused)
{
    const double             x[] = { 1, 2, 2, 3, 5, 9, 4, 2 }, none[] = { 0, 0, 0 }, limit = 4;
    struct bootstrap_options o = BOOTSTRAP_DEFAULTS;
    struct bootstrap         one, two, other;

    (void)unused;
    assert_int_equal(bootstrap_one(x, 8, statistic_mean, NULL, &o, &one), 0);
    close_to(one.value, 3.5, 0);
    close_to(one.error, sqrt(46.0 / 8 / 8), 0.03);          /* the standard error without Bessel's correction */
    assert_true(one.low > 2 && one.low < 2.8 && one.high > 4.8 && one.high < 7 && one.rounds == o.rounds);
    assert_true(one.high - one.value > one.value - one.low);
    assert_int_equal(bootstrap_two(x, 8, none, 3, statistic_mean, NULL, &o, &two), 0);
    assert_true(same(&one, &two));                          /* a second group that does not vary adds nothing */
    o.threads = 3;
    assert_int_equal(bootstrap_one(x, 8, statistic_mean, NULL, &o, &other), 0);
    assert_true(same(&one, &other));
    o.seed = 2;
    assert_int_equal(bootstrap_one(x, 8, statistic_mean, NULL, &o, &other), 0);
    assert_false(same(&one, &other));
    assert_int_equal(bootstrap_two(none, 3, x, 8, statistic_mean, NULL, &o, &two), 0);
    close_to(two.value, -3.5, 0);
    assert_true(two.low > -7 && two.high < -2);
    assert_int_equal(bootstrap_one(x, 8, first_or_none, &limit, &o, &other), 0);
    assert_true(other.rounds > o.rounds / 2 && other.rounds < o.rounds * 3 / 4);        /* 5 of 8 are below 4 */
    assert_true(other.high <= 3);
}

static void test_bootstrap_edges(void **unused)
{
    static double            many[5000];
    const double             flat[] = { 0.1, 0.1, 0.1 };
    struct bootstrap_options o = BOOTSTRAP_DEFAULTS;
    struct bootstrap         b;

    (void)unused;
    o.rounds = 499;
    assert_int_equal(bootstrap_one(flat, 3, statistic_mean, NULL, &o, &b), 0);
    close_to(b.low, 0.1, 1e-15);
    close_to(b.high, 0.1, 1e-15);
    assert_int_equal(bootstrap_one(flat, 1, statistic_mean, NULL, &o, &b), 0);
    close_to(b.value, 0.1, 0);
    assert_true(isnan(b.low) && isnan(b.high) && isnan(b.error) && b.rounds == 0);
    assert_int_equal(bootstrap_two(flat, 3, flat, 0, statistic_mean, NULL, &o, &b), 0);
    assert_true(isnan(b.value) && isnan(b.low));
    for (size_t i = 0; i < 5000; i++) many[i] = -log(((double)i + 0.5) / 5000);      /* more than are left out singly */
    assert_int_equal(bootstrap_one(many, 5000, statistic_mean, NULL, &o, &b), 0);
    close_to(b.error * sqrt(5000), 1, 0.15);
    close_to((b.high - b.low) / b.error, 2 * NORMAL_95, 0.5);
    o.level = 1;
    assert_int_equal(bootstrap_one(flat, 3, statistic_mean, NULL, &o, &b), -EINVAL);
    o.level = NAN;
    assert_int_equal(bootstrap_two(flat, 3, flat, 3, statistic_mean, NULL, &o, &b), -EINVAL);
    assert_true(isnan(b.value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand), cmocka_unit_test(test_random_deals), cmocka_unit_test(test_permutation_edges),
        cmocka_unit_test(test_range), cmocka_unit_test(test_bootstrap), cmocka_unit_test(test_bootstrap_edges),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
