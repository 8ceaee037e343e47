/* tests/unit/stats/ties.c -- runs of equal numbers. */
#include "stats/ties.h"

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

static void test_runs(void **unused)
{
    const double value[] = { 3, 1, 3, 2, 3, 1 };            /* runs of 2, 1 and 3 */
    struct ties  t;

    (void)unused;
    assert_int_equal(ties_take(value, 6, &t), 0);
    close_to(t.squares, 4 + 1 + 9, 0);
    close_to(t.cubes, 8 + 1 + 27, 0);
    close_to(value[0], 3, 0);                               /* is left in its order */
    assert_int_equal(ties_take(NULL, 0, &t), 0);
    close_to(t.squares + t.cubes, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_runs) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
