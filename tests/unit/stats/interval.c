/* tests/unit/stats/interval.c -- intervals against textbook values and against what defines them. */
#include "stats/interval.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <cmocka.h>

static double square(double x) { return x * x; }

/* Textbook values, and what defines the interval: at its ends the observed share is z standard errors away. */
static void test_wilson(void **state)
{
    static const struct { uint64_t hits, trials; double low, high; } known[] = {
        { 0, 0, 0, 1 }, { 0, 10, 0, 0.27753 }, { 10, 10, 0.72247, 1 }, { 5, 10, 0.23659, 0.76341 },
        { 81, 263, 0.25529, 0.36621 }, { 990, 1000, 0.98169, 0.99456 },
        { 12, 10, 0.72247, 1 },
    };
    double low, high;

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        wilson_interval(known[i].hits, known[i].trials, &low, &high);
        assert_true(fabs(low - known[i].low) < 1e-5 && fabs(high - known[i].high) < 1e-5);
    }
    for (uint64_t trials = 1; trials < 3000; trials += 1 + trials / 7) {
        for (uint64_t hits = 0; hits <= trials; hits++) {
            double share = (double)hits / (double)trials, n = (double)trials, z = 1.959963984540054;

            wilson_interval(hits, trials, &low, &high);
            assert_true(0 <= low && low <= share && share <= high && high <= 1);
            assert_true((low == 0) == (hits == 0) && (high == 1) == (hits == trials));
            if (hits > 0) assert_true(fabs(square(share - low) - square(z) * low * (1 - low) / n) < 1e-12);
            if (hits < trials) assert_true(fabs(square(share - high) - square(z) * high * (1 - high) / n) < 1e-12);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_wilson) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
