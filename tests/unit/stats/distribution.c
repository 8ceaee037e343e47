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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_normal), cmocka_unit_test(test_student), cmocka_unit_test(test_beta),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
