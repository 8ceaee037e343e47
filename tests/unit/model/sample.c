/* tests/unit/model/sample.c -- the choice of a token against the same choice from a sorted list. */
#include "model/sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { MOST = 300, BAD = 200000 };

static uint64_t state = 1;

static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)((state >> 33) % below);
}

/* 10 - 9 step / 20 below step 20, then 1; and 20 falling by 1 a token to 1. */
static void temperatures(void **unused)
{
    const struct model_sampling published = { .temperature = 1, .decay_from = 10, .decay_tokens = 20 };
    const struct model_sampling paper = { .temperature = 1, .decay_from = 20, .decay_tokens = 19 };
    const struct model_sampling steady = { .temperature = 0.7, .decay_from = 5 };

    (void)unused;
    for (uint32_t step = 0; step < 40; step++) {
        assert_true(fabs(sample_temperature(&published, step) - (step < 20 ? 10 - 9.0 * step / 20 : 1)) < 1e-12);
        assert_true(fabs(sample_temperature(&paper, step) - (step < 19 ? 20.0 - step : 1)) < 1e-12);
        assert_true(fabs(sample_temperature(&steady, step) - 0.7) < 1e-15);
    }
}

static void uniform_numbers(void **unused)
{
    int bin[20] = { 0 };

    (void)unused;
    for (uint32_t i = 0; i < 20000; i++) {
        double u = sample_uniform(i % 7, i / 7, i % 3);

        assert_true(u >= 0 && u < 1);
        bin[(int)(u * 20)]++;
    }
    for (int i = 0; i < 20; i++) assert_in_range(bin[i], 850, 1150);
    assert_true(sample_uniform(1, 2, 3) == sample_uniform(1, 2, 3));
    assert_true(sample_uniform(1, 2, 3) != sample_uniform(2, 2, 3) &&
                sample_uniform(1, 2, 3) != sample_uniform(1, 3, 3));
    assert_true(sample_uniform(1, 2, 3) != sample_uniform(1, 2, 4) &&
                sample_uniform(0, 1, 0) != sample_uniform(1, 0, 0));
}

static int compare(const void *a, const void *b)
{
    const struct sample_candidate *left = a, *right = b;

    if (left->logprob > right->logprob) return -1;
    if (left->logprob < right->logprob) return 1;
    return left->id < right->id ? -1 : 1;
}

/* The same by the letter of the header.  UINT32_MAX where rounding may decide. */
static uint32_t sorted_pick(struct sample_candidate *c, size_t count, const struct model_sampling *s, uint32_t step)
{
    double temperature = sample_temperature(s, step), all = 0, sum = 0, target;
    size_t kept = 0;

    qsort(c, count, sizeof *c, compare);
    if (!(temperature > 0)) return c[0].id;
    if (s->top_k && s->top_k < count) count = s->top_k;
    for (size_t i = 0; i < count; i++) all += exp((c[i].logprob - c[0].logprob) / temperature);
    while (kept < count && sum < s->top_p * all) {
        sum += exp((c[kept++].logprob - c[0].logprob) / temperature);
        if (s->top_p < 1 && fabs(sum - s->top_p * all) < 1e-9 * all) return UINT32_MAX;
    }
    target = (1 - sample_uniform(s->seed, step, 0)) * sum;
    sum = 0;
    for (size_t i = 0; i < kept; i++) {
        sum += exp((c[i].logprob - c[0].logprob) / temperature);
        if (fabs(sum - target) < 1e-9 * all && i + 1 < kept) return UINT32_MAX;
        if (sum >= target) return c[i].id;
    }
    return c[kept - 1].id;
}

