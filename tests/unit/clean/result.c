/* tests/unit/clean/result.c -- lists and rows of what was written, in the order of the shards. */
#include "tests/unit/clean/world.h"

#define LIST  "dataset\tshard\trecord\tnumber\tsource_id\tpath\t" MATCH_COLUMNS
#define MATCH "c\t7\tc.jsonl\t8\t\tnear\t0.5\t"

static struct world w;

static int set_up(void **unused)
{
    (void)unused;
    world_open(&w, "sensitive: {kinds: key}\n");
    return 0;
}

static int tear_down(void **unused)
{
    (void)unused;
    world_close(&w);
    return 0;
}

/* The documents with these numbers of the world, all for a reason of their own. */
static void chosen(enum clean_action action, const int *d, size_t count, const struct clean_span *span, size_t spans,
                   struct clean_shards *shards)
{
    struct err err = { 0 };

    *shards = (struct clean_shards){ .job = &w.job, .output = &w.output, .folder = "out", .action = action };
    assert_int_equal(bytes_append(&shards->choices.span, span, spans * sizeof *span), 0);
    for (size_t i = 0; i < count; i++) {
        const struct clean_choice choice = { .shard = d[i] < 2 ? 0 : 1, .record = (uint64_t)world_document[d[i]].record,
                                             .hash = content_hash_raw(slice_of(world_document[d[i]].text)),
                                             .span_count = spans };
        char                      why[16];

        snprintf(why, sizeof why, "why %d", d[i]);
        assert_int_equal(choices_add(&shards->choices, &choice, slice_of(why),
                                     SLICE("c\t7\tc.jsonl\t8\t\tnear\t0.5")), 0);
    }
    if (shards_write(shards, &err) < 0) fail_msg("%s", err.text);
}

static void add(struct clean_result *result, const struct clean_shards *shards, const char *kind)
{
    struct err err = { 0 };

    if (result_add(result, shards, kind, &err) < 0) fail_msg("%s", err.text);
}

static void assert_cell(const struct graph_cleaned *cell, const char *kind, const char *split, uint64_t documents,
                        uint64_t bytes, uint64_t removed, uint64_t cut, uint64_t spans, uint64_t removed_bytes)
{
    assert_true(slice_equal(cell->kind, slice_of(kind)) && slice_equal(cell->split, slice_of(split)) &&
                slice_equal(cell->output, SLICE("out")));
    assert_int_equal(cell->documents, documents);
    assert_int_equal(cell->bytes, bytes);
    assert_int_equal(cell->removed, removed);
    assert_int_equal(cell->cut, cut);
    assert_int_equal(cell->spans, spans);
    assert_int_equal(cell->removed_bytes, removed_bytes);
}

static void assert_shard(const struct clean_result *result, size_t i, const char *kind, uint64_t kept,
                         const char *file, int64_t record)
{
    const struct graph_cleaned_shard *row = &result->shard[i];

    assert_true(i < result->shard_count && slice_equal(row->output, SLICE("out")) &&
                slice_equal(row->kind, slice_of(kind)) && row->dataset == 0 && row->shard == i % 2);
    assert_true(row->documents == 2 && row->kept == kept && row->record == record);
    assert_true(slice_equal(row->file, slice_of(file)) || (!*file && !row->file.at));
}

static void test_removed(void **unused)
{
    struct clean_result result = { 0 };
    struct clean_shards shards;

    (void)unused;
    chosen(CLEAN_REMOVE, (const int[]){ 1, 2 }, 2, NULL, 0, &shards);
    add(&result, &shards, "removed");
    shards_free(&shards);
    assert_int_equal(result.count, 2);
    assert_cell(&result.cleaned[0], "removed", "train", 2, 14 + 4, 1, 0, 0, 4);
    assert_cell(&result.cleaned[1], "removed", "test", 2, 8 + 5, 1, 0, 0, 8);
    assert_int_equal(result.shard_count, 2);
    assert_shard(&result, 0, "removed", 1, "cleaned/out/a/a1.jsonl.zst", 0);
    assert_shard(&result, 1, "removed", 1, "cleaned/out/a/a2.jsonl.zst", 0);
    assert_int_equal(result.document_count, 2);
    /* the record between is no document: it is record 2, and number 1 */
    assert_true(result.document[0].number == 1 && result.document[0].record == 2 && result.document[0].shard == 0 &&
                result.document[0].bytes == 4);
    assert_true(slice_equal(result.document[0].source_id, SLICE("a1.jsonl:2")) && result.document[0].lines.len == 0 &&
                slice_equal(result.document[0].why, SLICE("why 1")));
    assert_true(slice_equal(result.document[1].source_id, SLICE("x\t2")) && result.document[1].number == 2);
    assert_file(&w, "cleaned/out.removed.tsv",
                LIST "\twhy\na\ta1.jsonl\t2\t1\ta1.jsonl:2\t\t" MATCH "why 1\n"
                "a\ta2.jsonl\t0\t2\tx\\x092\t\t" MATCH "why 2\n");
    clean_result_free(&result);
}

