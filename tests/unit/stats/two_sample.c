/* tests/unit/stats/two_sample.c -- tests of two groups against SciPy's values, published ones and all orders. */
#include "stats/two_sample.h"

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

static const double x[] = { 87.1, 88.0, 87.5, 86.9, 87.9, 88.2, 87.0, 87.7, 87.3, 88.1 },
    y[] = { 87.0, 86.5, 87.2, 86.8, 87.4, 86.1, 87.6, 86.9, 85.9, 87.1 };

static void test_mann_whitney(void **unused)
{
    const double        a[] = { 1, 2, 2, 3, 5 }, b[] = { 2, 2, 4, 6, 7 };
    struct mann_whitney m;

    (void)unused;
    assert_int_equal(mann_whitney(x, 10, y, 10, &m), 0);
    close_to(m.u, 83.5, 0);
    close_to(m.p, 0.0125113, 1e-7);
    close_to(m.delta, 0.67, 1e-12);
    assert_false(m.exact);
    assert_int_equal(mann_whitney(x, 5, y, 5, &m), 0);
    close_to(m.u, 20, 0);
    close_to(m.p, 0.150794, 1e-6);
    close_to(m.greater, 0.075397, 1e-6);
    assert_true(m.exact);
    assert_int_equal(mann_whitney(a, 5, b, 5, &m), 0);
    close_to(m.u, 7, 0);
    close_to(m.p, 0.281198, 1e-6);
}

/* Every way to draw the first group's ranks from all, counted. */
static void test_exact_against_all(void **unused)
{
    (void)unused;
    for (size_t n = 1; n <= 5; n++)
        for (size_t k = 1; k <= 6; k++)
            for (unsigned chosen = 0; chosen < 1u << (n + k); chosen++) {
                double              a[8], b[8], above = 0, all = 0;
                size_t              na = 0, nb = 0;
                struct mann_whitney m;

                if ((size_t)__builtin_popcount(chosen) != n) continue;
                if (chosen % 7 != 3 && n + k > 6) continue;
                for (size_t i = 0; i < n + k; i++) {
                    if (chosen >> i & 1) a[na++] = (double)i;
                    else b[nb++] = (double)i;
                }
                assert_int_equal(mann_whitney(a, na, b, nb, &m), 0);
                for (unsigned other = 0; other < 1u << (n + k); other++) {
                    size_t u = 0;

                    if ((size_t)__builtin_popcount(other) != n) continue;
                    for (size_t i = 0; i < n + k; i++)
                        if (other >> i & 1) u += (size_t)__builtin_popcount(~other & ((1u << i) - 1));
                    all++;
                    above += (double)u >= m.u;
                }
                close_to(m.greater, above / all, 1e-12);
            }
}

static void test_mann_whitney_edges(void **unused)
{
    static double       many[20000];
    const double        flat[] = { 3, 3, 3, 3 }, few[] = { -1, -2, -3, -4, -5, -6, -7, -8 };
    struct mann_whitney m;

    (void)unused;
    assert_int_equal(mann_whitney(flat, 4, flat, 3, &m), 0);
    close_to(m.p, 1, 0);
    close_to(m.delta, 0, 0);
    assert_int_equal(mann_whitney(flat, 4, flat, 0, &m), 0);
    assert_true(isnan(m.u) && isnan(m.p) && isnan(m.delta));
    for (size_t i = 0; i < 20000; i++) many[i] = (double)i;
    assert_int_equal(mann_whitney(few, 8, many, 20000, &m), 0);         /* coefficients beyond 64 bits */
    assert_true(m.exact);
    close_to(m.greater, 1, 1e-12);
    close_to(m.p * 1e30, 3.144335901575379, 1e-9);          /* 2 / C(20008, 8) */
    close_to(m.delta, -1, 0);
}

