/* stats/roc: worked by hand, and against DeLong's definition over all pairs; ties, missing values, classes that do not
 * overlap; how often the interval has the area of normal scores. */
#include "stats/roc.h"
#include "tests/unit/draw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static struct roc measured(const double *value, const uint8_t *truth, size_t count)
{
    struct err err = { 0 };
    struct roc out;

    assert_int_equal(roc_measure(value, truth, count, &out, &err), 0);
    return out;
}

static struct roc_pair compared(const double *a, const double *b, const uint8_t *truth, size_t count)
{
    struct err      err = { 0 };
    struct roc_pair out;

    assert_int_equal(roc_compare(a, b, truth, count, &out, &err), 0);
    return out;
}

static struct roc_rate rated(const double *value, const uint8_t *truth, size_t count, size_t one_in)
{
    struct err      err = { 0 };
    struct roc_rate out;

    assert_int_equal(roc_rate(value, truth, count, one_in, &out, &err), 0);
    return out;
}

static bool near(double a, double b, double most) { return isnan(b) ? isnan(a) : fabs(a - b) <= most; }

static const double  hand_value[] = { 1, 3, 4, 0, 2, 3 };
static const uint8_t hand_truth[] = { 1, 1, 7, 0, 0, 0 };

static void test_area(void **state)
{
    struct roc r = measured(hand_value, hand_truth, 6);

    (void)state;
    /* wins 1, 2.5, 3 of three each; those of class 0 are below 3, 2, 1.5; S10 13/108, S01 7/108 */
    assert_true(r.ones == 3 && r.zeros == 3 && r.auc == 6.5 / 9);
    assert_true(near(r.variance, 5. / 81, 1e-15));
    /* logit 0.955511, its error 1.238438 */
    assert_true(near(r.low, 0.186672, 1e-6) && near(r.high, 0.967163, 1e-6));

    assert_true(measured(hand_value, (const uint8_t[]){ 0, 0, 0, 1, 0, 0 }, 6).auc == 0);
    assert_true(measured((const double[]){ 3, 3, 3 }, (const uint8_t[]){ 0, 1, 0 }, 3).auc == 0.5);
    assert_true(isnan(measured(hand_value, (const uint8_t[]){ 1, 1, 1, 1, 1, 1 }, 6).auc));
    assert_true(isnan(measured(hand_value, (const uint8_t[]){ 0, 0, 0, 0, 0, 0 }, 6).low));
    assert_true(isnan(measured(NULL, NULL, 0).auc));
    r = measured((const double[]){ NAN, 1 }, (const uint8_t[]){ 1, 0 }, 2);         /* class 1 has no value */
    assert_true(isnan(r.auc) && r.ones == 0 && r.zeros == 1);
}

/* DeLong's variance is 0 then, and says nothing. */
static void test_apart(void **state)
{
    double     value[20];
    uint8_t    truth[20];
    struct roc r;

    (void)state;
    for (size_t i = 0; i < 20; i++) value[i] = (double)i, truth[i] = i >= 10;
    r = measured(value, truth, 20);
    assert_true(r.auc == 1 && r.variance == 0 && r.high == 1);
    /* (1 - x) 100 = 1.96^2 x (1 + 9 ((1 - x) / (2 - x) + x / (1 + x))) */
    assert_true(near((1 - r.low) * 100,
                     3.8414588 * r.low * (1 + 9 * ((1 - r.low) / (2 - r.low) + r.low / (1 + r.low))), 1e-6));
    assert_true(r.low > 0.8 && r.low < 0.85);
    for (size_t i = 0; i < 20; i++) truth[i] = !truth[i];
    assert_true(measured(value, truth, 20).auc == 0 && measured(value, truth, 20).low == 0);
    assert_true(near(measured(value, truth, 20).high, 1 - r.low, 1e-12));
    r = measured(value, (const uint8_t[20]){ [15] = 1 }, 20);       /* one item has no variance */
    assert_true(isnan(r.variance) && r.low > 0 && r.low < r.auc && r.auc < r.high && r.high < 1);
}

