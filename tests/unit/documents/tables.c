/* documents/tables: items of benchmarks as rows of the graph, numbered over the readable documents of their dataset. */
#include "documents/tables.h"
#include "documents/task.h"
#include "tests/unit/small_run.h"

static bool is(struct slice text, const char *expected)
{
    return expected ? text.at && slice_equal(text, slice_of(expected)) : text.at == NULL;
}

static void test_items(void **state)
{
    struct small_run             r;
    struct item_job              job;
    struct item_result           result;
    struct scan_counts           counts;
    struct graph_build           build = { 0 };
    struct view_options          view = { .kind = VIEW_IDENTIFIERS };
    const struct graph_document *at;
    struct pass                  pass;
    struct err                   err = { 0 };

    (void)state;
    small_open(&r);
    small_write(&r, "a1.jsonl", "{\"text\": \"one\", \"id\": \"x\", \"path\": \"p/q.java\", \"repo\": \"r\", "
                "\"license\": \"MIT\"}\n{\"no text\": 1}\n{\"text\": \"two\"}\n");
    small_write(&r, "a2.jsonl", "{\"text\": \"t h\"}\n");
    small_write(&r, "c.jsonl", "{\"text\": \"of a corpus\"}\n");
    small_start(&r, "datasets:\n  - {name: c, role: corpus, files: c.jsonl}\n"
                "  - {name: a, role: benchmark, language: Java, splits: {train: a1.jsonl, test: a2.jsonl}}\n"
                "sensitive: {}\n");
    r.run.store_tokens = true;
    job = (struct item_job){ .run = &r.run, .view = &view };
    pass = (struct pass){ .run = &r.run };
    if (item_collect(&job, &err) < 0 || pass_add(&pass, item_collector(&job), &err) < 0 ||
        counts_read(&counts, &pass, &r.shards, &err) < 0 || item_result_read(&job, &result, &err) < 0 ||
        graph_add_items(&build, &result, &counts, &err) < 0) fail_msg("%s", err.text);

    assert_int_equal(build.graph.document_count, 3);
    at = build.graph.documents;
    assert_true(at[0].dataset == 1 && at[0].shard == 1 && at[0].record == 0 && at[0].number == 0);
    assert_true(is(at[0].split, "train") && is(at[0].language, "java") && is(at[0].source_id, "x"));
    assert_true(is(at[0].path, "p/q.java") && is(at[0].repo, "r") && is(at[0].license, "MIT"));
    assert_true(is(at[0].text, "one") && is(at[0].tokens, "[\"one\"]"));
    assert_true(at[1].record == 2 && at[1].number == 1);    /* the record between is no document */
    assert_true(is(at[1].source_id, NULL) && is(at[1].path, NULL) && is(at[1].repo, NULL) && is(at[1].license, NULL));
    assert_true(at[2].shard == 2 && at[2].record == 0 && at[2].number == 2 && is(at[2].split, "test"));
    for (int i = 0; i < 3; i++) {
        const struct content_hash raw = content_hash_raw(at[i].text);

        assert_true(at[i].hash_low == raw.low && at[i].hash_high == raw.high);
        assert_true(at[i].features == 0 && at[i].distinct == 0 && at[i].matches == 0 && !at[i].admitted);
    }
    assert_true(at[2].squeezed_low == content_hash_raw(SLICE("th")).low &&
                at[2].squeezed_high == content_hash_raw(SLICE("th")).high);
    graph_build_free(&build);
    item_result_free(&result);
    counts_free(&counts);
    small_close(&r);
}


static void test_none(void **state)
{
    const struct item_result none = { 0 };
    struct graph_build       build = { 0 };
    struct err               err = { 0 };

    (void)state;
    assert_int_equal(graph_add_items(&build, &none, NULL, &err), 0);
    assert_int_equal(build.graph.document_count, 0);
    graph_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_items), cmocka_unit_test(test_none) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