static void test_cliff(void **unused)
{
    const double        a[] = { 1, 2, 3 }, b[] = { 2, 3, 4 };
    struct mann_whitney m;

    (void)unused;
    assert_int_equal(mann_whitney(a, 3, b, 3, &m), 0);
    close_to(m.delta, -0.5556, 1e-4);
    assert_string_equal(cliff_level(m.delta), "large");
    assert_string_equal(cliff_level(0.1469), "negligible");
    assert_string_equal(cliff_level(-0.147), "small");
    assert_string_equal(cliff_level(0.33), "medium");
    assert_string_equal(cliff_level(-0.474), "large");
    assert_string_equal(cliff_level(NAN), "");
}

/* With equal numbers: every way to choose the first group's of all ranks, counted. */
static void test_exact_with_ties(void **unused)
{
    const double all[] = { 1, 1, 2, 3, 3, 3, 5, 8 }, rank[] = { 1.5, 1.5, 3, 5, 5, 5, 7, 8 };

    (void)unused;
    for (unsigned chosen = 1; chosen < 255; chosen++) {
        double              a[8], b[8], above = 0, far = 0, count = 0, its = 0, middle;
        size_t              na = 0, nb = 0;
        struct mann_whitney m;

        for (size_t i = 0; i < 8; i++) {
            if (chosen >> i & 1) a[na++] = all[i], its += rank[i];
            else b[nb++] = all[i];
        }
        middle = (double)na * 4.5;
        assert_int_equal(mann_whitney_by(RANK_EXACT, a, na, b, nb, &m), 0);
        assert_true(m.exact);
        for (unsigned other = 1; other < 255; other++) {
            double sum = 0;

            if (__builtin_popcount(other) != __builtin_popcount(chosen)) continue;
            for (size_t i = 0; i < 8; i++) if (other >> i & 1) sum += rank[i];
            count++;
            above += sum >= its;
            far += fabs(sum - middle) >= fabs(its - middle);
        }
        close_to(m.greater, above / count, 1e-14);
        close_to(m.p, far / count, 1e-14);
        assert_int_equal(mann_whitney(a, na, b, nb, &m), 0);
        if (chosen == 0x0f) assert_false(m.exact);
    }
}

/* Without ties both ways to count say the same, beyond the sizes that count by themselves, too. */
static void test_methods(void **unused)
{
    double              a[12], b[40];
    struct mann_whitney m, n;

    (void)unused;
    for (size_t i = 0; i < 12; i++) a[i] = (double)(i * i);
    for (size_t i = 0; i < 40; i++) b[i] = (double)i * 3 + 0.5;
    assert_int_equal(mann_whitney_by(RANK_EXACT, a, 8, b, 40, &m), 0);
    assert_int_equal(mann_whitney_by(RANK_NORMAL, a, 8, b, 40, &n), 0);
    assert_true(m.exact && !n.exact);
    close_to(m.p, n.p, 0.005);
    assert_true(fabs(m.p - n.p) > 1e-6);
    assert_int_equal(mann_whitney_by(RANK_EXACT, a, 12, b, 40, &m), 0);
    assert_int_equal(mann_whitney(a, 12, b, 40, &n), 0);
    assert_true(m.exact && !n.exact);
    close_to(m.p, n.p, 0.005);
}

/* The interval by its formula from all 60 signs, and where groups lie apart. */
static void test_cliff_interval(void **unused)
{
    const double x10[] = { 10, 10, 20, 20, 20, 30, 30, 30, 40, 50 }, y6[] = { 10, 20, 30, 40, 40, 50 };
    const double low[] = { 1, 2, 3 }, high[] = { 7, 8, 9, 10 };
    struct cliff c;

    (void)unused;
    assert_int_equal(cliff_delta(x10, 10, y6, 6, &c), 0);
    close_to(c.delta, -0.25, 1e-12);
    close_to(c.low, -0.7125350951, 1e-9);
    close_to(c.high, 0.3639998950, 1e-9);
    assert_int_equal(cliff_delta(y6, 6, x10, 10, &c), 0);
    close_to(c.delta, 0.25, 1e-12);
    close_to(c.high, 0.7125350951, 1e-9);
    assert_int_equal(cliff_delta(low, 3, high, 4, &c), 0);
    close_to(c.low, -1, 0);
    close_to(c.high, -(3 - 3.841458821) / (3 + 3.841458821), 1e-9);
    assert_int_equal(cliff_delta(high, 4, low, 3, &c), 0);
    close_to(c.high, 1, 0);
    assert_int_equal(cliff_delta(low, 1, high, 4, &c), 0);
    close_to(c.delta, -1, 0);
    assert_true(isnan(c.low) && isnan(c.high));
    assert_int_equal(cliff_delta(low, 0, high, 4, &c), 0);
    assert_true(isnan(c.delta));
}

