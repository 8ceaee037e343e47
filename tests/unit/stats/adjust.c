/* tests/unit/stats/adjust.c -- p-values of several tests against R's p.adjust and against what defines them. */
#include "stats/adjust.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

/* p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") of R; equal ones; what is no number stands aside. */
static void test_known(void **state)
{
    const double p[] = { 0.01, NAN, 0.04, 0.03, 0.005 }, right[] = { 0.03, NAN, 0.06, 0.06, 0.02 };
    const double equal[] = { 0.02, 0.02, 0.9 };
    double       out[5];

    (void)state;
    assert_int_equal(holm_adjust(p, 5, out), 0);
    for (size_t i = 0; i < 5; i++)
        assert_true(isnan(right[i]) ? isnan(out[i]) : fabs(out[i] - right[i]) < 1e-12);
    assert_int_equal(holm_adjust(equal, 3, out), 0);
    assert_true(fabs(out[0] - 0.06) < 1e-12 && out[1] == out[0] && out[2] == 0.9);
    assert_int_equal(holm_adjust((double[]){ 0.7, 0.8 }, 2, out), 0);
    assert_true(out[0] == 1 && out[1] == 1);
    assert_int_equal(holm_adjust(NULL, 0, out), 0);
}

/* What is taken at a level is what the step-down takes: the smallest, while each is at most level / (tests left). */
static void test_steps(void **state)
{
    uint64_t seed = 5;

    (void)state;
    for (int round = 0; round < 300; round++) {
        double p[12], out[12];
        size_t count = 1 + (size_t)round % 12;
        bool   taken[12] = { false };

        for (size_t i = 0; i < count; i++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
            p[i] = (double)(seed >> 40) / (double)(1 << 24) / (i % 2 ? 1 : 50);
        }
        assert_int_equal(holm_adjust(p, count, out), 0);
        for (size_t left = count; left > 0; left--) {
            size_t smallest = count;

            for (size_t i = 0; i < count; i++)
                if (!taken[i] && (smallest == count || p[i] < p[smallest])) smallest = i;
            if (p[smallest] > 0.05 / (double)left) break;
            taken[smallest] = true;
        }
        for (size_t i = 0; i < count; i++) assert_true(taken[i] == (out[i] <= 0.05));
    }
}

/* By hand: 4/4 0.04, 4/3 0.03, 4/2 0.01, 4/1 0.005, each at most what is right of it; Benjamini and Hochberg's own 15
 * tests, of which 4 are taken at 0.05. */
static void test_step_up(void **state)
{
    const double p[] = { 0.01, NAN, 0.04, 0.03, 0.005 }, right[] = { 0.02, NAN, 0.04, 0.04, 0.02 };
    const double theirs[] = { 0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
                              0.5719, 0.6528, 0.7590, 1.0 };
    double       out[15];
    size_t       taken = 0;

    (void)state;
    assert_int_equal(benjamini_hochberg(p, 5, out), 0);
    for (size_t i = 0; i < 5; i++)
        assert_true(isnan(right[i]) ? isnan(out[i]) : fabs(out[i] - right[i]) < 1e-12);
    assert_int_equal(benjamini_hochberg(theirs, 15, out), 0);
    for (size_t i = 0; i < 15; i++) taken += out[i] <= 0.05;
    assert_int_equal(taken, 4);
    assert_true(fabs(out[3] - 15.0 / 4 * 0.0095) < 1e-12 && fabs(out[14] - 1) < 1e-12);
    assert_int_equal(benjamini_hochberg(NULL, 0, out), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_known), cmocka_unit_test(test_steps),
                                        cmocka_unit_test(test_step_up) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
