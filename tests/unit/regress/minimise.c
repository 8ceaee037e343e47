/* tests/unit/regress/minimise.c -- places and curvatures that are known. */
#include "tests/unit/regress/common.h"

#include "regress/minimise.h"

#include <errno.h>

static double bowl(void *context, const double *x)          /* numbers of very different sizes that go together */
{
    const double a = x[0] - 1, b = (x[1] + 2000) / 1000, c = (x[2] - 3e-4) / 1e-4;

    ++*(int *)context;
    return 5 + a * a + b * b + c * c + 1.2 * a * b - 0.5 * b * c;
}

static double valley(void *unused, const double *x)         /* Rosenbrock's */
{
    (void)unused;
    return 100 * (x[1] - x[0] * x[0]) * (x[1] - x[0] * x[0]) + (1 - x[0]) * (1 - x[0]);
}

static double fence(void *unused, const double *x)          /* no value below 0; least at 0.5 */
{
    (void)unused;
    return x[0] <= 0 ? INFINITY : x[0] - log(x[0]) / 2;
}

static double even(void *unused, const double *x)           /* least at 0, as a variance that is none */
{
    (void)unused;
    return 3 * log1p(x[0] * x[0]) + x[0] * x[0] * x[0] * x[0];
}

static double slope(void *unused, const double *x) { (void)unused; return -x[0]; }
static double nothing(void *unused, const double *x) { (void)unused; (void)x; return INFINITY; }

static void test_places(void **unused)
{
    int                    asked = 0;
    const struct minimised f = { bowl, &asked, 3 };
    double                 x[3] = { 0, 0, 0 }, unit[3] = { 1, 1, 1 }, value, two[2] = { -1.2, 1 }, units[2] = { 1, 1 };

    (void)unused;
    assert_int_equal(minimise(&f, x, unit, &value), 0);
    close_to(x[0], 1, 1e-6);
    close_to(x[1], -2000, 1e-6);
    close_to(x[2] * 1e4, 3, 1e-6);
    close_to(value, 5, 1e-12);
    assert_in_range(asked, 1, 2000);
    assert_int_equal(minimise(&(struct minimised){ valley, NULL, 2 }, two, units, &value), 0);
    close_to(two[0], 1, 1e-4);
    close_to(two[1], 1, 1e-4);
}

static void test_edges(void **unused)
{
    double x = 4, unit = 0.3, value;

    (void)unused;
    assert_int_equal(minimise(&(struct minimised){ fence, NULL, 1 }, &x, &unit, &value), 0);
    close_to(x, 0.5, 1e-5);
    x = 1;
    assert_int_equal(minimise(&(struct minimised){ even, NULL, 1 }, &x, &unit, &value), 0);
    close_to(x, 0, 1e-5);
    assert_int_equal(minimise(&(struct minimised){ slope, NULL, 1 }, &x, &unit, &value), -ERANGE);
    assert_int_equal(minimise(&(struct minimised){ nothing, NULL, 1 }, &x, &unit, &value), -ERANGE);
    assert_int_equal(minimise(&(struct minimised){ even, NULL, 0 }, &x, &unit, &value), 0);
}

static void test_curvature(void **unused)
{
    int                    asked = 0;
    const struct minimised f = { bowl, &asked, 3 };
    const double           x[3] = { 1, -2000, 3e-4 }, unit[3] = { 1, 1000, 1e-4 };
    const double           wanted[3][3] = { { 2, 1.2, 0 }, { 1.2, 2, -0.5 }, { 0, -0.5, 2 } };
    double                 got[9];

    (void)unused;
    assert_int_equal(minimise_curvature(&f, x, unit, got), 0);
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++) close_to(got[i * 3 + j] * unit[i] * unit[j], wanted[i][j], 1e-8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places), cmocka_unit_test(test_edges), cmocka_unit_test(test_curvature),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