/* Of 2 degrees the factor is gamma(1) / (1 gamma(1/2)), of 4 gamma(2) / (sqrt(2) gamma(3/2)), of many nearly 1 - 3 /
 * (4 m - 1). */
static void test_hedges(void **unused)
{
    const double a[] = { 1, 3 }, b[] = { 2, 5 }, flat[] = { 0.1, 0.1, 0.1 }, other[] = { 0.6, 0.6, 0.6, 0.6, 0.6 };
    struct cohen d;

    (void)unused;
    assert_int_equal(cohen(a, 2, b, 2, &d), 0);
    close_to(d.hedges / d.pooled, 1 / sqrt(acos(-1)), 1e-12);
    assert_int_equal(cohen(x, 3, y, 3, &d), 0);
    close_to(d.hedges / d.pooled, sqrt(2 / acos(-1)), 1e-12);
    assert_int_equal(cohen(x, 9, y, 8, &d), 0);
    close_to(d.hedges / d.pooled, 1 - 3.0 / 59, 3e-4);
    assert_int_equal(cohen(flat, 3, other, 5, &d), 0);      /* constants do not vary, however their mean rounds */
    assert_true(isnan(d.pooled) && isnan(d.plain) && isnan(d.hedges));
    assert_int_equal(cohen(a, 1, b, 2, &d), 0);
    assert_true(isnan(d.hedges));
}

static void test_means(void **unused)
{
    const double   flat[] = { 2, 2 }, uneven[] = { 1, 2, 3, 10 };
    struct cohen   d;
    struct t_tests t;

    (void)unused;
    assert_int_equal(cohen(x, 10, y, 10, &d), 0);
    close_to(d.plain, 1.405147, 1e-6);
    close_to(d.pooled, 1.405147, 1e-6);
    assert_int_equal(cohen(y, 10, x, 10, &d), 0);
    close_to(d.plain, 1.405147, 1e-6);
    close_to(d.pooled, -1.405147, 1e-6);
    assert_int_equal(t_tests(x, 10, y, 10, &t), 0);
    close_to(t.student.t, 3.142005, 1e-6);
    close_to(t.student.p, 0.0056363, 1e-7);
    close_to(t.welch.t, 3.142005, 1e-6);
    close_to(t.welch.p, 0.0057210, 1e-7);
    assert_int_equal(cohen(flat, 2, flat, 2, &d), 0);
    assert_true(isnan(d.plain) && isnan(d.pooled));
    assert_int_equal(cohen(flat, 2, uneven, 4, &d), 0);     /* variances 0 and 50/3 */
    close_to(d.plain, 2 / sqrt(50.0 / 6), 1e-12);
    close_to(d.pooled, -2 / sqrt(50.0 / 4), 1e-12);
    assert_int_equal(t_tests(flat, 1, uneven, 4, &t), 0);
    assert_true(isnan(t.student.p) && isnan(t.welch.p));
    assert_int_equal(t_tests(flat, 2, uneven, 4, &t), 0);
    close_to(t.welch.freedom, 3, 1e-12);                    /* the other varies alone */
}

static void test_sample_size(void **unused)
{
    (void)unused;
    assert_int_equal(sample_size(40125), 381);
    assert_int_equal(sample_size(4187), 352);
    assert_int_equal(sample_size(0), 384);
    assert_int_equal(sample_size(1), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mann_whitney),
        cmocka_unit_test(test_exact_against_all),
        cmocka_unit_test(test_mann_whitney_edges),
        cmocka_unit_test(test_exact_with_ties),
        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_cliff),
        cmocka_unit_test(test_cliff_interval),
        cmocka_unit_test(test_hedges),
        cmocka_unit_test(test_means),
        cmocka_unit_test(test_sample_size),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
