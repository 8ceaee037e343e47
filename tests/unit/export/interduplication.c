/* export/interduplication: three tables as published, with every pair of a cluster; too many of them are refused. */
#include "export/whole.h"

#include "tests/unit/export/exported.h"

#include <unistd.h>

static int export_to(const struct made_graph *g, const char *path, struct err *err)
{
    struct export_sink sink;
    sqlite3           *db = made_read(g);
    int                rc = export_sink_open(&sink, path, err);

    if (rc == 0) rc = export_interduplication.write(db, capability_tables(), &sink, err);
    if (rc == 0) rc = export_sink_commit(&sink, err);
    export_sink_close(&sink);
    graph_close(db);
    return rc;
}

static void assert_count(sqlite3 *db, const char *sql, uint64_t expected)
{
    uint64_t   count;
    struct err err = { 0 };

    if (graph_count(db, sql, &count, &err) < 0) fail_msg("%s", err.text);
    if (count != expected) fail_msg("%s: %llu", sql, (unsigned long long)count);
}

static void test_tables(void **state)
{
    struct made_graph g;
    sqlite3          *db;
    struct err        err = { 0 };
    char              path[100];

    (void)state;
    made_open(&g, exported_sql);
    snprintf(path, sizeof path, "%s/i.db", g.folder);
    if (export_to(&g, path, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_count(db, "SELECT count(*) FROM sqlite_schema WHERE name IN ('datasets', 'snippets', 'duplicates') AND "
                     "type = 'table'", 3);
    assert_count(db, "SELECT count(*) FROM sqlite_schema WHERE type = 'view'", 0);
    assert_count(db, "SELECT count(*) FROM datasets WHERE url = 'https://c'", 1);
    assert_count(db, "SELECT count(*) FROM snippets", 5);
    assert_count(db, "SELECT count(*) FROM snippets WHERE split_within_dataset IS NULL AND id_within_dataset = 2", 1);
    assert_count(db, "SELECT count(*) FROM duplicates WHERE snippet1 < snippet2", 3);
    assert_count(db, "SELECT count(*) FROM duplicates WHERE id > 3", 0);
    assert_count(db, "PRAGMA foreign_key_check", 0);
    sqlite3_close(db);
    made_close(&g);
}

static void test_refused(void **state)
{
    struct made_graph g;
    struct err        err = { 0 };
    char              path[100];

    (void)state;
    made_open(&g, "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 50000) INSERT INTO "
                  "clusters SELECT 'near', x, 1 FROM n");
    snprintf(path, sizeof path, "%s/i.db", g.folder);
    assert_int_equal(export_to(&g, path, &err), -EFBIG);
    assert_non_null(strstr(err.text, "which would be 1249975000"));
    assert_int_not_equal(access(path, F_OK), 0);
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_tables), cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