static void test_pair(void **state)
{
    const double    turned[] = { -1, -3, -4, 0, -2, -3 }, short_by_one[] = { 1, 3, 4, 0, 2, NAN };
    struct roc_pair p = compared(hand_value, hand_value, hand_truth, 6);

    (void)state;
    assert_true(p.difference == 0 && p.error == 0 && p.p == 1);
    p = compared(hand_value, turned, hand_truth, 6);        /* areas 13/18 and 5/18, of the same placements turned */
    assert_true(near(p.difference, 8. / 18, 1e-15) && near(p.error, 2 * sqrt(5. / 81), 1e-15));
    assert_true(near(p.p, 0.371093, 1e-6));                 /* z 0.894427 */
    p = compared(hand_value, short_by_one, hand_truth, 6);
    assert_true(p.zeros == 2 && p.auc[0] == 5. / 6 && p.auc[1] == 5. / 6);
    assert_true(isnan(compared(hand_value, turned, (const uint8_t[]){ 1, 0, 0, 0, 0, 0 }, 6).p));
    /* both without a variance, and not the same */
    p = compared((const double[]){ 1, 2, 3, 4 }, (const double[]){ 4, 3, 2, 1 }, (const uint8_t[]){ 0, 0, 1, 1 }, 4);
    assert_true(p.difference == 1 && p.error == 0 && isnan(p.p));
}

static void test_rate(void **state)
{
    double          value[30];
    uint8_t         truth[30];
    struct roc_rate r;

    (void)state;
    for (size_t i = 0; i < 30; i++) value[i] = (double)i, truth[i] = i >= 10 && i != 28 && i % 2 == 0;
    /* class 1: 10, 12, ..., 26; class 0: 0 .. 9, 11, ..., 25, 27, 28, 29: 21 of them, of which two may be above */
    r = rated(value, truth, 30, 10);
    assert_true(r.ones == 9 && r.zeros == 21 && r.decided && r.alarms == 2 && r.hits == 0);
    r = rated(value, truth, 30, 5);                         /* four: 29, 28, 27, 25 */
    assert_true(r.alarms == 4 && r.hits == 2);              /* 26, 24 */
    assert_true(!rated(value, truth, 30, 22).decided && rated(value, truth, 30, 21).decided);
    value[24] = value[26] = 27;                             /* equal to an alarm that is one too many for one in 10 */
    assert_true(rated(value, truth, 30, 10).hits == 0);
    value[24] = value[26] = 28;                             /* and to one that is not */
    assert_true(rated(value, truth, 30, 10).hits == 2);
    for (size_t i = 0; i < 30; i++) value[i] = 1;
    r = rated(value, truth, 30, 10);
    assert_true(r.hits == 0 && r.alarms == 0);
    assert_false(rated(value, (const uint8_t[30]){ 0 }, 30, 10).decided);
}

/* The definition: what each item wins over all of the other class, item by item. */
static double won(const double *value, const uint8_t *truth, const bool *counts, size_t count, size_t item)
{
    double wins = 0, others = 0;

    for (size_t j = 0; j < count; j++) {
        if (!counts[j] || !truth[j] == !truth[item]) continue;
        others++;
        wins += value[item] == value[j] ? 0.5 : (value[item] > value[j]) == (truth[item] != 0);
    }
    return wins / others;
}

static double covariance_by_pairs(const double *a, const double *b, const uint8_t *truth, const bool *counts,
                                  size_t count)
{
    double out = 0;

    for (int class = 0; class < 2; class++) {
        double n = 0, sum[3] = { 0 };

        for (size_t i = 0; i < count; i++) {
            double x, y;

            if (!counts[i] || (truth[i] != 0) != class) continue;
            x = won(a, truth, counts, count, i);
            y = won(b, truth, counts, count, i);
            n++, sum[0] += x, sum[1] += y, sum[2] += x * y;
        }
        out += (sum[2] - sum[0] * sum[1] / n) / (n - 1) / n;
    }
    return out;
}

