/* tests/unit/report/query_table.c -- what a view gives, cell by cell, in Markdown and in JSON. */
#include "report/query_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static const struct query_column columns[] = {
    { "name", "its name", CELL_NAME }, { "part", "split", CELL_PART }, { "text", "what", CELL_TEXT },
    { "count", "how many", CELL_COUNT }, { "bytes", "text", CELL_BYTES }, { "flag", "self", CELL_FLAG },
    { "percent", "%", CELL_PERCENT }, { "share", "share", CELL_SHARE },
};
#define THINGS \
    "(SELECT column1 AS name, column2 AS part, column3 AS text, column4 AS count, column5 AS bytes, column6 AS flag, " \
    "column7 AS percent, column8 AS share, column9 AS telling FROM (VALUES " \
    "('a', '', 'said', 1234, 5000000, 1, 25.0, 0.5, 1), ('b', 'test', 'other', 0, 0, 0, NULL, NULL, 0)))"

static const struct query_table plain = { "things", THINGS, columns, 8, 0, NULL };
static const struct query_table hiding = { "things", THINGS, columns, 8, 0, "telling" };
static const struct query_table first = { "things", THINGS " WHERE share IS NULL OR count > 0", columns, 8, 1, NULL };

struct made { struct report_document document; struct bytes markdown, json; struct query_rows rows; struct err err; };

static int make(struct made *m, const struct query_table *table)
{
    sqlite3 *db;
    int      rc;

    *m = (struct made){ 0 };
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    report_open(&m->document, "Report");
    rc = query_table_add(&m->document, m->document.root, db, table, &m->rows, &m->err);
    sqlite3_close(db);
    if (rc < 0) return rc;
    assert_true(report_markdown(&m->document, &m->markdown) == 0 && bytes_append(&m->markdown, "", 1) == 0);
    assert_true(report_json(&m->document, &m->json) == 0 && bytes_append(&m->json, "", 1) == 0);
    return 0;
}

static void made_free(struct made *m)
{
    report_close(&m->document);
    bytes_free(&m->markdown);
    bytes_free(&m->json);
}

static void says(const char *text, const char *what)
{
    if (!strstr(text, what)) fail_msg("not said: %s\n%s", what, text);
}

static void test_cells(void **state)
{
    struct made m;

    (void)state;
    assert_int_equal(make(&m, &plain), 0);
    assert_true(m.rows.all == 2 && m.rows.hidden == 0);
    says(m.markdown.at, "| its name | split | what | how many | text | self | % | share |");
    says(m.markdown.at, "| a | all | said | 1234 | 5.00 MB | yes | 25.00 % | 0.500 |");
    says(m.markdown.at, "| b | test | other | 0 | 0.00 MB | no | - | - |");
    says(m.json.at, "\"percent\"");
    made_free(&m);
}

/* Rows that tell nothing, and those behind the first ones, are for scripts: counted, and in the JSON. */
static void test_hidden(void **state)
{
    static const struct query_table *const tables[] = { &hiding, &first };

    (void)state;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        struct made m;

        assert_int_equal(make(&m, tables[i]), 0);
        assert_true(m.rows.all == 2 && m.rows.hidden == 1);
        says(m.markdown.at, "| a |");
        assert_null(strstr(m.markdown.at, "other"));
        says(m.json.at, "other");
        made_free(&m);
    }
}

static void test_empty(void **state)
{
    static const struct query_table none = { "things", THINGS " WHERE 0", columns, 1, 0, NULL };
    static const struct query_table wrong = { "things", "nowhere", columns, 1, 0, NULL };
    static const struct query_table odd = { "things", "(SELECT 1 AS x)", columns, 1, 0, NULL };      /* no `name` */
    struct made                     m;

    (void)state;
    assert_int_equal(make(&m, &none), 0);
    assert_true(m.rows.all == 0 && m.rows.hidden == 0);
    says(m.json.at, "\"things\"");
    made_free(&m);
    assert_true(make(&m, &wrong) < 0 && *m.err.text);
    made_free(&m);
    assert_true(make(&m, &odd) < 0 && *m.err.text);
    made_free(&m);
}

/* Of more rows than memory is for the first ones are there, or the largest; how many there are is said, and where. */
static void test_many(void **state)
{
    static const struct query_column number[] = { { "n", "n", CELL_COUNT } };
    static const struct query_table  numbers = {
        "numbers", "(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 12345) SELECT n FROM c)",
        number, 1, 10, NULL };
    struct made m;

    (void)state;
    for (int largest = 0; largest < 2; largest++) {
        sqlite3 *db;

        m = (struct made){ 0 };
        assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
        report_open(&m.document, "Report");
        assert_int_equal(query_table_add_largest(&m.document, m.document.root, db, &numbers,
                                                 largest ? "n DESC" : NULL, &m.rows, &m.err), 0);
        sqlite3_close(db);
        assert_true(m.rows.all == 12345 && m.rows.hidden == QUERY_ROWS_MOST - 10);
        assert_true(report_markdown(&m.document, &m.markdown) == 0 && bytes_append(&m.markdown, "", 1) == 0);
        assert_true(report_json(&m.document, &m.json) == 0 && bytes_append(&m.json, "", 1) == 0);
        says(m.markdown.at, largest ? "the largest 10000 rows" : "the first 10000 rows");
        says(m.markdown.at, "has all 12345");
        says(m.markdown.at, largest ? "| 12345 |" : "| 1 |");
        says(m.json.at, "numbers_rows");
        says(m.json.at, largest ? "2346" : "10000");
        assert_null(strstr(m.json.at, largest ? "\"n\": 2345" : "\"n\": 10001"));
        made_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_cells), cmocka_unit_test(test_hidden),
                                        cmocka_unit_test(test_empty),
                                        cmocka_unit_test(test_many) };

    return cmocka_run_group_tests_name("query_table", tests, NULL, NULL);
}
