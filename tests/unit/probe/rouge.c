/* tests/unit/probe/rouge.c -- ROUGE-L against the published examples, and by hand. */
#include "probe/metric.h"

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

static double rouge_of(const char *predicted, const char *reference)
{
    struct err err = { 0 };
    double     value = -1;

    assert_int_equal(rouge_l(slice_of(predicted), slice_of(reference), &value, &err), 0);
    return value;
}

static void test_published(void **unused)
{
    (void)unused;
    close_to(rouge_of(" boys, how many students", " boys.  How many"), 0.857143, 1e-6);
    close_to(rouge_of(" to 2 * ", " to 2 x "), 0.8, 1e-6);
    close_to(rouge_of("16 beakers.\n", "16 Petri dishes"), 0.4, 1e-6);
    close_to(rouge_of(" He bought 12", " He bought 3 more"), 0.571429, 1e-6);
}

/* 2 * common / (words of one + words of the other); common: of the longest common subsequence. */
static void test_by_hand(void **unused)
{
    (void)unused;
    close_to(rouge_of("a b c d", "a c b d"), 2.0 * 3 / 8, 1e-12);
    close_to(rouge_of("a b", "b a"), 2.0 * 1 / 4, 1e-12);
    close_to(rouge_of("a a a", "a"), 2.0 * 1 / 4, 1e-12);
    close_to(rouge_of("x A_b", "a-B X"), 2.0 * 2 / 6, 1e-12);           /* `_` stands between words, too */
    close_to(rouge_of("\xC3\xA4 1", "1"), 1, 1e-12);        /* no word beyond ASCII */
    close_to(rouge_of("", ""), 0, 0);
    close_to(rouge_of("a", ""), 0, 0);
    close_to(rouge_of("a", "b"), 0, 0);
    /* words of more than three letters are stemmed, shorter ones are not */
    close_to(rouge_of("Running runs", "run"), 2.0 / 3, 1e-12);
    close_to(rouge_of("ties", "tie"), 1, 1e-12);
    close_to(rouge_of("ands", "and"), 1, 1e-12);
    close_to(rouge_of("its", "it"), 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published), cmocka_unit_test(test_by_hand),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
