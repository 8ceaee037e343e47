/* tests/unit/stats/resample.c -- permutations against all deals, bootstrap intervals against their definition. */
#include "stats/resample.h"

#include <errno.h>
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

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_by_hand) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