static void test_cut(void **unused)
{
    static const struct clean_span spans[] = { { 1, 1 }, { 3, 9 } };
    struct clean_result            result = { 0 };
    struct clean_shards            shards;

    (void)unused;
    chosen(CLEAN_CUT, (const int[]){ 0 }, 1, spans, 2, &shards);
    add(&result, &shards, "cut");
    shards_free(&shards);
    assert_cell(&result.cleaned[0], "cut", "train", 2, 18, 0, 1, 2, 10);        /* one, three, and their ends */
    assert_cell(&result.cleaned[1], "cut", "test", 2, 13, 0, 0, 0, 0);
    assert_shard(&result, 0, "cut", 2, "cleaned/out/a/a1.jsonl.zst", 0);
    assert_true(result.document_count == 1 && slice_equal(result.document[0].lines, SLICE("1-1,3-9")) &&
                result.document[0].bytes == 10);
    assert_file(&w, "cleaned/out.cut.tsv", LIST "\tlines\tbytes\twhy\n"
                "a\ta1.jsonl\t0\t0\tx0\t\t" MATCH "1-1,3-9\t10\twhy 0\n");
    clean_result_free(&result);
}

/* Shards of one file, of the first of which nothing stays. */
static void test_together(void **unused)
{
    struct clean_result result = { 0 };
    struct clean_shards shards;

    (void)unused;
    small_stop(&w.r);
    counts_free(&w.counts);
    small_start(&w.r, "datasets:\n  - {name: a, role: benchmark, files: [a1.jsonl, a2.jsonl]}\n"
                "sensitive: {kinds: key}\n");
    w.r.run.draft = w.g.path;
    world_count(&w);
    w.output.shard_size = 1 << 20;
    chosen(CLEAN_REMOVE, (const int[]){ 0, 1 }, 2, NULL, 0, &shards);
    add(&result, &shards, "removed");
    shards_free(&shards);
    chosen(CLEAN_CUT, NULL, 0, NULL, 0, &shards);
    add(&result, &shards, "cut");
    shards_free(&shards);
    assert_int_equal(result.shard_count, 4);
    assert_shard(&result, 0, "removed", 0, "", -1);
    assert_shard(&result, 1, "removed", 2, "cleaned/out/a/a1+1.jsonl.zst", 0);
    assert_shard(&result, 2, "cut", 2, "cleaned/out/a/a1+1.jsonl.zst", 0);
    assert_shard(&result, 3, "cut", 2, "cleaned/out/a/a1+1.jsonl.zst", 2);
    clean_result_free(&result);
}

/* What was not taken counts as removed; the list is of what was.  Rows of later outputs are their own. */
static void test_taken(void **unused)
{
    struct clean_result result = { 0 };
    struct clean_shards shards;

    (void)unused;
    chosen(CLEAN_TAKE, (const int[]){ 0, 3 }, 2, NULL, 0, &shards);
    add(&result, &shards, "leaky");
    add(&result, &shards, "nonleaky");
    shards_free(&shards);
    assert_int_equal(result.count, 4);
    for (size_t i = 0; i < 4; i += 2) {
        const char *kind = i ? "nonleaky" : "leaky";

        assert_cell(&result.cleaned[i], kind, "train", 2, 18, 1, 0, 0, 4);
        assert_cell(&result.cleaned[i + 1], kind, "test", 2, 13, 1, 0, 0, 8);
    }
    assert_int_equal(result.shard_count, 4);
    assert_shard(&result, 3, "nonleaky", 1, "cleaned/out/a/a2.jsonl.zst", 0);
    assert_int_equal(result.document_count, 0);
    assert_file(&w, "cleaned/out.nonleaky.tsv", LIST "\tlanguage\tpart\n"
                "a\ta1.jsonl\t0\t0\tx0\t\t" MATCH "java\twhy 0\n"
                "a\ta2.jsonl\t1\t3\ta2.jsonl:1\t\t" MATCH "python\twhy 3\n");
    clean_result_free(&result);
}

static void test_gone(void **unused)
{
    struct clean_result result = { 0 };
    struct clean_shards shards;
    struct err          err = { 0 };
    char                path[256];

    (void)unused;
    list_path(&w.output, "cut", path);
    assert_string_equal(path, "cleaned/out.cut.tsv");
    chosen(CLEAN_REMOVE, (const int[]){ 1 }, 1, NULL, 0, &shards);
    assert_int_equal(stage_clear(w.r.stage, &err), 0);
    assert_int_equal(result_add(&result, &shards, "removed", &err), -EIO);
    assert_non_null(strstr(err.text, "a1.jsonl has disappeared or is damaged"));
    snprintf(path, sizeof path, "%s/cleaned/out.removed.tsv", w.r.output);
    assert_int_equal(access(path, F_OK), -1);
    shards_free(&shards);
    clean_result_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(test_removed, set_up, tear_down),
                                        cmocka_unit_test_setup_teardown(test_cut, set_up, tear_down),
                                        cmocka_unit_test_setup_teardown(test_taken, set_up, tear_down),
                                        cmocka_unit_test_setup_teardown(test_together, set_up, tear_down),
                                        cmocka_unit_test_setup_teardown(test_gone, set_up, tear_down) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
