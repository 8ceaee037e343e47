/* tests/unit/stats/correlation.c -- correlations against published and hand-made values. */
#include "stats/correlation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void close_to(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance)) fail_msg("%.9g is not %.9g", value, wanted);
}

/* scipy.stats gives these. */
static void test_published(void **unused)
{
    const double       x[] = { 1, 2, 3, 4, 5, 5 }, y[] = { 5, 6, 7, 8, 7, 9 };
    struct correlation c = pearson(x, y, 6);

    (void)unused;
    close_to(c.r, 0.866025, 1e-6);
    close_to(c.p, 0.025721, 1e-6);
    assert_int_equal(spearman(x, y, 6, &c), 0);
    close_to(c.r, 0.838235, 1e-6);
    close_to(c.p, 0.037135, 1e-6);
}

static void test_ranks(void **unused)
{
    const double value[] = { 30, 10, 20, 10, 30, 30, -1 }, wanted[] = { 6, 2.5, 4, 2.5, 6, 6, 1 };
    double       rank[7];

    (void)unused;
    assert_int_equal(ranks_average(value, 7, rank), 0);
    for (size_t i = 0; i < 7; i++) close_to(rank[i], wanted[i], 0);
}

/* Spearman's sees order alone; a perfect line has r 1 and p 0; what does not vary has none. */
static void test_extremes(void **unused)
{
    const double       x[] = { 1, 2, 3, 4, 5 }, cube[] = { 1, 8, 27, 64, 125 }, down[] = { 10, 8, 6, 4, 2 },
        flat[] = { 3, 3, 3, 3, 3 };
    struct correlation c;

    (void)unused;
    assert_int_equal(spearman(x, cube, 5, &c), 0);
    close_to(c.r, 1, 1e-12);
    close_to(c.p, 2.0 / 120, 1e-15);                        /* of all orders this one and its mirror image */
    assert_true(pearson(x, cube, 5).r < 0.99);
    close_to(pearson(x, down, 5).r, -1, 1e-12);
    assert_true(isnan(pearson(x, flat, 5).r) && isnan(pearson(x, flat, 5).p));
    assert_true(isnan(pearson(x, x, 1).r));
    for (size_t n = 2; n < 200; n++) {                      /* equal, though their mean may round otherwise */
        double equal[200], other[200];

        for (size_t i = 0; i < n; i++) equal[i] = (double)(n + 1) / 2, other[i] = (double)i;
        assert_true(isnan(pearson(equal, other, n).r) && isnan(pearson(other, equal, n).r));
        assert_true(isnan(pearson(equal, equal, n).p));
    }
    close_to(pearson(x, x, 2).r, 1, 1e-12);
    assert_true(isnan(pearson(x, x, 2).p));
    assert_int_equal(spearman(x, x, 0, &c), 0);
    assert_true(isnan(c.r));
}

/* R's cor.test gives these; with equal values or ten things p is t's. */
static void test_few(void **unused)
{
    const double       x[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 }, y[] = { 2, 1, 4, 3, 7, 9, 5, 6, 8, 10 },
        mirror[] = { 3, 2, 1 }, tied[] = { 3, 2, 2 };
    struct correlation c;

    (void)unused;
    assert_int_equal(spearman(x, mirror, 3, &c), 0);
    close_to(c.r, -1, 1e-12);
    close_to(c.p, 1.0 / 3, 1e-15);
    assert_int_equal(spearman(x, y, 9, &c), 0);
    close_to(c.p, 0.0172233245149912, 1e-9);
    assert_int_equal(spearman(x, y, 10, &c), 0);
    close_to(c.p, pearson(x, y, 10).p, 1e-15);              /* they are ranks */
    assert_int_equal(spearman(x, tied, 3, &c), 0);
    close_to(c.p, 1.0 / 3, 1e-9);                           /* r = -sqrt(3)/2: t = sqrt(3), Cauchy's */
}

/* With one degree of freedom t is Cauchy's: p = 1 - 2/pi atan(t); with two it is 1 - t / sqrt(2 + t^2). */
static void test_p(void **unused)
{
    const double three[] = { 0, 1, 3 }, other[] = { 0, 2, 1 }, four[] = { 1, 2, 3, 4 }, mixed[] = { 2, 1, 4, 3 };
    double       r = pearson(three, other, 3).r, t = fabs(r) / sqrt(1 - r * r), pi = acos(-1);

    (void)unused;
    close_to(pearson(three, other, 3).p, 1 - 2 / pi * atan(t), 1e-10);
    r = pearson(four, mixed, 4).r;
    t = fabs(r) * sqrt(2 / (1 - r * r));
    close_to(pearson(four, mixed, 4).p, 1 - t / sqrt(2 + t * t), 1e-10);
}

/* Of 24 orders of four, 1 + 3 + 5 have at most two pairs out of order; the second is the example of scipy.stats. */
static void test_kendall(void **unused)
{
    const double       four[] = { 1, 2, 3, 4 }, mixed[] = { 2, 1, 4, 3 }, flat[] = { 0.1, 0.1, 0.1, 0.1 };
    const double       x[] = { 12, 2, 1, 12, 2 }, y[] = { 1, 4, 7, 1, 0 };
    double             many[60], other[60];
    struct correlation c;

    (void)unused;
    assert_int_equal(kendall(four, mixed, 4, &c), 0);
    close_to(c.r, 1.0 / 3, 1e-15);
    close_to(c.p, 18.0 / 24, 1e-15);
    assert_int_equal(kendall(mixed, four, 4, &c), 0);
    close_to(c.p, 18.0 / 24, 1e-15);
    assert_int_equal(kendall(x, y, 5, &c), 0);
    close_to(c.r, -0.47140452079103173, 1e-12);
    close_to(c.p, 0.2827454599327748, 1e-12);
    for (size_t i = 0; i < 60; i++) many[i] = (double)i, other[i] = -(double)i;
    assert_int_equal(kendall(many, other, 60, &c), 0);
    close_to(c.r, -1, 1e-15);
    close_to(c.p / exp(-lgamma(61)), 2, 1e-9);              /* two of 60! orders */
    assert_int_equal(kendall(four, flat, 4, &c), 0);
    assert_true(isnan(c.r) && isnan(c.p));
    assert_int_equal(kendall(four, four, 1, &c), 0);
    assert_true(isnan(c.r) && isnan(c.p));
    assert_int_equal(kendall(four, four, 2, &c), 0);
    close_to(c.r, 1, 0);
    close_to(c.p, 1, 0);
}

/* Pairs counted one by one, with ties. */
static void test_kendall_pairs(void **unused)
{
    uint64_t seed = 3;

    (void)unused;
    for (size_t n = 2; n < 60; n++) {
        double             x[60], y[60], score = 0, apart_x = 0, apart_y = 0;
        struct correlation c;

        for (size_t i = 0; i < n; i++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            x[i] = (double)(seed >> 40 & 7), y[i] = (double)(seed >> 50 & 15);
        }
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < i; k++) {
                const int a = (x[i] > x[k]) - (x[i] < x[k]), b = (y[i] > y[k]) - (y[i] < y[k]);

                score += a * b;
                apart_x += a * a;
                apart_y += b * b;
            }
        assert_int_equal(kendall(x, y, n, &c), 0);
        if (apart_x > 0 && apart_y > 0) close_to(c.r, score / sqrt(apart_x * apart_y), 1e-12);
        else assert_true(isnan(c.r));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published), cmocka_unit_test(test_ranks), cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_few), cmocka_unit_test(test_p), cmocka_unit_test(test_kendall),
        cmocka_unit_test(test_kendall_pairs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
