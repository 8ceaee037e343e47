/* tests/unit/learn/curve.c -- bins, Brier's score, points of the ROC curve. */
#include "learn/curve.h"

#include "base/random.h"
#include "stats/roc.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

/* scikit-learn: calibration_curve(truth, p, n_bins=5), brier_score_loss(truth, p). */
static void test_calibration(void **unused)
{
    const double  p[] = { 0, 0.1, 0.2, 0.2000001, 0.5, 0.9, 1 };
    const uint8_t truth[] = { 0, 1, 0, 0, 1, 1, 1 };
    struct calibration_bin bin[5];
    double        brier;

    (void)unused;
    calibration_curve(p, truth, 7, 5, bin, &brier);
    assert_true(bin[0].count == 3 && fabs(bin[0].mean - 0.1) < 1e-12 && fabs(bin[0].share - 1.0 / 3) < 1e-12);
    assert_true(bin[1].count == 1 && bin[1].share == 0);    /* an edge belongs to the bin below it */
    assert_true(bin[2].count == 1 && bin[2].mean == 0.5 && bin[2].share == 1);
    assert_true(bin[3].count == 0 && isnan(bin[3].mean) && isnan(bin[3].share));
    assert_true(bin[4].count == 2 && fabs(bin[4].mean - 0.95) < 1e-12 && bin[4].low == 0.8 && bin[4].high == 1);
    assert_true(fabs(brier - (0.81 + 0.04 + 0.2000001 * 0.2000001 + 0.25 + 0.01) / 7) < 1e-12);
    calibration_curve(p, truth, 0, 5, bin, &brier);
    assert_true(isnan(brier) && bin[0].count == 0);
}

static void test_roc(void **unused)
{
    const double      value[] = { 0.9, 0.4, NAN, 0.4, 0.1, 0.7 };
    const uint8_t     truth[] = { 1, 1, 1, 0, 0, 0 };
    struct roc_point *point;
    size_t            points;
    struct err        err = { 0 };

    (void)unused;
    assert_int_equal(roc_curve(value, truth, 6, &point, &points, &err), 0);
    assert_int_equal(points, 5);
    assert_true(isinf(point[0].threshold) && point[0].true_share == 0 && point[0].false_share == 0);
    assert_true(point[1].threshold == 0.9 && point[1].true_share == 0.5 && point[1].false_share == 0);
    assert_true(point[2].threshold == 0.7 && point[2].false_share == 1.0 / 3);
    assert_true(point[3].threshold == 0.4 && point[3].true_share == 1 && point[3].false_share == 2.0 / 3);
    assert_true(point[4].true_share == 1 && point[4].false_share == 1);
    free(point);
    assert_int_equal(roc_curve(value, truth, 1, &point, &points, &err), 0);    /* one class alone */
    assert_true(points == 2 && isnan(point[1].false_share) && point[1].true_share == 1);
    free(point);
}

/* Trapezoids under the points are the area that counts pairs. */
static void test_area(void **unused)
{
    enum { N = 200 };

    (void)unused;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct random     r = random_start(seed, 0);
        struct roc_point *point;
        double            value[N], area = 0;
        struct roc        wanted;
        uint8_t           truth[N];
        size_t            points;
        struct err        err = { 0 };

        for (size_t i = 0; i < N; i++) value[i] = (double)random_below(&r, 20), truth[i] = (uint8_t)(i % 3 == 0);
        assert_int_equal(roc_curve(value, truth, N, &point, &points, &err), 0);
        for (size_t i = 1; i < points; i++)
            area += (point[i].false_share - point[i - 1].false_share) *
                    (point[i].true_share + point[i - 1].true_share) / 2;
        assert_int_equal(roc_measure(value, truth, N, &wanted, &err), 0);
        assert_true(fabs(area - wanted.auc) < 1e-12);
        free(point);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_calibration), cmocka_unit_test(test_roc),
                                        cmocka_unit_test(test_area) };

    return cmocka_run_group_tests_name("learn/curve", tests, NULL, NULL);
}
