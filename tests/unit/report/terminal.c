/* tests/unit/report/terminal.c -- short tables of a run: widths, numbers, hostile text, rows that are only counted. */
#include "report/terminal.h"
#include "tests/unit/made_graph.h"

static void prints(sqlite3 *db, const struct terminal_table *table, const char *expected)
{
    char      *text = NULL;
    size_t     len = 0;
    FILE      *out = open_memstream(&text, &len);
    struct err err = { 0 };

    assert_non_null(out);
    if (terminal_print(out, db, table, &err) < 0) fail_msg("%s", err.text);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

static void test_tables(void **unused)
{
    struct made_graph g;
    sqlite3          *db;
    struct err        err = { 0 };

    (void)unused;
    made_open(&g, "");
    db = made_read(&g);
    prints(db, &(struct terminal_table){ "some", "SELECT 'a' AS name, 1 AS n, 0.25 AS share, 64.314 AS \"%\" UNION ALL "
                                         "SELECT 'longer', 1234567, NULL, 0.0", "v", "none" },
           "some\nname          n   share      %\na             1  0.2500  64.31\nlonger  1234567       -   0.00\n\n");
    prints(db, &(struct terminal_table){ "last", "SELECT 2 AS n, 'to' AS text UNION ALL SELECT 10, 'the end'", "v",
                                         "" },
           "last\n n  text\n 2  to\n10  the end\n\n");
    prints(db, &(struct terminal_table){ "bad", "SELECT char(27) || '[2J' || char(10) AS name", "v", "none" },
           "bad\nname\n\\x1b[2J\\x0a\n\n");
    prints(db, &(struct terminal_table){ "long", "SELECT printf('%.*c', 50, 'x') AS name", "v", "none" },
           "long\nname\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n\n");
    prints(db, &(struct terminal_table){ "empty", "SELECT 1 AS n WHERE 0", "v", "there are none" },
           "empty: there are none\n\n");
    prints(db, &(struct terminal_table){ "empty", "SELECT 1 AS n WHERE 0", "v", NULL }, "");
    assert_true(terminal_print(stdout, db, &(struct terminal_table){ "x", "SELECT nothing", "v", "" }, &err) < 0);
    graph_close(db);
    made_close(&g);
}

static void test_many(void **unused)
{
    static const char sql[] =
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 50) SELECT n FROM c";
    struct made_graph g;
    sqlite3          *db;
    char             *text = NULL;
    size_t            len = 0;
    FILE             *out = open_memstream(&text, &len);
    struct err        err = { 0 };

    (void)unused;
    made_open(&g, "");
    db = made_read(&g);
    assert_int_equal(terminal_print(out, db, &(struct terminal_table){ "many", sql, "counts", "" }, &err), 0);
    fclose(out);
    assert_non_null(strstr(text, "\n40\n10 more rows are in the view counts of graph.db\n\n"));
    assert_null(strstr(text, "41"));
    free(text);
    graph_close(db);
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_tables), cmocka_unit_test(test_many) };

    return cmocka_run_group_tests_name("report/terminal", tests, NULL, NULL);
}
