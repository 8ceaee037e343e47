/* tests/unit/stats/line.c -- lines by least squares against R's numbers and by hand. */
#include "stats/line.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void close_to(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance)) fail_msg("%.12g is not %.12g", value, wanted);
}

/* Anscombe's first set, of which the paper gives slope 0.500, intercept 3.00 and the slope's error 0.118. */
static void test_anscombe(void **unused)
{
    const double x[] = { 10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5 },
        y[] = { 8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68 };
    const struct line l = line_fit(x, y, 11);

    (void)unused;
    close_to(l.slope, 0.5000909, 1e-7);
    close_to(l.intercept, 3.0000909, 1e-7);
    close_to(l.error, 0.1179055, 1e-7);
    close_to(l.p, 0.00216963, 1e-8);
    close_to(l.high - l.low, 2 * 2.2621572 * 0.1179055, 1e-6);
    close_to(l.high + l.low, 2 * l.slope, 1e-12);
}

static void test_few(void **unused)
{
    const double x[] = { 0, 1, 2 }, y[] = { 0, 1, 0 }, flat[] = { 0.1, 0.1, 0.1 };
    struct line  l = line_fit(x, y, 3);

    (void)unused;
    close_to(l.slope, 0, 1e-15);
    close_to(l.intercept, 1.0 / 3, 1e-15);
    close_to(l.error, sqrt(1.0 / 3), 1e-12);                /* squares left over 2/3, of one degree; x's spread 2 */
    close_to(l.high, 12.7062047 * sqrt(1.0 / 3), 1e-6);
    close_to(l.p, 1, 1e-12);
    l = line_fit(x, y, 2);
    close_to(l.slope, 1, 0);
    assert_true(isnan(l.error) && isnan(l.p) && isnan(l.low) && isnan(l.high));
    l = line_fit(flat, y, 3);
    assert_true(isnan(l.slope) && isnan(l.intercept) && isnan(l.p));
    l = line_fit(x, flat, 3);
    close_to(l.slope, 0, 0);
    close_to(l.p, 1, 0);
    l = line_fit(x, x, 3);
    close_to(l.slope, 1, 0);
    close_to(l.p, 0, 0);
    l = line_fit(x, y, 0);
    assert_true(isnan(l.slope));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_anscombe), cmocka_unit_test(test_few) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