static void picks(void **unused)
{
    struct sample_candidate c[MOST], copy[MOST];
    int                     open = 0;

    (void)unused;
    for (int round = 0; round < 20000; round++) {
        size_t                count = 1 + draw(draw(4) ? 12 : MOST);
        struct model_sampling s = { .temperature = draw(5) ? 0.1 + draw(30) / 10.0 : 0, .top_k = draw(2) ? draw(20) : 0,
                                    .top_p = draw(2) ? 1 : (1 + draw(99)) / 100.0,
                                    .decay_from = 9, .decay_tokens = draw(3) ? 0 : 20, .seed = draw(1000) };
        uint32_t              step = draw(30), wanted, got;
        double                shift = draw(2) ? 0 : (double)draw(2000) - 1000;

        for (size_t i = 0; i < count; i++) {
            /* many are equal */
            c[i] = (struct sample_candidate){ (uint32_t)i * 7 % 2003, shift - draw(draw(2) ? 5 : 1000) / 100.0 };
            if (i && draw(9) == 0) c[i].logprob = draw(2) ? -INFINITY : NAN;
            copy[i] = c[i];
            if (isnan(copy[i].logprob)) copy[i].logprob = -INFINITY;
        }
        wanted = sorted_pick(copy, count, &s, step);
        got = sample_pick(c, count, &s, step);
        if (wanted == UINT32_MAX) open++;
        else if (got != wanted) fail_msg("round %d: %u, not %u", round, got, wanted);
    }
    assert_true(open < 2000);
}

static void extremes(void **unused)
{
    struct model_sampling   s = { .temperature = 1, .top_p = 1 };
    struct sample_candidate none[] = { { 9, -INFINITY }, { 4, NAN }, { 5, -INFINITY } },
        one[] = { { 3, INFINITY }, { 1, 0 } };
    int                     seen[3] = { 0 };

    (void)unused;
    assert_int_equal(sample_pick(none, 3, &s, 0), 4);       /* nothing is possible: the smallest id */
    assert_int_equal(sample_pick(one, 2, &s, 0), 3);
    for (uint32_t step = 0; step < 3000; step++) {          /* as often as their weights say */
        struct sample_candidate c[] = { { 0, log(0.5) }, { 1, log(0.3) }, { 2, log(0.2) } };

        seen[sample_pick(c, 3, &s, step)]++;
    }
    assert_in_range(seen[0], 1400, 1600);
    assert_in_range(seen[1], 810, 990);
    /* what has no probability is never drawn, however hot it is */
    for (uint32_t step = 0; step < 200; step++) {
        struct sample_candidate c[] = { { 0, -1000 }, { 1, -INFINITY }, { 2, -1 } };
        struct model_sampling   hot = { .temperature = 1e6, .top_p = 1, .seed = step };

        assert_int_not_equal(sample_pick(c, 3, &hot, step), 1);
    }
}

/* In this order each median of the first, middle and last is the second of what is left, which takes a partition for
 * every two: quadratic time without sorting. */
static void bad_order(struct sample_candidate *c, size_t count)
{
    const size_t last = count - 1;
    uint32_t     id = (uint32_t)count;

    for (size_t from = last; from > 0; from = from > 2 ? from - 2 : 0) {
        if (from == last) {
            c[last] = (struct sample_candidate){ id, 0 };
            id--;
            continue;
        }
        c[from + 1] = c[last];
        c[from] = (struct sample_candidate){ id - 1, 0 };
        c[last] = (struct sample_candidate){ id, 0 };
        id -= 2;
    }
    for (size_t i = 0; i < count; i++) c[i].logprob = -1e-5 * c[i].id;
}

static void bad_orders(void **unused)
{
    static const struct model_sampling ways[] = {
        { .temperature = 1, .top_p = 1, .top_k = BAD - 2 }, { .temperature = 1, .top_p = .999 },
        { .temperature = 1, .top_p = 1 },
    };
    struct sample_candidate *c = calloc(BAD, sizeof *c), *copy = calloc(BAD, sizeof *copy);

    (void)unused;
    assert_true(c && copy);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const size_t first = ways[i].top_k > 0;             /* what top_k leaves out of its search */
        clock_t      started;
        uint32_t     got, wanted;

        c[0] = (struct sample_candidate){ 0, 0 };
        bad_order(c + first, BAD - first);
        memcpy(copy, c, BAD * sizeof *c);
        started = clock();
        got = sample_pick(c, BAD, &ways[i], 1);
        assert_true(clock() - started < 2 * CLOCKS_PER_SEC);
        wanted = sorted_pick(copy, BAD, &ways[i], 1);
        assert_true(wanted == got || wanted == UINT32_MAX);
    }
    free(c);
    free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(temperatures), cmocka_unit_test(uniform_numbers),
                                        cmocka_unit_test(picks), cmocka_unit_test(extremes),
                                        cmocka_unit_test(bad_orders) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
