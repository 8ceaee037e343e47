/* tests/unit/clonetype/within_tables.c -- functions with clones, their classes and links, numbered over corpora; the
 * views of them; what fsck refuses. */
#include "clonetype/within_tables.h"
#include "tests/unit/made_graph.h"

static void test_rows(void **unused)
{
    static const char      heap[] = "id path repo licence name class";
    struct function_row    row = { .form = { .record = 7, .span = { 11, 22, 2, 4, { 21, 4 }, { 26, 5 } } },
                                   .source_id = { 0, 2 }, .path = { 3, 4 }, .repo = { 8, 4 }, .license = { 13, 7 } };
    struct within_function one[] = {
        { &row, heap, NULL, NULL, 1, { 0, 0, 0 } },         /* alone: no row */
        { &row, heap, NULL, NULL, 1, { 1, 1, 1 } }, { &row, heap, NULL, NULL, 1, { 2, 1, 1 } },
        { &row, heap, NULL, NULL, 1, { 2, 1, 1 } }, { &row, heap, NULL, NULL, 1, { 4, 4, 4 } },
    }, two[] = { { &row, heap, NULL, NULL, 3, { 0, 0, 0 } }, { &row, heap, NULL, NULL, 4, { 0, 0, 0 } } };
    struct within_pair     pair = { 1, 4, 6, 8, { 2, 3 }, { 3, 4 }, 0 };
    struct within_corpus   corpus[] = { { 2, { .at = one, .count = 5 }, &pair, 1 },
                                        { 5, { .at = two, .count = 2 }, NULL, 0 } };
    struct within_result   result = { corpus, 2 };
    struct graph_build     build = { 0 };
    const struct graph_clone_function *of;
    const struct graph_clone_link     *link;
    struct graph_rows      rows;
    struct err             err = { 0 };

    (void)unused;
    assert_int_equal(graph_add_within(&build, &result, &err), 0);
    rows = graph_rows_of(&build.graph, &table_clone_functions);
    of = rows.rows;
    assert_int_equal(rows.count, 6);
    assert_true(of->dataset == 2 && of->shard == 1 && of->record == 7 && of->line == 2 && of->line_end == 4);
    assert_true(of->byte == 11 && of->byte_end == 22 && slice_equal(of->name, SLICE("name")));
    assert_true(slice_equal(of->class_name, SLICE("class")) && slice_equal(of->source_id, SLICE("id")));
    assert_true(slice_equal(of->path, SLICE("path")) && slice_equal(of->repo, SLICE("repo")));
    assert_true(slice_equal(of->license, SLICE("licence")));
    assert_true(of[0].type1 == 1 && of[0].type2c == 1 && of[0].type2 == 1);
    assert_true(of[1].type1 == 2 && of[1].type2c == 1 && of[2].type1 == 2 && of[2].type2 == 1);
    assert_true(of[3].type1 == 4 && of[3].type2 == 4 && of[3].dataset == 2);
    assert_true(of[4].type1 == 5 && of[5].type1 == 5 && of[5].type2 == 5 && of[5].dataset == 5 && of[5].shard == 4);
    rows = graph_rows_of(&build.graph, &table_clone_links);
    link = rows.rows;
    assert_true(rows.count == 1 && link->a == 1 && link->b == 4 && link->common == 6 && link->whole == 8);
    assert_true(link->a_line == 2 && link->a_line_end == 3 && link->b_line == 3 && link->b_line_end == 4);
    assert_true(link->similarity == 0.75);
    graph_build_free(&build);
}

#define FUNCTION(id, dataset, record, byte, type1, type2c, type2) \
    "INSERT INTO clone_functions (id, dataset, shard, record, source_id, path, name, line, line_end, byte, byte_end, " \
    "type1, type2c, type2) VALUES (" id ", '" dataset "', 's', " record ", 'i" id "', 'p" id "', 'f', 1, 9, " byte \
    ", 9, " type1 ", " type2c ", " type2 ");"
#define LINK(a, b, common, a_line) \
    "INSERT INTO clone_links (a, b, common, size, similarity, a_line, a_line_end, b_line, b_line_end) VALUES (" a ", " \
    b ", " common ", 8, 0.75, " a_line ", 3, 2, 9);"
