/* tests/unit/stats/summary.c -- a column of numbers by hand. */
#include "stats/summary.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void test_numbers(void **unused)
{
    const double   value[] = { 4, 1, 10, 2 };
    struct summary s;

    (void)unused;
    assert_int_equal(summary_take(value, 4, &s), 0);
    assert_true(s.count == 4 && s.least >= 1 && s.least <= 1 && s.most >= 10 && s.most <= 10);
    assert_true(fabs(s.median - 3) < 1e-12 && fabs(s.mean - 4.25) < 1e-12);
    assert_true(fabs(s.deviation - sqrt(48.75 / 4)) < 1e-12 && fabs(s.variance - 16.25) < 1e-12);
    assert_int_equal(summary_take(value, 3, &s), 0);
    assert_true(fabs(s.median - 4) < 1e-12);
    assert_int_equal(summary_take(value, 1, &s), 0);
    assert_true(fabs(s.median - 4) < 1e-12 && s.deviation <= 0 && isnan(s.variance));
    assert_int_equal(summary_take(NULL, 0, &s), 0);
    assert_true(s.count == 0 && isnan(s.mean) && isnan(s.median));
}

/* 0.1 thirty times, whose sum's thirtieth is not 0.1. */
static void test_equal(void **unused)
{
    double         value[30];
    struct summary s;

    (void)unused;
    for (size_t i = 0; i < 30; i++) value[i] = 0.1;
    for (size_t n = 2; n <= 30; n++) {
        assert_int_equal(summary_take(value, n, &s), 0);
        assert_true(!(s.mean < 0.1 || s.mean > 0.1) && !(s.variance > 0) && !(s.deviation > 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_numbers), cmocka_unit_test(test_equal) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
