/* tests/unit/view/curve.c -- the S-curve against published settings and wider arithmetic, and the settings that are
 * chosen. */
#include "view/curve.h"

#include "view/signature.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void published_settings(void **state)
{
    static const double index[] = { 0.5, 0.6, 0.7, 0.8, 0.85, 0.9 };
    static const struct { uint32_t bands, rows; double candidate[6]; } setting[] = {
        { 14, 8, { .053, .211, .565, .924, .988, 1.000 } },   { 20, 13, { .002, .026, .177, .677, .924, .997 } },
        { 25, 10, { .024, .141, .511, .942, .996, 1.000 } },  { 15, 15, { .000, .007, .069, .416, .746, .969 } },
        { 26, 11, { .013, .090, .405, .903, .991, 1.000 } },  { 20, 5, { .470, .802, .975, 1.000, 1.000, 1.000 } },
        { 9, 13, { .001, .012, .084, .399, .686, .929 } },    { 8, 16, { .000, .002, .026, .204, .461, .806 } },
        { 450, 20, { .000, .016, .302, .995, 1.000, 1.000 } }, { 32, 8, { .118, .418, .850, .997, 1.000, 1.000 } },
    };

    (void)state;
    for (size_t s = 0; s < sizeof setting / sizeof *setting; s++) {
        double knee = curve_knee(setting[s].bands, setting[s].rows);

        assert_true(fabs(curve_candidate(knee, setting[s].bands, setting[s].rows) - 0.5) < 1e-13);
        for (size_t j = 0; j < 6; j++)
            if (fabs(curve_candidate(index[j], setting[s].bands, setting[s].rows) - setting[s].candidate[j]) > 0.000501)
                fail_msg("%u x %u at %.2f", setting[s].bands, setting[s].rows, index[j]);
    }
    assert_true(fabs(curve_knee(14, 8) - 0.6847) < 0.00005);
    assert_true(fabs(curve_knee(1, 1) - 0.5) < 1e-15);
}

static long double power(long double base, uint32_t exponent)
{
    long double product = 1;

    while (exponent--) product *= base;
    return product;
}

/* Chances of 10^-18 and complements of 10^-12 keep their digits.  The sum of (1 - q)^i q over bands is the same curve
 * without subtraction. */
static void no_digits_are_lost(void **state)
{
    static const double   index[] = { 1e-9, 1e-4, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999999, 1 - 1e-12 };
    static const uint32_t shape[][2] = { { 1, 1 }, { 1, 2 }, { 2, 1 }, { 37, 6 }, { 9, 13 }, { 450, 20 }, { 512, 1 },
                                         { 1, 512 } };

    (void)state;
    for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) {
        assert_true(curve_candidate(0, shape[s][0], shape[s][1]) == 0);
        assert_true(curve_candidate(1, shape[s][0], shape[s][1]) == 1);
        for (size_t j = 0; j < sizeof index / sizeof *index; j++) {
            long double equal = power(index[j], shape[s][1]), differ = 1, sum = 0;
            double      candidate = curve_candidate(index[j], shape[s][0], shape[s][1]);

            for (uint32_t i = 0; i < shape[s][0]; i++) {
                sum += differ * equal;
                differ *= 1 - equal;
            }
            if (sum < 1e-300L) assert_true(candidate <= 1e-290);
            else if (fabsl(candidate - sum) > 1e-12L * sum)
                fail_msg("%u x %u at %.12g: %.17g, not %.17Lg", shape[s][0], shape[s][1], index[j], candidate, sum);
        }
    }
}

static void chosen_settings(void **state)
{
    static const struct { double threshold, recall; uint32_t bands, rows; } chosen[] = {
        { .5, .95, 47, 4 },   { .5, .99, 35, 3 },   { .5, .999, 52, 3 },
        { .6, .95, 38, 5 },   { .6, .99, 34, 4 },   { .6, .999, 50, 4 },
        { .7, .95, 35, 7 },   { .7, .99, 37, 6 },   { .7, .999, 38, 5 },
        { .8, .95, 21, 9 },   { .8, .99, 26, 8 },   { .8, .999, 30, 7 },
        { .85, .95, 20, 12 }, { .85, .99, 22, 10 }, { .85, .999, 27, 9 },
        { .9, .95, 13, 15 },  { .9, .99, 18, 14 },  { .9, .999, 21, 12 },
        { .02, .999, 342, 1 },                              /* 256 lanes do not reach it */
    };

    (void)state;
    for (size_t c = 0; c < sizeof chosen / sizeof *chosen; c++) {
        uint32_t   bands = 0, rows = 0;
        struct err err = { 0 };

        assert_int_equal(curve_choose(chosen[c].threshold, chosen[c].recall, 0, &bands, &rows, &err), 0);
        if (bands != chosen[c].bands || rows != chosen[c].rows)
            fail_msg("%.2f at %.3f: %u x %u, not %u x %u", chosen[c].threshold, chosen[c].recall, bands, rows,
                     chosen[c].bands, chosen[c].rows);
    }
}

