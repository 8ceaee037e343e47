/* tests/unit/function/tables.c -- pairs and counts in the graph, each number in its place. */
#include "function/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_rows(void **unused)
{
    static const char     heap[] = "id path repo licence name class text";
    struct dataset        dataset[2] = { { .name = (char[]){ "bench" } }, { .name = (char[]){ "code" } } };
    struct shard          shard[] = { { .dataset = 0 }, { .dataset = 1 } };
    struct shard_list     shards = { .at = shard, .count = 2 };
    struct run            run = { .shards = &shards, .datasets = dataset, .dataset_count = 2 };
    struct function_job   job = { .run = &run };
    struct near_row       items[] = { { .record = 3 }, { .record = 5 } };
    struct near_document  document[] = { { .row = &items[0], .shard = 0 }, { .row = &items[1], .shard = 0 } };
    struct near_residents residents = { .document = document, .count = 2 };
    struct graph_document stored[] = { { .record = 1 }, { .record = 3 }, { .record = 5 } };
    struct near_row       row = { .record = 7, .source_id = { 0, 2 }, .path = { 3, 4 }, .repo = { 8, 4 },
                                  .license = { 13, 7 }, .text = { 32, 4 } };
    struct function_place place = { 11, 22, 2, 4, { 21, 4 }, { 26, 5 } }, plain = { 0, 9, 1, 1, { 21, 4 },
                                                                                    { 0, NO_STRING } };
    struct function_pair  pair[] = {
        { .item = 1, .shard = 1, .shared = 3, .union_size = 4, .min_sum = 5, .max_sum = 8, .kind = EDGE_NEAR,
          .row = &row, .place = &place, .heap = heap },
        { .item = 1, .shard = 1, .kind = EDGE_COPY, .row = &row, .place = &plain, .heap = heap } };
    struct function_count  count = { 1, 1, 9 };
    struct function_result result = { .pair = pair, .pair_count = 2, .count = &count, .count_count = 1 };
    struct graph_build     build = { .graph = { .documents = stored, .document_count = 3 } };
    const struct graph_function_pair *of;
    const struct graph_function_item *item;
    struct graph_rows      rows;
    struct err             err = { 0 };

    (void)unused;
    assert_int_equal(graph_add_functions(&build, &job, &residents, &result, &err), 0);
    rows = graph_rows_of(&build.graph, function_tables[0]);
    assert_int_equal(rows.count, 2);
    of = rows.rows;
    assert_true(of->item == 2 && of->dataset == 1 && of->shard == 1 && of->record == 7 && of->kind == EDGE_NEAR);
    assert_true(slice_equal(of->source_id, SLICE("id")) && slice_equal(of->path, SLICE("path")));
    assert_true(slice_equal(of->repo, SLICE("repo")) && slice_equal(of->license, SLICE("licence")));
    assert_true(slice_equal(of->name, SLICE("name")) && slice_equal(of->class_name, SLICE("class")));
    assert_true(slice_equal(of->text, SLICE("text")) && of->line == 2 && of->line_end == 4);
    assert_true(of->byte == 11 && of->byte_end == 22 && of->shared == 3 && of->union_size == 4);
    assert_true(of->min_sum == 5 && of->max_sum == 8 && of->set_similarity == 0.75 && of->multiset_similarity == 0.625);
    assert_true(!of[1].class_name.at && of[1].set_similarity == 0);         /* 0 of 0 */
    rows = graph_rows_of(&build.graph, function_tables[1]);
    item = rows.rows;
    assert_true(rows.count == 1 && item->item == 2 && item->dataset == 1 && item->functions == 9);
    graph_build_free(&build);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows) };

    return cmocka_run_group_tests_name("function/tables", tests, NULL, NULL);
}
