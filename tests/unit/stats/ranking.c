/* stats/ranking: against all pairs and against a sort by insertion; ties, missing values, one class only. */
#include "stats/ranking.h"
#include "tests/unit/draw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static double auc(const double *value, const uint8_t *truth, size_t count)
{
    struct err err = { 0 };
    double     out = -1;

    assert_int_equal(roc_auc(value, truth, count, &out, &err), 0);
    return out;
}

static double precision(const double *value, const uint8_t *truth, size_t count, size_t n)
{
    struct err err = { 0 };
    double     out = -1;

    assert_int_equal(precision_at(value, truth, count, n, &out, &err), 0);
    return out;
}

static double auc_by_pairs(const double *value, const uint8_t *truth, size_t count)
{
    double wins = 0, pairs = 0;

    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            if (!truth[i] || truth[j] || isnan(value[i]) || isnan(value[j])) continue;
            wins += value[i] > value[j] ? 1 : value[i] == value[j] ? 0.5 : 0;
            pairs++;
        }
    return pairs > 0 ? wins / pairs : NAN;
}

/* Takes the best that is left, n times. */
static double precision_by_choice(const double *value, const uint8_t *truth, size_t count, size_t n)
{
    uint8_t taken[64] = { 0 };
    double  hits = 0;

    if (n > count) n = count;
    for (size_t round = 0; round < n; round++) {
        size_t best = count;

        for (size_t i = 0; i < count; i++) {
            if (taken[i]) continue;
            if (best == count || value[i] > value[best] || (isnan(value[best]) && !isnan(value[i]))) best = i;
        }
        taken[best] = 1;
        hits += truth[best] != 0;
    }
    return n ? hits / (double)n : NAN;
}

static void test_known(void **state)
{
    static const double  value[] = { 0.9, 0.8, 0.7, 0.6, 0.55, 0.5 };
    static const uint8_t truth[] = { 1, 1, 0, 7, 0, 0 };

    (void)state;
    assert_true(fabs(auc(value, truth, 6) - 8.0 / 9) < 1e-15);
    assert_true(auc(value, (const uint8_t[]){ 1, 1, 1, 0, 0, 0 }, 6) == 1);
    assert_true(auc(value, (const uint8_t[]){ 0, 0, 0, 1, 1, 1 }, 6) == 0);
    assert_true(auc((const double[]){ 3, 3, 3 }, (const uint8_t[]){ 0, 1, 0 }, 3) == 0.5);
    assert_true(isnan(auc(value, (const uint8_t[]){ 1, 1, 1, 1, 1, 1 }, 6)));
    assert_true(isnan(auc(value, (const uint8_t[]){ 0, 0, 0, 0, 0, 0 }, 6)));
    assert_true(isnan(auc(NULL, NULL, 0)));
    assert_true(isnan(auc((const double[]){ NAN, 1 }, (const uint8_t[]){ 1, 0 }, 2)));     /* class 1 has no value */
    assert_true(precision(value, truth, 6, 1) == 1 && precision(value, truth, 6, 2) == 1);
    assert_true(precision(value, truth, 6, 3) == 2.0 / 3 && precision(value, truth, 6, 4) == 0.75);
    assert_true(precision(value, truth, 6, 6) == 0.5 && precision(value, truth, 6, SIZE_MAX) == 0.5);
    assert_true(isnan(precision(value, truth, 6, 0)) && isnan(precision(NULL, NULL, 0, 5)));
    /* of equals the first, without a value the last */
    assert_true(precision((const double[]){ NAN, 1, 1, -INFINITY }, (const uint8_t[]){ 1, 1, 0, 0 }, 4, 1) == 1);
    assert_true(precision((const double[]){ NAN, 1, 1, -INFINITY }, (const uint8_t[]){ 1, 0, 0, 1 }, 4, 3) == 1.0 / 3);
}

static void test_random(void **state)
{
    uint64_t random = seed_of_run();
    double   value[60];
    uint8_t  truth[60];

    (void)state;
    for (int round = 0; round < 2000; round++) {
        size_t   count = draw(&random) % 60;
        uint64_t levels = 1 + draw(&random) % 40, ones = 1 + draw(&random) % 8;

        for (size_t i = 0; i < count; i++) {
            uint64_t level = draw(&random) % levels;

            value[i] = level == 0 && round % 3 == 0 ? NAN : (double)level - 7;
            truth[i] = draw(&random) % ones == 0;
        }
        if (isnan(auc_by_pairs(value, truth, count))) assert_true(isnan(auc(value, truth, count)));
        else assert_true(fabs(auc(value, truth, count) - auc_by_pairs(value, truth, count)) < 1e-12);
        for (size_t n = 0; n < count + 2; n++) {
            double want = precision_by_choice(value, truth, count, n), got = precision(value, truth, count, n);

            assert_true(isnan(want) ? isnan(got) : got == want);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_known), cmocka_unit_test(test_random) };

    printf("seed=%llu\n", (unsigned long long)seed_of_run());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