/* 1 and 2 are equal, 3 is renamed one to one, 4 in any way, 5 edited; 6 and 7 are of another corpus. */
#define CORPORA \
    "INSERT INTO datasets VALUES ('one', '', 'corpus', 0), ('two', '', 'corpus', 0), ('none', '', 'corpus', 0);" \
    "INSERT INTO run VALUES ('clone_types.functions.one', '20'), ('clone_types.functions.two', '8');" \
    FUNCTION("1", "one", "0", "0", "1", "1", "1") FUNCTION("2", "one", "0", "1", "1", "1", "1") \
    FUNCTION("3", "one", "1", "0", "3", "1", "1") FUNCTION("4", "one", "2", "0", "4", "4", "1") \
    FUNCTION("5", "one", "2", "1", "5", "5", "5") FUNCTION("6", "two", "0", "0", "6", "6", "6") \
    FUNCTION("7", "two", "0", "1", "7", "6", "6") LINK("1", "5", "6", "2")

static uint64_t count_of(sqlite3 *db, const char *sql)
{
    uint64_t   count = 0;
    struct err err = { 0 };

    if (graph_count(db, sql, &count, &err) < 0) fail_msg("%s", err.text);
    return count;
}

static void test_views(void **unused)
{
    struct made_graph graph;
    sqlite3          *db;

    (void)unused;
    made_open(&graph, CORPORA);
    db = made_read(&graph);
    assert_int_equal(count_of(db, "SELECT count(*) FROM clone_within"), 2);
    assert_int_equal(count_of(db,
                              "SELECT count(*) FROM clone_within WHERE dataset = 'one' AND functions = 20 AND type1 = "
                              "2 AND type2c = 1 AND type2 = 1 AND type3 = 1 AND cloned = 5 AND percent = 25 AND "
                              "classes = 1"), 1);
    assert_int_equal(count_of(db,
                              "SELECT count(*) FROM clone_within WHERE dataset = 'two' AND functions = 8 AND type1 = "
                              "0 AND type2c = 2 AND cloned = 2 AND classes = 1"), 1);
    assert_int_equal(count_of(db, "SELECT class FROM clone_classes LIMIT 1"), 1);
    assert_int_equal(count_of(db,
                              "SELECT count(*) FROM clone_classes WHERE class = 1 AND place = 'p1#f@1' AND functions "
                              "= 4 AND documents = 3 AND exact = 3 AND consistent = 2"), 1);
    assert_int_equal(count_of(db, "SELECT count(*) FROM clone_classes"), 2);
    assert_int_equal(count_of(db,
                              "SELECT count(*) FROM clone_link_places WHERE dataset = 'one' AND place = 'p1#f@1' AND "
                              "other = 'p5#f@1' AND aligned = '2-3 = 2-9'"), 1);
    graph_close(db);
    made_close(&graph);
}

/* Each change breaks one rule of the checks. */
static void test_checks(void **unused)
{
    static const struct { const char *sql; size_t check; } cases[] = {
        { "", SIZE_MAX },
        { "UPDATE clone_functions SET type1 = 3 WHERE id = 2", 0 },
        { "UPDATE clone_functions SET type2 = 2 WHERE id = 3", 0 },
        { "UPDATE clone_functions SET type2c = 5 WHERE id = 4", 0 },
        { "UPDATE clone_functions SET byte_end = byte WHERE id = 4", 1 },
        { "UPDATE clone_functions SET type2 = 7, type2c = 7 WHERE id = 7; UPDATE clone_functions SET byte = 0", 1 },
        { "DELETE FROM clone_links", 1 },
        { "UPDATE clone_links SET common = 9", 2 },
        { "UPDATE clone_links SET a_line = 0", 2 },
    };
    const struct graph_check *checks = table_clone_links.checks;

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made_graph graph;
        sqlite3          *db;

        made_open(&graph, CORPORA);
        made_run(&graph, cases[i].sql);
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

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows), cmocka_unit_test(test_views),
                                        cmocka_unit_test(test_checks) };

    return cmocka_run_group_tests_name("clonetype/within_tables", tests, NULL, NULL);
}