static void test_random(void **state)
{
    uint64_t random = seed_of_run();
    double   value[2][60];
    uint8_t  truth[60];
    bool     counts[60];

    (void)state;
    for (int round = 0; round < 2000; round++) {
        const size_t    count = draw(&random) % 60;
        const uint64_t  levels = 1 + draw(&random) % 40, kinds = 1 + draw(&random) % 8;
        double          wins = 0, ones = 0, zeros = 0, difference;
        struct roc_pair pair;
        struct roc_rate rate;

        for (size_t i = 0; i < count; i++) {
            const uint64_t level = draw(&random) % levels;

            truth[i] = draw(&random) % kinds == 0;
            value[0][i] = level == 0 && round % 3 == 0 ? NAN : (double)level + truth[i];
            value[1][i] = (double)(draw(&random) % levels) - (double)level / 2;
            counts[i] = !isnan(value[0][i]);
            ones += counts[i] && truth[i], zeros += counts[i] && !truth[i];
        }
        for (size_t i = 0; i < count; i++)
            if (counts[i] && truth[i]) wins += zeros > 0 ? won(value[0], truth, counts, count, i) : NAN;
        assert_true(near(measured(value[0], truth, count).auc, ones > 0 && zeros > 0 ? wins / ones : NAN, 1e-12));
        pair = compared(value[0], value[1], truth, count);
        if (ones > 1 && zeros > 1) {
            const double of_a = covariance_by_pairs(value[0], value[0], truth, counts, count);

            difference = of_a + covariance_by_pairs(value[1], value[1], truth, counts, count) -
                         2 * covariance_by_pairs(value[0], value[1], truth, counts, count);
            assert_true(near(measured(value[0], truth, count).variance, of_a, 1e-12));
            assert_true(near(pair.error * pair.error, difference, 1e-12));
        } else assert_true(isnan(pair.p));
        /* of all thresholds, the lowest that is high enough */
        rate = rated(value[0], truth, count, 4);
        for (size_t t = 0; t < count; t++) {
            size_t hits = 0, alarms = 0;

            for (size_t i = 0; i < count; i++) {
                hits += counts[i] && truth[i] && value[0][i] >= value[0][t];
                alarms += counts[i] && !truth[i] && value[0][i] >= value[0][t];
            }
            if (counts[t] && alarms * 4 <= rate.zeros) assert_true(hits <= rate.hits);
        }
        assert_true(rate.alarms * 4 <= rate.zeros);
    }
}

/* Two normal distributions 1 apart have the area Phi(1 / sqrt 2) = 0.760250. */
static double normal(uint64_t *random)
{
    const double radius = ((double)(draw(random) >> 11) + 0.5) * 0x1p-53,
        angle = (double)(draw(random) >> 11) * 0x1p-53;

    return sqrt(-2 * log(radius)) * cos(2 * 3.14159265358979323846 * angle);
}

static void test_coverage(void **state)
{
    enum { ROUNDS = 2000, N = 60 };
    uint64_t random = seed_of_run();
    double   value[N];
    uint8_t  truth[N];
    int      covered = 0;

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct roc r;

        for (size_t i = 0; i < N; i++) truth[i] = i < N / 2, value[i] = normal(&random) + truth[i];
        r = measured(value, truth, N);
        covered += r.low <= 0.760250 && 0.760250 <= r.high;
    }
    /* 95 %, four standard errors either way */
    assert_in_range(covered, ROUNDS * 930 / 1000, ROUNDS * 970 / 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_area), cmocka_unit_test(test_apart),
                                        cmocka_unit_test(test_pair), cmocka_unit_test(test_rate),
                                        cmocka_unit_test(test_random), cmocka_unit_test(test_coverage) };

    printf("seed=%llu\n", (unsigned long long)seed_of_run());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
