/* tests/unit/learn/score.c -- shares of answers, and what is not defined. */
#include "learn/score.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void test_counts(void **unused)
{
    const uint8_t       said[] = { 1, 1, 1, 0, 0, 1, 0, 0, 0, 1 }, truth[] = { 1, 1, 0, 0, 1, 1, 0, 0, 0, 0 };
    struct learn_scores s = learn_score(said, truth, 10);

    (void)unused;
    assert_true(s.tp == 3 && s.fp == 2 && s.tn == 4 && s.fn == 1);
    assert_true(s.precision == 0.6 && s.recall == 0.75 && s.accuracy == 0.7);
    assert_true(s.f1 == 6.0 / 9 && s.specificity == 4.0 / 6);
}

static void test_undefined(void **unused)
{
    struct learn_scores s = learn_scores_of(0, 0, 5, 0);

    (void)unused;
    assert_true(isnan(s.precision) && isnan(s.recall) && isnan(s.f1) && s.accuracy == 1 && s.specificity == 1);
    s = learn_scores_of(0, 0, 0, 2);
    assert_true(isnan(s.precision) && s.recall == 0 && s.f1 == 0 && isnan(s.specificity));
    assert_true(isnan(learn_score(NULL, NULL, 0).accuracy));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_counts), cmocka_unit_test(test_undefined) };

    return cmocka_run_group_tests_name("learn/score", tests, NULL, NULL);
}