/* Whatever is wanted: the recall is reached, one band less would not reach it, the lanes are no more than allowed; and
 * where it is refused, nothing reaches it. */
static void choices_hold_what_they_promise(void **state)
{
    static const uint32_t hashes[] = { 0, 1, 7, 16, 64, 128, 222, 256, 300, 512 };
    int                   refused = 0;

    (void)state;
    for (size_t h = 0; h < sizeof hashes / sizeof *hashes; h++)
        for (double threshold = 0.01; threshold < 0.995; threshold += 0.07)
            for (double recall = 0.5; recall < 0.9999; recall = 1 - (1 - recall) / 3) {
                uint32_t   bands = 0, rows = 0, most = hashes[h] ? hashes[h] : SIGNATURE_LANES_MAX;
                struct err err = { 0 };
                int        status = curve_choose(threshold, recall, hashes[h], &bands, &rows, &err);

                if (status < 0) {
                    assert_int_equal(status, -ERANGE);
                    assert_int_equal(err.code, -ERANGE);
                    assert_true(curve_candidate(threshold, most, 1) < recall);
                    refused++;
                    continue;
                }
                assert_true(bands > 0 && rows > 0 && bands * rows <= most);
                assert_true(curve_candidate(threshold, bands, rows) > recall - 1e-8);
                assert_true(bands == 1 || curve_candidate(threshold, bands - 1, rows) < recall);
                if (hashes[h] == 0 && bands * rows > 256)
                    assert_true(curve_candidate(threshold, 256, 1) < recall);
            }
    assert_true(refused > 10);
}

static void impossible_wishes(void **state)
{
    static const double bad[][2] = { { 0, .9 }, { -1, .9 }, { 1.01, .9 }, { .7, 0 }, { .7, 1 }, { .7, 1.5 },
                                     { NAN, .9 }, { .7, NAN } };
    uint32_t            bands = 0, rows = 0;
    struct err          err = { 0 };

    (void)state;
    assert_int_equal(curve_choose(0.1, 0.99, 20, &bands, &rows, &err), -ERANGE);
    assert_non_null(strstr(err.text, "20 hashes catch at most 0.878"));     /* 1 - 0.9^20 */
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        err.code = 0;
        assert_int_equal(curve_choose(bad[i][0], bad[i][1], 0, &bands, &rows, &err), -EINVAL);
        assert_int_equal(err.code, -EINVAL);
    }
    assert_int_equal(curve_choose(0.7, 0.99, SIGNATURE_LANES_MAX + 1, &bands, &rows, &err), -EINVAL);
    assert_true(bands == 0 && rows == 0);
}

static void verdicts(void **state)
{
    struct curve_verdict verdict = curve_judge(0.8, 128, 9, 13);

    (void)state;
    assert_true(verdict.misses_much);
    assert_int_equal(verdict.wasted_hashes, 11);
    assert_true(fabs(verdict.recall - 0.399) < 0.0005);

    verdict = curve_judge(0.7, 0, 37, 6);                   /* hashes not given: none wasted */
    assert_false(verdict.misses_much);
    assert_int_equal(verdict.wasted_hashes, 0);
    assert_int_equal(curve_judge(0.7, 256, 37, 6).wasted_hashes, 34);
    assert_int_equal(curve_judge(0.7, 222, 37, 6).wasted_hashes, 0);
    assert_true(curve_judge(0.8, 250, 25, 10).misses_much);                 /* 94.2 % */
    assert_false(curve_judge(0.85, 250, 25, 10).misses_much);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_settings), cmocka_unit_test(no_digits_are_lost), cmocka_unit_test(chosen_settings),
        cmocka_unit_test(choices_hold_what_they_promise), cmocka_unit_test(impossible_wishes),
            cmocka_unit_test(verdicts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
