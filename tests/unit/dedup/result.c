/* tests/unit/dedup/result.c -- what a run found, read back: who is not alone, links, counts by split and language. */
#include "dedup/result.h"
#include "tests/unit/dedup/world.h"

#define DOCUMENT(text, path) "{\"text\": \"" text "\", \"path\": \"" path "\", \"language\": \"verse\"}\n"

static void test_result(void **unused)
{
    struct world        w;
    struct dedup_result result;
    struct err          err = { 0 };

    (void)unused;
    /* ordinals 0, 1: a; 2: b; 3, 4: c */
    world_open(&w, ", keep: [path], cluster: star, across_languages: true", (const char *const[3]){
        DOCUMENT("p q r", "1") "{\"bad\": 1}\n" DOCUMENT("q r s", "12"), DOCUMENT("alone", "123"),
        DOCUMENT("s r q", "1234") DOCUMENT("r s t", "12345") });
    w.job.stats = (struct dedup_stats){ 0 };
    if (dedup_run(&w.job, &err) < 0) fail_msg("%s", err.text);
    if (dedup_result_read(&w.job, &result, &err) < 0) fail_msg("%s", err.text);

    assert_int_equal(result.document_count, 4);
    assert_true(result.document[0].ordinal == 0 && result.document[1].ordinal == 1 &&
                result.document[2].ordinal == 3 && result.document[3].ordinal == 4);
    assert_true(result.document[1].fate.canonical == 0 && result.document[1].fate.removed &&
                result.document[1].row->record == 2 && result.document[1].dataset == 0);
    assert_true(result.document[2].fate.representative == 1 && result.document[2].fate.canonical == 0 &&
                result.document[2].shard == 2 && result.document[2].distinct == 3 && result.document[2].admitted);
    /* it has a pair, and stays: the document it is similar to does not */
    assert_true(result.document[3].fate.canonical == 4 && result.document[3].fate.size == 1 &&
                !result.document[3].fate.removed);
    assert_true(slice_equal(dedup_string(&result.document[2], result.document[2].row->path), SLICE("1234")));
    assert_true(result.document[0].raw.low == content_hash_raw(SLICE("p q r")).low);

    assert_int_equal(result.link_count, 2);
    assert_true(result.link[0].first == 0 && result.link[0].second == 1 && result.link[1].first == 1 &&
                result.link[1].second == 4);
    assert_int_equal(result.cell_count, 3);
    assert_true(result.cell[0].documents == 2 && result.cell[0].removed == 1 && result.cell[0].rejected == 1 &&
                result.cell[0].bytes == 10 && result.cell[0].removed_bytes == 5);
    assert_true(result.cell[1].documents == 1 && result.cell[1].removed == 0);
    assert_true(result.cell[2].dataset == 2 && result.cell[2].removed == 1);
    assert_true(slice_equal(result.cell[2].language, SLICE("text")) && result.cell[2].split.len == 0);
    assert_true(result.shard[0].documents == 2 && result.shard[0].rejected == 1 && result.shard[0].xxh3);
    assert_true(result.shard[0].removed == 1 && result.shard[1].removed == 0 && result.shard[2].removed == 1);
    assert_int_equal(result.reject_count, 1);
    assert_true(result.reject[0].shard == 0 && result.reject[0].reject.record == 1);
    dedup_result_free(&result);
    assert_null(result.document);

    assert_int_equal(stage_clear(w.r.stage, &err), 0);
    assert_true(dedup_result_read(&w.job, &result, &err) < 0);
    dedup_result_free(&result);
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_result) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
