/* tests/unit/graph/build.c -- what a build owns, rows that are added to it, documents that are found in it. */
#include "graph/build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>

static void test_own(void **state)
{
    struct graph_build build = { 0 };

    (void)state;
    assert_null(graph_build_own(&build, NULL));
    assert_int_equal(build.owned_count, 0);
    for (int i = 0; i < 100; i++) {
        char *block = malloc(10);

        assert_ptr_equal(graph_build_own(&build, block), block);
    }
    assert_int_equal(build.owned_count, 100);
    graph_build_free(&build);
    assert_true(!build.owned && !build.rows && build.owned_count == 0);
}

static void test_rows(void **state)
{
    static const struct graph_table table[30] = { [7] = { .name = "fates", .flags = TABLE_FATES } };
    static const struct graph_fate  fate[3];
    struct graph_build              build = { 0 };
    struct err                      err = { 0 };

    (void)state;
    for (size_t i = 0; i < 30; i++) {
        assert_int_equal(graph_rows_of(&build.graph, &table[i]).count, 0);
        assert_int_equal(graph_add_rows(&build, &table[i], fate, i, &err), 0);
        assert_int_equal(build.graph.row_count, i + 1);
        assert_ptr_equal(build.graph.fates, i < 7 ? NULL : fate);
    }
    for (size_t i = 0; i < 30; i++) {
        assert_ptr_equal(graph_rows_of(&build.graph, &table[i]).table, &table[i]);
        assert_int_equal(graph_rows_of(&build.graph, &table[i]).count, i);
    }
    graph_build_free(&build);
}

/* Asked for in their order, those that are there are found and no others. */
static void test_find(void **state)
{
    const struct graph_document document[] = { { .shard = 0, .record = 1 }, { .shard = 0, .record = 4 },
                                               { .shard = 2, .record = 0 }, { .shard = 2, .record = 1 } };
    const struct graph          graph = { .documents = document, .document_count = 4 };
    struct graph_finder         finder = { .graph = &graph };
    uint32_t                    found = 9;

    (void)state;
    assert_false(graph_find(&finder, 0, 0, &found));
    assert_true(graph_find(&finder, 0, 1, &found) && found == 0);
    assert_true(graph_find(&finder, 0, 1, &found) && found == 0);           /* the same again */
    assert_false(graph_find(&finder, 0, 3, &found));
    assert_true(graph_find(&finder, 0, 4, &found) && found == 1);
    assert_false(graph_find(&finder, 1, 0, &found));
    assert_true(graph_find(&finder, 2, 1, &found) && found == 3);           /* over one */
    assert_false(graph_find(&finder, 2, 2, &found));
    assert_false(graph_find(&finder, 3, 0, &found));
}

/* Datasets, shards, splits and rejects of a run without joins. */
static void test_counts(void **state)
{
    char                   name[] = "bench", other[] = "corpus", part[] = "test", file[] = "a.jsonl";
    struct dataset_split   split[] = { { .name = part } };
    const struct dataset   dataset[] = { { .name = name, .role = ROLE_BENCHMARK, .splits = split, .split_count = 1 },
                                         { .name = other, .role = ROLE_CORPUS, .self_join = true, .splits = split,
                                           .split_count = 1 } };
    struct shard           shard[] = { { .name = file, .dataset = 1, .bytes = 7, .mtime_ns = 8 } };
    const struct shard_list shards = { .at = shard, .count = 1 };
    struct scan_shard      read[] = { { .documents = 5, .rejected = 2, .xxh3 = 3,
                                        .skipped.files = { [SKIP_LINK] = 4, [SKIP_EXCLUDED] = 5 } } };
    struct scan_cell       cell[] = { { .dataset = 1, .split = SLICE("test"), .language = SLICE("c"), .documents = 5,
                                        .admitted = 4, .rejected = 2, .skipped = 9, .bytes = 6 } };
    struct scan_reject     reject[] = { { .shard = 0, .reject = { .records = 1, .reason = REJECT_BINARY } },
                                        { .shard = 0, .reject = { .record = 1, .byte = 2, .records = 3,
                                                                  .reason = REJECT_TRUNCATED, .detail = "cut" } } };
    const struct scan_counts counts = { .shards = &shards, .shard = read, .cell = cell, .cell_count = 1,
                                        .reject = reject, .reject_count = 2 };
    struct graph_build     build = { 0 };
    const struct graph    *graph = &build.graph;
    struct err             err = { 0 };

    (void)state;
    assert_int_equal(graph_build_counts(&build, dataset, 2, &counts, &err), 0);
    assert_true(graph->dataset_count == 2 && graph->shard_count == 1 && graph->split_count == 1);
    assert_true(graph->datasets[0].benchmark && graph->datasets[0].self_join);
    assert_true(!graph->datasets[1].benchmark && graph->datasets[1].self_join);
    assert_true(graph->shards[0].records == 7 && graph->shards[0].rejected == 2 && graph->shards[0].xxh3 == 3);
    assert_true(slice_equal(graph->shards[0].split, SLICE("test")) && graph->shards[0].mtime_ns == 8);
    assert_true(graph->splits[0].documents == 5 && graph->splits[0].admitted == 4 && graph->splits[0].bytes == 6);
    assert_true(graph->splits[0].removed == -1 && graph->splits[0].removed_bytes == -1);    /* dedup did not come */
    assert_true(graph->shards[0].skipped == 9 && graph->splits[0].skipped == 9 && graph->skip_count == 2);
    assert_true(graph->skips[0].dataset == 1 && graph->skips[0].shard == 0 && graph->skips[0].files == 4);
    assert_string_equal(graph->skips[0].reason, "link");
    assert_string_equal(graph->skips[1].reason, "excluded");
    assert_int_equal(graph->skips[1].files, 5);
    assert_int_equal(graph->reject_count, 1);
    assert_true(graph->rejects[0].dataset == 1 && graph->rejects[0].shard == 0 && graph->rejects[0].record == 1);
    assert_true(graph->rejects[0].byte == 2 && graph->rejects[0].records == 3);
    assert_true(slice_equal(graph->rejects[0].reason, SLICE("truncated")));
    assert_true(slice_equal(graph->rejects[0].detail, SLICE("cut")));
    assert_ptr_equal(build.counts, &counts);
    graph_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_own), cmocka_unit_test(test_rows),
                                        cmocka_unit_test(test_find), cmocka_unit_test(test_counts) };

    return cmocka_run_group_tests_name("build", tests, NULL, NULL);
}
