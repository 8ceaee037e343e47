/* tests/unit/passage/tables.c -- pairs and counts in the graph, each number in its place. */
#include "passage/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_rows(void **unused)
{
    static const char     heap[] = "id path repo licence";
    struct dataset        dataset[2] = { { .name = (char[]){ "bench" } }, { .name = (char[]){ "code" } } };
    struct shard          shard[] = { { .dataset = 0 }, { .dataset = 1 } };
    struct shard_list     shards = { .at = shard, .count = 2 };
    struct run            run = { .shards = &shards, .datasets = dataset, .dataset_count = 2 };
    struct passage_job    job = { .run = &run };
    struct passage_of     items[] = { { .record = 3, .shard = 0 }, { .record = 5, .shard = 0 } };
    struct passage_entry  entry = { .runs = 8 };
    struct graph_document stored[] = { { .record = 1 }, { .record = 3 }, { .record = 5 } };
    struct passage_row    row = { .record = 7, .found = 6, .at = 11, .end = 22, .line = 2, .line_end = 4,
                                  .source_id = { 0, 2 }, .path = { 3, 4 }, .repo = { 8, 4 }, .license = { 13, 7 } };
    struct passage_row    plain = { .record = 8, .found = 8, .source_id = { 0, NO_STRING }, .path = { 0, NO_STRING },
                                    .repo = { 0, NO_STRING }, .license = { 0, NO_STRING } };
    struct passage_pair   pair[] = { { .item = 1, .shard = 1, .row = &row, .heap = heap },
                                     { .item = 1, .shard = 1, .row = &plain, .heap = heap } };
    struct passage_count  count = { 1, 1, 9 };
    struct passage_result result = { .index = { .items = 2, .entries = 1, .item = items, .entry = &entry },
                                     .pair = pair, .pair_count = 2, .count = &count, .count_count = 1 };
    struct graph_build    build = { .graph = { .documents = stored, .document_count = 3 } };
    const struct graph_passage      *of;
    const struct graph_passage_item *item;
    struct graph_rows     rows;
    struct err            err = { 0 };

    (void)unused;
    assert_int_equal(graph_add_passages(&build, &job, &result, &err), 0);
    rows = graph_rows_of(&build.graph, passage_tables[0]);
    assert_int_equal(rows.count, 2);
    of = rows.rows;
    assert_true(of->item == 2 && of->dataset == 1 && of->shard == 1 && of->record == 7 && of->share == 0.75);
    assert_true(slice_equal(of->source_id, SLICE("id")) && slice_equal(of->path, SLICE("path")));
    assert_true(slice_equal(of->repo, SLICE("repo")) && slice_equal(of->license, SLICE("licence")));
    assert_true(of->line == 2 && of->line_end == 4 && of->byte == 11 && of->byte_end == 22);
    assert_true(of->found == 6 && of->runs == 8);
    assert_true(of[1].line == -1 && of[1].line_end == -1 && of[1].byte == -1 && of[1].byte_end == -1);
    assert_true(!of[1].path.at && of[1].share == 1);
    rows = graph_rows_of(&build.graph, passage_tables[1]);
    item = rows.rows;
    assert_true(rows.count == 1 && item->item == 2 && item->dataset == 1 && item->documents == 9);
    graph_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows) };

    return cmocka_run_group_tests_name("passage/tables", tests, NULL, NULL);
}
