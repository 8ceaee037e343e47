/* tests/unit/dedup/plan.c -- numbers of a forecast worked out by hand, and when the user is warned. */
#include "dedup/plan.h"

#include "view/curve.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void close_to(double value, double wanted)
{
    if (fabs(value - wanted) > 1e-9 * fabs(wanted) + 1e-12) fail_msg("%.17g is not %.17g", value, wanted);
}

static void test_numbers(void **unused)
{
    struct sample_dataset         dataset = { .shards = 2, .bytes = 1000, .shards_read = 2, .bytes_read = 1000,
                                              .documents = 100, .admitted = 90, .text_bytes = 5000,
                                              .decoded_bytes = 8000, .distinct = 700, .seconds = 12, .whole = true };
    struct sample_keys_dataset    of_keys = { .repeats = 25, .repeated_bytes = 1000, .records_prefix = 400,
                                              .records_lsh = 100, .brief = 5, .brief_distinct = 500 };
    const struct sampled          sample = { .dataset = &dataset };
    const struct dedup_options    options = { .threshold = { 7, 10 }, .bands = 20, .rows = 5 };
    const struct sample_keys      keys = { .options = &options, .sample = &sample, .dataset = &of_keys, .pairs = 30,
                                           .brief = { 50, 20, { 12, 4 } },
                                           .packed_from = 1000, .packed_to = 250, .pack_seconds = 2 };
    const struct forecast_machine machine = { .ranks = 2, .threads = 3, .memory = 4200 };
    struct dedup_plan             plan;

    (void)unused;
    plan_dedup(&keys, 1, &machine, &plan);
    assert_true(plan.whole);
    close_to(plan.documents, 100);
    close_to(plan.pairs_least, 30);
    close_to(plan.pairs_most, 30);
    close_to(plan.column_bytes, 8 * (200 + 5 * (20 + 12)) + 200 * 100);
    close_to(plan.brief, 5);
    close_to(plan.again_bytes, 8 * 500);
    close_to(plan.state_bytes, 32 * 100 / 2);
    close_to(plan.matched_least, 36 * 25);                  /* of rank 0, however many there are */
    close_to(plan.matched_most, 36 * 100);
    close_to(plan.exchanged_bytes, 16 * 500 / 2.0);
    close_to(plan.spilled_bytes, 16 * 500 - 2 * (4200 - 1600));         /* what both ranks have no room for */
    close_to(plan.seconds[PLAN_READ], 12 / 6.0);
    close_to(plan.seconds[PLAN_EXCHANGE], 500 / 10e6 / 6);
    close_to(plan.seconds[PLAN_VERIFY], 30 / 1e6 / 6 + 0.5 * 12 / 6);        /* a second look at the shards */
    close_to(plan.written_bytes, 8000 * 0.8 * 0.25);        /* without what repeats, compressed */
    close_to(plan.seconds[PLAN_WRITE], 6400 * 0.002 / 6);
    close_to(plan.recall, curve_candidate(0.7, 20, 5));

    /* long documents that do not have most of the features are no reason to read shards again */
    of_keys.brief_distinct = 400;
    plan_dedup(&keys, 1, &machine, &plan);
    close_to(plan.column_bytes, 8 * 700 + 200 * 100);
    assert_true(plan.brief == 0 && plan.again_bytes == 0);
    close_to(plan.seconds[PLAN_VERIFY], 30 / 1e6 / 6);
    of_keys.brief_distinct = 500;

    /* a quarter was read: counts are four times, pairs four to sixteen times as many */
    dataset.bytes_read = 250, dataset.whole = false;
    plan_dedup(&keys, 1, &machine, &plan);
    assert_false(plan.whole);
    close_to(plan.documents, 400);
    close_to(plan.pairs_least, 120);
    close_to(plan.pairs_most, 480);
}

static void assert_warned(struct dedup_options options, struct dedup_plan plan, const char *const *parts)
{
    const struct forecast_machine machine = { .ranks = 1, .threads = 1, .memory = 1000 };
    char                          text[FORECAST_WARNING];
    size_t                        i = 0;

    plan.recall = curve_candidate(0.7, options.bands, options.rows);
    options.threshold = (struct ratio){ 7, 10 };
    for (; parts[i]; i++) {
        const size_t len = plan_warning(&plan, &options, &machine, i, text);

        if (!len || len != strlen(text) || !strstr(text, parts[i])) fail_msg("not warned: %s", parts[i]);
    }
    assert_int_equal(plan_warning(&plan, &options, &machine, i, text), 0);
}

#define WARNS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void test_warnings(void **unused)
{
    const struct dedup_plan plan = { .state_bytes = 1000, .matched_least = 1000, .matched_most = 9000 },
        large = { .state_bytes = 1001 }, matched = { .matched_least = 1001 };

    (void)unused;
    assert_warned((struct dedup_options){ .bands = 40, .rows = 5, .recall = 0.99 }, plan,
                  (const char *const[]){ NULL });
    assert_warned((struct dedup_options){ .bands = 9, .rows = 13, .recall = 0.99 }, plan,
                  WARNS("9 bands of 13 rows miss "));
    assert_warned((struct dedup_options){ .bands = 20, .rows = 5, .recall = 0.99 }, plan,
                  WARNS("less than the `recall` of 99.00 %"));
    assert_warned((struct dedup_options){ .bands = 40, .rows = 5, .recall = 0.99, .hashes = 210 }, large,
                  WARNS("10 of 210 hashes are wasted: 40 bands of 5 rows use 200", "needs 0 MB in each rank"));
    assert_warned((struct dedup_options){ .bands = 40, .rows = 5, .recall = 0.99 }, matched,
                  WARNS("rank 0 needs 0 MB for documents that are not alone"));
    /* all is compared: bands do not matter; half of a document is in one of 0.5 / 0.7 - 0.5 times its size */
    assert_warned((struct dedup_options){ .bands = 1, .rows = 1, .method = DEDUP_EXACT, .containment = { 1, 2 } }, plan,
                  WARNS("candidates are blind to `containment`"));
    assert_warned((struct dedup_options){ .bands = 1, .rows = 1, .method = DEDUP_EXACT, .containment = { 9, 10 } },
                  plan, WARNS("in one of more than 1.19 times its size is often missed"));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_numbers), cmocka_unit_test(test_warnings) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
