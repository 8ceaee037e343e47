/* tests/unit/stats/paired.c -- tests of pairs against published values and all signs. */
#include "stats/paired.h"

#include "stats/correlation.h"

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

/* Darwin's maize, crossed less self-fertilised, in eighths of an inch (Fisher, The Design of Experiments, 1935, table
 * 3): t 2.148 of 14 degrees. */
static const double maize[] = { 49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48 };

static void test_published(void **unused)
{
    struct wilcoxon w;
    struct t_test   t;

    (void)unused;
    assert_int_equal(paired_t(maize, NULL, 15, &t), 0);
    close_to(t.t, 2.148, 5e-4);
    close_to(t.freedom, 14, 0);
    close_to(t.p, 0.0497, 5e-5);
    assert_int_equal(wilcoxon(maize, NULL, 15, RANK_AUTO, &w), 0);
    assert_true(w.exact);
    close_to(w.above, 96, 0);
    close_to(w.below, 24, 0);
    close_to(w.p, 0.04125977, 1e-8);                        /* 1352 of 32768 */
    assert_int_equal(wilcoxon(maize, NULL, 15, RANK_NORMAL, &w), 0);
    assert_false(w.exact);
    close_to(w.p, 2 * 0.5 * erfc(36 / sqrt(310.0) / sqrt(2)), 1e-12);
}

/* Every way to sign the ranks, counted; with ties and zeros. */
static void test_against_all(void **unused)
{
    static const double set[][7] = { { 1, -2, 3, 4, -5, 6, 7 }, { 1, 1, -1, 2, 2, -3, 0 }, { 2, 2, 2, 2, -2, -2, 2 } };

    (void)unused;
    for (size_t k = 0; k < 3; k++) {
        double          size[7], rank[7], reached = 0, far = 0;
        size_t          n = 0;
        struct wilcoxon w;

        for (size_t i = 0; i < 7; i++) if (fabs(set[k][i]) > 0) size[n++] = fabs(set[k][i]);
        assert_int_equal(ranks_average(size, n, rank), 0);
        assert_int_equal(wilcoxon(set[k], NULL, 7, RANK_EXACT, &w), 0);
        assert_true(w.exact && w.used == n);
        for (unsigned signs = 0; signs < 1u << n; signs++) {
            double above = 0, below = 0;

            for (size_t i = 0; i < n; i++) *(signs >> i & 1 ? &above : &below) += rank[i];
            reached += above >= w.above;
            far += fabs(above - below) >= fabs(w.above - w.below);
        }
        close_to(w.greater, reached / (1u << n), 1e-15);
        close_to(w.p, far / (1u << n), 1e-15);
        assert_int_equal(wilcoxon(set[k], NULL, 7, RANK_AUTO, &w), 0);
        assert_true(w.exact == (k == 0));
    }
}

static void test_edges(void **unused)
{
    const double    x[] = { 0.1, 0.2, 0.3 }, y[] = { 0.1, 0.2, 0.3 }, one[] = { 2, 3, 4 }, two[] = { 1, 2, 3 };
    struct wilcoxon w;
    struct t_test   t;

    (void)unused;
    assert_int_equal(wilcoxon(x, y, 3, RANK_AUTO, &w), 0);
    close_to(w.p, 1, 0);
    close_to(w.greater, 1, 0);
    assert_int_equal(w.used, 0);
    assert_int_equal(wilcoxon(x, y, 3, RANK_EXACT, &w), 0);
    close_to(w.p, 1, 0);
    assert_int_equal(wilcoxon(x, y, 0, RANK_AUTO, &w), 0);
    assert_true(isnan(w.p) && isnan(w.greater) && isnan(w.above));
    assert_int_equal(wilcoxon(one, two, 1, RANK_AUTO, &w), 0);
    close_to(w.p, 1, 0);
    close_to(w.greater, 0.5, 0);
    assert_int_equal(paired_t(one, two, 3, &t), 0);
    assert_true(isnan(t.t) && isnan(t.p));
    close_to(t.freedom, 2, 0);
    assert_int_equal(paired_t(one, two, 1, &t), 0);
    assert_true(isnan(t.freedom));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_published), cmocka_unit_test(test_against_all),
                                        cmocka_unit_test(test_edges) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
