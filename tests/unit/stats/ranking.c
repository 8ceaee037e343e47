/* stats/ranking: against each item's chance to be among the first; ties, missing values. */
#include "stats/ranking.h"
#include "tests/unit/draw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static double precision(const double *value, const uint8_t *truth, size_t count, size_t n)
{
    struct err err = { 0 };
    double     out = -1;

    assert_int_equal(precision_at(value, truth, count, n, &out, &err), 0);
    return out;
}

/* The sum of the chances of class 1 to be among the first n, where equals stand in any order. */
static double precision_by_chance(const double *value, const uint8_t *truth, size_t count, size_t n)
{
    double hits = 0;

    if (n > count) n = count;
    for (size_t i = 0; i < count; i++) {
        size_t above = 0, equal = 0;

        if (!truth[i]) continue;
        for (size_t k = 0; k < count; k++) {
            if (value[k] > value[i] || (isnan(value[i]) && !isnan(value[k]))) above++;
            if (value[k] == value[i] || (isnan(value[i]) && isnan(value[k]))) equal++;
        }
        if (above < n) hits += above + equal <= n ? 1 : (double)(n - above) / (double)equal;
    }
    return n ? hits / (double)n : NAN;
}

static void test_known(void **state)
{
    static const double  value[] = { 0.9, 0.8, 0.7, 0.6, 0.55, 0.5 };
    static const uint8_t truth[] = { 1, 1, 0, 7, 0, 0 };

    (void)state;
    assert_true(precision(value, truth, 6, 1) == 1 && precision(value, truth, 6, 2) == 1);
    assert_true(precision(value, truth, 6, 3) == 2.0 / 3 && precision(value, truth, 6, 4) == 0.75);
    assert_true(precision(value, truth, 6, 6) == 0.5 && precision(value, truth, 6, SIZE_MAX) == 0.5);
    assert_true(isnan(precision(value, truth, 6, 0)) && isnan(precision(NULL, NULL, 0, 5)));
    /* of equals the mean, without a value the last */
    assert_true(precision((const double[]){ NAN, 1, 1, -INFINITY }, (const uint8_t[]){ 1, 1, 0, 0 }, 4, 1) == 0.5);
    assert_true(precision((const double[]){ 0, 0, 0, 0 }, (const uint8_t[]){ 1, 0, 0, 0 }, 4, 2) == 0.25);
    assert_true(precision((const double[]){ 0, 0, 0, 0 }, (const uint8_t[]){ 0, 0, 0, 1 }, 4, 2) == 0.25);
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
        for (size_t n = 0; n < count + 2; n++) {
            double want = precision_by_chance(value, truth, count, n), got = precision(value, truth, count, n);

            assert_true(isnan(want) ? isnan(got) : fabs(got - want) < 1e-12);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_known), cmocka_unit_test(test_random) };

    printf("seed=%llu\n", (unsigned long long)seed_of_run());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
