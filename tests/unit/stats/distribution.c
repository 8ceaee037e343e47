/* tests/unit/stats/distribution.c -- tails against tables and closed forms. */
#include "stats/distribution.h"

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

static void test_normal(void **unused)
{
    (void)unused;
    close_to(normal_above(0), 0.5, 0);
    close_to(normal_above(1.959963984540054), 0.025, 1e-15);
    close_to(normal_above(-1), 0.841344746068543, 1e-14);
    close_to(normal_above(10) * 1e23, 0.761985302416, 1e-9);
}

/* One degree of freedom is Cauchy's, two have a closed form; many come near the normal. */
static void test_student(void **unused)
{
    const double pi = acos(-1);

    (void)unused;
    for (double t = 0; t < 20; t += 0.5) {
        close_to(student_beyond(t, 1), 1 - 2 / pi * atan(t), 1e-12);
        close_to(student_beyond(-t, 2), 1 - t / sqrt(2 + t * t), 1e-12);
        close_to(student_beyond(t, 1e8), 2 * normal_above(t), 1e-6);
    }
    close_to(student_beyond(2.2281388519862747, 10), 0.05, 1e-12);
    close_to(student_beyond(INFINITY, 3), 0, 0);
    assert_true(isnan(student_beyond(NAN, 3)) && isnan(student_beyond(1, 0)) && isnan(student_beyond(1, NAN)));
}

static void test_beta(void **unused)
{
    (void)unused;
    for (double at = 0; at <= 1; at += 0.125) {
        close_to(beta_incomplete(1, 1, at), at, 1e-14);
        close_to(beta_incomplete(2, 1, at), at * at, 1e-14);
        close_to(beta_incomplete(2.5, 3.5, at), 1 - beta_incomplete(3.5, 2.5, 1 - at), 1e-13);
    }
}

/* There and back, far out, too; quantiles of Cauchy's distribution are tangents. */
static void test_quantiles(void **unused)
{
    const double pi = acos(-1);

    (void)unused;
    close_to(normal_quantile(0.975), NORMAL_95, 1e-14);
    close_to(normal_quantile(0.5), 0, 1e-15);
    close_to(normal_quantile(0.158655253931457), -1, 1e-13);
    for (double z = 0.25; z < 37; z += 0.25) close_to(normal_quantile(normal_above(z)) / -z, 1, 1e-12);
    assert_true(isinf(normal_quantile(0)) && normal_quantile(0) < 0 && isinf(normal_quantile(1)));
    assert_true(isnan(normal_quantile(-0.1)) && isnan(normal_quantile(1.1)) && isnan(normal_quantile(NAN)));
    close_to(student_quantile(0.05, 10), 2.2281388519862747, 1e-12);
    for (double share = 0.01; share < 1; share += 0.05) {
        close_to(student_quantile(share, 1) / tan(pi / 2 * (1 - share)), 1, 1e-11);
        close_to(student_beyond(student_quantile(share, 7.5), 7.5), share, 1e-12);
        close_to(student_beyond(student_quantile(share, 1e6), 1e6), share, 1e-12);
    }
    assert_true(isnan(student_quantile(0, 3)) && isnan(student_quantile(0.5, 0)) && isnan(student_quantile(NAN, 3)));
    assert_true(student_quantile(1, 3) < 1e-300);
}

/* Of many degrees, where only so many digits of the exponents are left: I_(1/2)(a, a) is 1/2, I_x(a, 1) is x^a. */
static void test_large(void **unused)
{
    (void)unused;
    for (double a = 5; a < 1e7; a *= 3) {
        if (a < 1e4) close_to(beta_incomplete(a, a, 0.5), 0.5, 1e-15 * a + 1e-13);
        close_to(beta_incomplete(a, 1, exp(-1 / a)), exp(-1), 1e-15 * a + 1e-13);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_normal), cmocka_unit_test(test_student), cmocka_unit_test(test_beta),
        cmocka_unit_test(test_quantiles), cmocka_unit_test(test_large),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
