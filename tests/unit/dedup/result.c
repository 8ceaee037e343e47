/* tests/unit/dedup/result.c -- what a run found, read back: who is not alone, links, counts by split and language. */
#include "dedup/result.h"
#include "tests/unit/dedup/world.h"
#include "tests/unit/dedup/fate_of.h"

#include <errno.h>

#define DOCUMENT(text, path) "{\"text\": \"" text "\", \"path\": \"" path "\", \"language\": \"verse\"}\n"

static void test_result(void **unused)
{
    struct world        w;
    struct dedup_result result;
    struct dedup_look   look;
    struct dedup_copy  *copy;
    size_t              copies;
    struct err          err = { 0 };

    (void)unused;
    /* ordinals 0, 1: a; 2: b; 3, 4: c */
    world_open(&w, ", keep: [path], cluster: star, across_languages: true", (const char *const[3]){
        DOCUMENT("p q r", "1") "{\"bad\": 1}\n" DOCUMENT("q r s", "12"), DOCUMENT("alone", "123"),
        DOCUMENT("s r q", "1234") DOCUMENT("r s t", "12345") });
    w.job.stats = (struct dedup_stats){ 0 };
    if (dedup_run(&w.job, &err) < 0) fail_msg("%s", err.text);
    if (dedup_result_read(&w.job, &result, &err) < 0) fail_msg("%s", err.text);

    assert_int_equal(result.listed.count, 4);
    assert_true(ranked_at(&result.listed, 0) == 0 && ranked_at(&result.listed, 1) == 1 &&
                ranked_at(&result.listed, 2) == 3 && ranked_at(&result.listed, 3) == 4);
    look = dedup_look(&result, 1);
    assert_true(result.fate[1].canonical == 0 && !result.fate[1].kept && look.row->record == 2 &&
                result.catalogue.unit[look.unit].shard == 0);
    look = dedup_look(&result, 3);
    assert_true(result.representative[2] == 1 && result.fate[2].canonical == 0 &&
                result.catalogue.unit[look.unit].shard == 2 && result.fate[2].distinct == 3 &&
                dedup_is_admitted(&result, 2));
    assert_true(slice_equal(heap_slice(look.heap, look.row->path), SLICE("1234")));
    assert_true(slice_equal((struct slice){ look.heap + look.group->language_at, look.group->language_len },
                            SLICE("text")));
    /* it has a pair, and stays: the document it is similar to does not */
    assert_true(result.fate[3].canonical == 3 && result.fate[3].size == 1 && result.fate[3].kept);
    /* the one class of several: its first, and the other one, in other bytes */
    copy = runs_records(result.copies, &copies);
    assert_int_equal(copies, 2);
    assert_true(copy[0].representative == 1 && copy[0].document == 1 && copy[1].representative == 1 &&
                copy[1].document == 2);
    assert_true(copy[0].raw.low == content_hash_raw(SLICE("q r s")).low &&
                copy[1].raw.low == content_hash_raw(SLICE("s r q")).low);

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
    dedup_result_forget(&result);
    assert_true(!result.representative && !result.copies && !result.link && result.link_count == 0);
    assert_int_equal(result.listed.count, 4);
    dedup_result_free(&result);
    assert_null(result.fate);

    /* a fate that names a document which is alone: by its class, by the one that stays */
    for (int which = 0; which < 2; which++) {
        struct dedup_fate fate[2] = { FATE(0, 0, 2, 0), FATE(which ? 1 : 2, which ? 2 : 0, 2, 1) };

        assert_int_equal(fate_commit(&w.job, 0, fate, 2, &err), 0);
        assert_int_equal(dedup_result_read(&w.job, &result, &err), -EBADMSG);
        assert_non_null(strstr(err.text, "document 2 is named by another one and not there itself"));
        dedup_result_free(&result);
    }
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
