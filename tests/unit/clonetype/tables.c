/* tests/unit/clonetype/tables.c -- pairs and counts in the graph, each number in its place; what fsck refuses. */
#include "clonetype/tables.h"
#include "tests/unit/made_graph.h"

static void test_rows(void **unused)
{
    static const char      heap[] = "id path repo licence name class";
    struct dataset         dataset[2] = { { .name = (char[]){ "bench" } }, { .name = (char[]){ "code" } } };
    struct shard           shard[] = { { .dataset = 0 }, { .dataset = 1 } };
    struct shard_list      shards = { .at = shard, .count = 2 };
    struct run             run = { .shards = &shards, .datasets = dataset, .dataset_count = 2 };
    struct fragment        fragment[] = {
        { .record = 3, .document = 0, .span = { 5, 9, 2, 3, { 0, 2 }, { 0, NO_STRING } } },
        { .record = 3, .document = 0, .main = true, .span = { 10, 90, 4, 8, { 2, 1 }, { 0, NO_STRING } } },
        { .record = 9, .document = 1 } };                   /* of a document that is not in the graph */
    struct clonetype_index index = { .at = fragment, .count = 3, .documents = 2 };
    struct clonetype_job   job = { .run = &run, .index = &index };
    struct graph_document  stored[] = { { .record = 1 }, { .record = 3 } };
    struct clonetype_row   row[] = {
        { .record = 7, .fragment = 1, .loosest = CLONE_TYPE_3,
          .item = 1, .item_end = 3, .aligned = { 3, 4 },
          .span = { 11, 22, 2, 4, { 21, 4 }, { 26, 5 } }, .source_id = { 0, 2 }, .path = { 3, 4 }, .repo = { 8, 4 },
          .license = { 13, 7 } },
        { .fragment = 0, .loosest = CLONE_TYPE_2, .span = { 0, 9, 1, 1, { 21, 4 }, { 0,
          NO_STRING } }, .path = { 0, NO_STRING } },
        { .fragment = 2 } };
    const struct item_lines lines[] = { { 4, 4 }, { 5, 6 }, { 6, 7 } };
    struct clonetype_pair  pair[] = {
        { .item = 0, .dataset = 1, .shard = 1, .type = CLONE_TYPE_2C, .common = 4, .whole = 4, .row = &row[1],
          .heap = heap },
        { .item = 0, .dataset = 1, .shard = 1, .type = CLONE_TYPE_3, .common = 6, .whole = 8, .fragment = 1,
          .row = &row[0], .heap = heap },
        { .item = 1, .dataset = 1, .shard = 1, .fragment = 2, .row = &row[2], .heap = heap } };
    struct clonetype_item  item[] = { { 0, 1, CLONE_TYPE_2C, 5 }, { 1, 1, CLONE_TYPE_1, 1 } };
    struct clonetype_result result = { .pair = pair, .pair_count = 3, .item = item, .item_count = 2 };
    struct graph_build      build = { .graph = { .documents = stored, .document_count = 2 } };
    const struct graph_clone_pair *of;
    const struct graph_clone_item *counted;
    struct graph_rows       rows;
    struct err              err = { 0 };

    (void)unused;
    assert_int_equal(bytes_append(&index.heap, "ffg", 3), 0);
    assert_int_equal(bytes_append(&index.lines, lines, sizeof lines), 0);
    assert_int_equal(graph_add_clonetypes(&build, &job, &result, &err), 0);
    rows = graph_rows_of(&build.graph, clonetype_tables[0]);
    assert_int_equal(rows.count, 2);
    of = rows.rows;
    assert_true(of[0].item == 1 && slice_equal(of[0].type, SLICE("2c")) && slice_equal(of[0].item_name, SLICE("ff")));
    assert_true(of[0].similarity == 1 && !of[0].item_main && of[1].item_main && !of[0].class_name.at &&
                !of[0].path.at && of[0].item_line == 2);
    of++;
    assert_true(of->item == 1 && of->dataset == 1 && of->shard == 1 && of->record == 7);
    assert_true(slice_equal(of->type, SLICE("3")) && of->common == 6 && of->whole == 8 && of->similarity == 0.75);
    assert_true(slice_equal(of->item_name, SLICE("g")) && of->item_line == 4 && of->item_line_end == 8);
    assert_true(of->item_byte == 10 && of->item_byte_end == 90 && of->line == 2 && of->line_end == 4);
    assert_true(of->item_aligned_line == 5 && of->item_aligned_line_end == 7);
    assert_true(of->aligned_line == 3 && of->aligned_line_end == 4);
    assert_true(of->byte == 11 && of->byte_end == 22 && slice_equal(of->name, SLICE("name")));
    assert_true(slice_equal(of->class_name, SLICE("class")) && slice_equal(of->source_id, SLICE("id")));
    assert_true(slice_equal(of->path, SLICE("path")) && slice_equal(of->repo, SLICE("repo")));
    assert_true(slice_equal(of->license, SLICE("licence")));
    rows = graph_rows_of(&build.graph, clonetype_tables[1]);
    counted = rows.rows;
    assert_true(rows.count == 1 && counted->item == 1 && counted->dataset == 1 && counted->pairs == 5);
    assert_true(slice_equal(counted->type, SLICE("2c")));
    graph_build_free(&build);
    bytes_free(&index.heap);
    bytes_free(&index.lines);
}

#define SNIPPET_1 \
    "INSERT INTO snippets (id, snippet, tokens, dataset, language, id_within_dataset, shard, record, matches, " \
    "features, distinct_features, xxh128, admitted) VALUES (1, '', '[]', 'bench', 'python', 0, 'b', 0, 0, 5, 5, '', 1);"
