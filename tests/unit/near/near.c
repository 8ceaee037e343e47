/* tests/unit/near/near.c -- the stages of the join: what each depends on, what is done once, what does not fit. */
#include "tests/unit/near/small_join.h"

static const char bench[] = "{\"text\": \"a b c d e\"}\n{\"text\": \"a b\"}\n";
static const char own[] = "{\"text\": \"a b c d e f\"}\n";

static void test_stages(void **unused)
{
    struct near_index index;
    struct err        err = { 0 };
    char              path[160];

    (void)unused;
    small_join("", bench, own, own);
    small_prepare();
    assert_int_equal(job->totals.documents, 3);             /* resident ones; the streamed come with the pass */
    assert_int_equal(job->benchmarks->classes, 1);
    assert_int_equal(near_index_open(small.stage, near_index_key(job, INDEX_RESIDENTS), &index, &err), 1);
    assert_int_equal(index.classes, 2);                     /* with those of the corpus */
    near_index_close(&index);
    near_release(job);
    snprintf(path, sizeof path, "%s/b.jsonl", small.folder);
    assert_int_equal(unlink(path), 0);                      /* all is committed: nothing is read again */
    small_prepare();
    near_release(job);
    assert_int_equal(stage_clear(small.stage, &err), 0);
    assert_true(near_prepare(job, &err) < 0);
    assert_non_null(strstr(err.text, "b.jsonl"));
    small_end();
}

static void test_takes(void **unused)
{
    (void)unused;
    small_join("", bench, own, own);
    for (size_t d = 0; d < 3; d++) {
        assert_int_equal(near_resident(&small.config.datasets[d]), d < 2);
        assert_int_equal(near_collector(job).takes(job, &small.config.datasets[d]), d < 2);
        assert_int_equal(near_scanner(job).takes(job, &small.config.datasets[d]), d == 2);
    }
    assert_true(near_collector(job).min_tokens == 1 && near_scanner(job).min_tokens == 3);
    small_end();
}

/* Rows depend on the view; the index on the thresholds too. */
static void test_keys(void **unused)
{
    struct near_options *o;
    struct unit_key      rows, index;

    (void)unused;
    small_join("", bench, own, own);
    o = &near_task(&small.config)->options;
    rows = near_collector(job).key;
    index = near_index_key(job, INDEX_BENCHMARKS);
    assert_true(near_index_key(job, INDEX_RESIDENTS).low != index.low);
    o->report_floor = (struct ratio){ 1, 2 };
    assert_true(near_collector(job).key.low == rows.low && near_index_key(job, INDEX_BENCHMARKS).low != index.low);
    o->report_floor = (struct ratio){ 0, 0 };
    o->max_matches = 5;                                     /* of the result alone */
    o->pairs_all = true;
    assert_true(near_collector(job).key.low == rows.low && near_index_key(job, INDEX_BENCHMARKS).low == index.low);
    o->view.n = 2;
    assert_true(near_collector(job).key.low != rows.low && near_index_key(job, INDEX_BENCHMARKS).low != index.low);
    small_end();
}

static void test_memory(void **unused)
{
    const struct near_index *index;
    uint64_t                 least;
    struct err               err = { 0 };

    (void)unused;
    small_join("", bench, own, own);
    small.run.memory = 100;
    assert_int_equal(near_prepare(job, &err), -ENOMEM);
    assert_non_null(strstr(err.text, "more than `memory`"));
    small_end();
    small_join("", bench, NULL, own);
    small.run.threads = 32;                                 /* each of them needs something of the index */
    for (least = 100; small.run.memory = least, near_prepare(job, &err) < 0; least += 100) {
        assert_non_null(strstr(err.text, "more than `memory`"));
        near_release(job);
    }
    index = job->benchmarks;                                /* that is not known before they are read: no run ends */
    assert_true(index->features && match_need(index) > 4 * index->features + 12 * index->classes);
    assert_true(least < index->file.bytes + 32 * match_need(index));
    small_end();
}

static void test_turned(void **unused)
{
    const struct near_link link = { 3, 5, NEAR_FIRST_INSIDE | NEAR_ABOVE_FLOOR, 1, 2, 3, 4 };
    const struct near_link turned = near_link_turned(link), again = near_link_turned(turned);

    (void)unused;
    assert_true(turned.first == 5 && turned.second == 3 && turned.marks == (NEAR_SECOND_INSIDE | NEAR_ABOVE_FLOOR));
    assert_memory_equal(&link, &again, sizeof link);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_stages), cmocka_unit_test(test_takes),
                                        cmocka_unit_test(test_keys), cmocka_unit_test(test_memory),
                                        cmocka_unit_test(test_turned) };

    return SMALL_KERNELS() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
