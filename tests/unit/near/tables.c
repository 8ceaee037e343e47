/* tests/unit/near/tables.c -- rows of table lengths: the buckets that have documents; views of items and pairs. */
#include "near/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/unit/made_graph.h"

static void test_rows(void **unused)
{
    struct near_lengths        lengths[2] = { 0 };
    struct near_result         result = { .lengths = lengths };
    struct graph_build         build = { 0 };
    struct err                 err = { 0 };
    const struct graph_length *row;

    (void)unused;
    lengths_add(&lengths[0], 5);
    lengths_add(&lengths[0], 5);
    lengths_add(&lengths[1], 40);
    lengths_add(&lengths[1], UINT32_MAX);
    assert_int_equal(graph_add_lengths(&build, &result, 2, &err), 0);
    assert_int_equal(build.graph.row_count, 1);
    assert_ptr_equal(build.graph.rows[0].table, &table_lengths);
    assert_int_equal(build.graph.rows[0].count, 3);
    row = build.graph.rows[0].rows;
    assert_true(row[0].dataset == 0 && row[0].least == 5 && row[0].most == 5 && row[0].documents == 2);
    assert_true(row[1].dataset == 1 && row[1].least == 32 && row[1].most == 63 && row[1].documents == 1);
    assert_true(row[2].least == 1u << 31 && row[2].most == UINT32_MAX && row[2].documents == 1);
    graph_build_free(&build);
}

/* Item 1 has an exact pair in its own dataset, a near one and a contained one in the corpus; item 2 is a function
 * there; item 3 has a pair that is below, which is no leak; item 4 has nothing. */
static const char items_sql[] =
    "INSERT INTO datasets VALUES ('b', '', 'benchmark', 1), ('c', '', 'corpus', 0);"
    "INSERT INTO snippets (id, snippet, dataset, language, tokens, id_within_dataset, split_within_dataset, source_id, "
    "path, repo, shard, record, matches, features, distinct_features, admitted, xxh128) VALUES "
    "(1, '', 'b', 'c', '[]', 0, 'test', 'b0', 'a/b0.c', NULL, 's', 0, 2, 9, 9, 1, '1'),"
    "(2, '', 'b', 'c', '[]', 1, 'test', 'b1', NULL, NULL, 's', 1, 0, 9, 9, 1, '2'),"
    "(3, '', 'b', 'c', '[]', 2, NULL, 'b2', NULL, NULL, 's', 2, 0, 9, 9, 1, '3'),"
    "(4, '', 'b', 'c', '[]', 3, NULL, 'b3', NULL, NULL, 's', 3, 0, 9, 9, 1, '4'),"
    "(5, '', 'b', 'c', '[]', 4, NULL, 'b4', NULL, NULL, 's', 4, 1, 9, 9, 1, '1'),"
    "(1000000000001, '', 'c', 'c', '[]', 0, NULL, 'c0', 'src/c0.c', 'o/r', 't', 0, 1, 9, 9, 1, '5'),"
    "(1000000000002, '', 'c', 'c', '[]', 1, NULL, 'c1', 'src/c1.c', 'o/r', 't', 1, 0, 9, 9, 1, '6');"
    "INSERT INTO edges VALUES ('near', 1, 5, 'exact', 9, 9, 9, 9, 1, 1, 1, 1), "
    "('near', 1, 1000000000001, 'near', 8, 10, 8, 10, 0.8, 0.8, 0.9, 0.9), "
    "('near', 1, 1000000000002, 'contained', 9, 30, 9, 30, 0.3, 0.3, 1, 0.3), "
    "('near', 3, 1000000000002, 'below', 5, 10, 5, 10, 0.5, 0.5, 0.6, 0.6);"
    "INSERT INTO function_pairs VALUES (2, 'c', 't', 7, 'c7', 'src/c7.c', 'o/r', 'MIT', 'permissive', 'f', NULL, 12, "
    "20, 100, 200, 'near', 9, 10, 9, 10, 0.9, 0.9, '');";

static void assert_row(sqlite3 *db, const char *sql, const char *expected)
{
    sqlite3_stmt *query;
    struct err    err = { 0 };
    struct bytes  row = { 0 };

    if (graph_prepare(db, &query, sql, &err) < 0) fail_msg("%s", err.text);
    while (graph_step(query, &err) == 1) {
        for (int c = 0; c < sqlite3_column_count(query); c++)
            assert_int_equal(bytes_printf(&row, "%s%.*s", c ? "|" : "", (int)graph_text(query, c).len,
                                          graph_text(query, c).at), 0);
        assert_int_equal(bytes_printf(&row, "\n"), 0);
    }
    graph_finish(query);
    assert_int_equal(bytes_append(&row, "", 1), 0);
    assert_string_equal(row.at, expected);
    bytes_free(&row);
}

static void test_items(void **unused)
{
    struct made_graph g;
    sqlite3          *db;

    (void)unused;
    made_open(&g, items_sql);
    db = made_read(&g);
    assert_row(db, "SELECT id, leaked, rules, matches, copies, alike, inside, match_kind, match_similarity, match, "
                   "match_path, match_line FROM items",
               "1|1|contained,exact,near|2|1|1.0|0|near|0.8|1000000000001|src/c0.c|\n"
               "2|1|function|0|0|0|1|function|0.9||src/c7.c|12\n"
               "3|0||0|0|0|0|||||\n4|0||0|0|0|0|||||\n5|1|exact|1|1|1.0|0|exact|1.0|1|a/b0.c|\n");
    assert_row(db, "SELECT id, alike FROM leaked_items", "1|1.0\n5|1.0\n2|0\n");
    assert_row(db, "SELECT pass, kind, similarity, a_source_id, a_split, b_source_id, b_line, b_line_end, shared FROM "
                   "pairs",
               "near|exact|1.0|b0|test|b4|||9\nnear|near|0.8|b0|test|c0|||8\nnear|contained|1.0|b0|test|c1|||9\n"
               "near|below|0.5|b2||c1|||5\ninside|function|0.9|b1|test|c7|12|20|\n");
    graph_close(db);
    made_close(&g);
}

/* A filter on a dataset, a document or an id reads what it names, by indices: no pair is looked at for nothing. */
static void test_plans(void **unused)
{
    static const char *const query[] = { "a_dataset = 'b'", "b_dataset = 'c'", "a_source_id = 'b0'", "b = 4", "a = 1" };
    struct made_graph g;
    struct bytes      sql = { 0 };
    sqlite3          *db;

    (void)unused;
    made_open(&g, items_sql);
    db = made_read(&g);
    for (size_t i = 0; i < sizeof query / sizeof *query; i++) {
        sqlite3_stmt *plan;
        struct err    err = { 0 };

        sql.len = 0;
        assert_int_equal(bytes_printf(&sql, "EXPLAIN QUERY PLAN SELECT * FROM pairs WHERE %s", query[i]), 0);
        assert_int_equal(bytes_append(&sql, "", 1), 0);
        assert_int_equal(graph_prepare(db, &plan, sql.at, &err), 0);
        while (graph_step(plan, &err) == 1)
            if (slice_equal(graph_text(plan, 3), SLICE("SCAN e"))) fail_msg("%s reads all pairs", query[i]);
        graph_finish(plan);
    }
    bytes_free(&sql);
    graph_close(db);
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows), cmocka_unit_test(test_items),
                                        cmocka_unit_test(test_plans) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