#define PAIR(columns) PAIR_AT(columns, "1, 2, 1, 2")
#define PAIR_AT(columns, lines) \
    "INSERT INTO clone_pairs (item, item_function, item_line, item_line_end, item_byte, item_byte_end, " \
    "item_main, dataset, shard, record, source_id, name, line, line_end, byte, byte_end, type, common, size, " \
    "similarity, item_aligned_line, item_aligned_line_end, aligned_line, " \
    "aligned_line_end) VALUES (1, 'f', " columns ", 0.5, " lines ");"

/* Each row breaks one rule of the checks that fsck asks. */
static void test_checks(void **unused)
{
    static const struct { const char *row; size_t check; } cases[] = {
        { PAIR("1, 2, 0, 9, 1, 'code', 'c', 1, '', 'g', 1, 2, 0, 9, '3', 4, 8"), SIZE_MAX },
        { PAIR("1, 2, 0, 9, 1, 'code', 'c', 1, '', 'g', 1, 2, 0, 9, '1', 8, 8"), SIZE_MAX },
        { PAIR("1, 2, 0, 9, 1, 'code', 'c', 1, '', 'g', 1, 2, 0, 9, '3', 9, 8"), 0 },
        { PAIR("1, 2, 0, 9, 1, 'code', 'c', 1, '', 'g', 1, 2, 0, 9, '2', 7, 8"), 0 },
        { PAIR("1, 2, 0, 9, 1, 'code', 'c', 1, '', 'g', 1, 2, 9, 9, '3', 4, 8"), 0 },
        { PAIR("1, 2, 0, 9, 1, 'code', 'c', 1, '', 'g', 3, 2, 0, 9, '3', 4, 8"), 0 },
        { PAIR("1, 2, 9, 9, 1, 'code', 'c', 1, '', 'g', 1, 2, 0, 9, '3', 4, 8"), 0 },
        { PAIR_AT("1, 2, 0, 9, 1, 'code', 'c', 1, '', 'g', 1, 2, 0, 9, '3', 4, 8", "1, 3, 1, 2"), 0 },
        { PAIR_AT("1, 2, 0, 9, 1, 'code', 'c', 1, '', 'g', 1, 2, 0, 9, '3', 4, 8", "2, 1, 1, 2"), 0 },
        { PAIR_AT("1, 2, 0, 9, 1, 'code', 'c', 1, '', 'g', 1, 2, 0, 9, '3', 4, 8", "1, 2, 0, 2"), 0 },
        { "UPDATE clone_items SET pairs = 0;" PAIR("1, 2, 0, 9, 1, 'code', 'c', 1, '', 'g', 1, 2, 0, 9, '3', 4, 8"),
          1 },
    };
    const struct graph_check *checks = clonetype_tables[1]->checks;

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made_graph graph;
        sqlite3          *db;

        made_open(&graph, "INSERT INTO datasets VALUES ('bench', '', 'benchmark', 0), ('code', '', 'corpus', 0);"
                  SNIPPET_1 "INSERT INTO clone_items VALUES (1, 'code', '3', 1);");
        made_run(&graph, cases[i].row);
        db = made_read(&graph);
        for (size_t c = 0; checks[c].name; c++) {
            sqlite3_stmt *query;
            struct err    err = { 0 };

            assert_int_equal(graph_prepare(db, &query, checks[c].sql, &err), 0);
            if ((graph_step(query, &err) == 1) != (cases[i].check == c)) fail_msg("case %zu, check %zu", i, c);
            graph_finish(query);
        }
        graph_close(db);
        made_close(&graph);
    }
}

/* What counts as a leak: types 1, 2c and 2 of a function that is most of its item. */
static void test_inside(void **unused)
{
    struct made_graph graph;
    struct err        err = { 0 };
    uint64_t          leaks;
    sqlite3          *db;

    (void)unused;
    made_open(&graph, "INSERT INTO datasets VALUES ('bench', '', 'benchmark', 0), ('code', '', 'corpus', 0);"
              SNIPPET_1
              PAIR("1, 2, 0, 9, 1, 'code', 'c', 1, 'i', 'a', 1, 2, 0, 9, '1', 8, 8")
              PAIR("1, 2, 0, 9, 1, 'code', 'c', 2, 'i', 'b', 1, 2, 0, 9, '2c', 8, 8")
              PAIR("1, 2, 0, 9, 1, 'code', 'c', 3, 'i', 'c', 5, 7, 0, 9, '2', 8, 8")
              PAIR("1, 2, 0, 9, 1, 'code', 'c', 4, 'i', 'd', 1, 2, 0, 9, '3', 7, 8")
              PAIR("1, 2, 0, 9, 0, 'code', 'c', 5, 'i', 'e', 1, 2, 0, 9, '1', 8, 8"));
    db = made_read(&graph);
    assert_int_equal(graph_count(db,
                                 "SELECT count(*) FROM found_inside WHERE item = 1 AND dataset = 'code' AND shard = "
                             "'c' AND leak = (record <= 3) AND alike = 0.5 AND kind GLOB 'type *'", &leaks, &err), 0);
    assert_int_equal(leaks, 5);
    assert_int_equal(graph_count(db, "SELECT count(*) FROM found_inside WHERE kind = 'type 2' AND place = 'i#c@5' AND "
                             "line = 5 AND line_end = 7", &leaks, &err), 0);
    assert_int_equal(leaks, 1);
    graph_close(db);
    made_close(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows), cmocka_unit_test(test_checks),
                                        cmocka_unit_test(test_inside) };

    return cmocka_run_group_tests_name("clonetype/tables", tests, NULL, NULL);
}
