/* tests/unit/dedup/dedup.c -- the whole of it: what is counted, what a second run finds there, what a later generation
 * changes. */
#include "dedup/result.h"
#include "tests/unit/dedup/world.h"

#define DOCUMENT(text, path) "{\"text\": \"" text "\", \"path\": \"" path "\"}\n"

static const char *const files[3] = { DOCUMENT("p q r", "1") DOCUMENT("q r s", "12"), DOCUMENT("r s t", "123"),
                                      DOCUMENT("t s r", "1234") DOCUMENT("alone", "12345") };

static void run(struct world *w)
{
    w->job.stats = (struct dedup_stats){ 0 };
    WORLD_DO(dedup_run(&w->job, err));
}

static void test_run(void **unused)
{
    struct world       w;
    struct dedup_stats stats;
    struct unit_key    key;
    struct err         err = { 0 };

    (void)unused;
    world_open(&w, ", keep: [path], cluster: component", files);
    run(&w);
    stats = w.job.stats;
    key = w.job.fate_key;
    assert_true(stats.documents == 5 && stats.admitted == 5 && stats.classes == 4 && stats.copies == 1 &&
                stats.verified == 2 && stats.removed == 3 && stats.clusters == 1 && stats.largest_cluster == 4 &&
                stats.removed_bytes == 15 && stats.text_bytes == 25 && stats.hot_buckets == 0);
    assert_true(w.job.totals.documents == 5 && w.job.totals.units == 3);
    run(&w);                                                /* everything is there, the numbers too */
    assert_memory_equal(&stats, &w.job.stats, sizeof stats);
    assert_memory_equal(&key, &w.job.fate_key, sizeof key);
    assert_int_equal(w.job.totals.units_reused, 3);

    assert_int_equal(stage_clear(w.r.stage, &err), 0);      /* and made again it is the same */
    run(&w);
    stats.exchanged_bytes = w.job.stats.exchanged_bytes, stats.spilled_bytes = w.job.stats.spilled_bytes;
    assert_memory_equal(&stats, &w.job.stats, sizeof stats);
    world_close(&w);
}

static void in_work(const struct world *w, const char *command)
{
    char whole[512];

    snprintf(whole, sizeof whole, "cd %s/work && %s", w->r.output, command);
    assert_int_equal(system(whole), 0);
}

/* The numbers that are left when some units are gone: those of a run that was whole. */
static void assert_stats(struct world *w, struct dedup_stats stats)
{
    run(w);
    stats.exchanged_bytes = w->job.stats.exchanged_bytes, stats.spilled_bytes = w->job.stats.spilled_bytes;
    assert_memory_equal(&stats, &w->job.stats, sizeof stats);
}

/* All that rank 0 reads is there. */
static void world_result(struct world *w)
{
    struct dedup_result result;

    WORLD_DO(dedup_result_read(&w->job, &result, err));
    assert_true(result.link_count > 0);
    dedup_result_free(&result);
}

/* What describes the result does not depend on the units that are there: a run that was killed behind its links, units
 * that were lost or damaged. */
static void test_units_lost(void **unused)
{
    static const char *const both[3] = { DOCUMENT("p q r", "1") DOCUMENT("q r s", "12") DOCUMENT("p q s", "13"),
                                         DOCUMENT("r s t", "123"), DOCUMENT("t s r", "1234") DOCUMENT("q r t", "1") };
    struct world       w;
    static const char *const lost[] = {
        "rm stats-*", "rm stats-* fate-*", "rm links-*", "rm buckets-*", "rm -f stats-* buckets-*", "rm fate-*",
        "rm stats-* links-*",
        "for f in links-*; do printf damage | dd of=$f bs=1 seek=70 conv=notrunc 2>/dev/null; done",
        "for f in stats-*; do printf x | dd of=$f bs=1 seek=99 conv=notrunc 2>/dev/null; done",
        "rm stats-* && for f in buckets-*; do printf x | dd of=$f bs=1 seek=99 conv=notrunc 2>/dev/null; done",
        "rm columns-* links-*" };
    struct dedup_stats stats;

    (void)unused;
    world_open(&w, ", measure: 10, bucket_cap: 2, min_tokens: 1", both);
    run(&w);
    stats = w.job.stats;
    assert_true(stats.hot_buckets > 0 && stats.hot_members > 0 && stats.mutants > 0 && stats.verified > 0);
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
        in_work(&w, lost[i]);
        assert_stats(&w, stats);
        world_result(&w);
    }
    world_close(&w);
}

/* Threads and memory change nothing; a threshold does. */
static void test_same(void **unused)
{
    struct world w;

    (void)unused;
    world_open(&w, ", keep: [path]", files);
    w.r.run.threads = 1;
    w.r.run.memory = 1;
    run(&w);
    assert_true(w.job.stats.removed == 2 && w.job.stats.clusters == 2 && w.job.stats.verified == 2);
    world_close(&w);
    world_open(&w, ", keep: [path], containment: 0.6", files);
    run(&w);
    assert_true(w.job.stats.verified == 2);
    world_close(&w);
    world_open(&w, ", keep: [path], multiset_threshold: 0.6", files);
    run(&w);
    assert_true(w.job.stats.verified == 0 && w.job.stats.removed == 1);         /* the copy */
    world_close(&w);
}

static void test_names(void **unused)
{
    (void)unused;
    for (int stage = 0; stage < DEDUP_STAGES; stage++) {
        assert_non_null(dedup_stage_names[stage]);
        for (int other = 0; other < stage; other++)
            assert_string_not_equal(dedup_stage_names[stage], dedup_stage_names[other]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_run), cmocka_unit_test(test_units_lost),
                                        cmocka_unit_test(test_same), cmocka_unit_test(test_names) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
