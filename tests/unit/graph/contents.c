/* tests/unit/graph/contents.c -- digests of tables that the run's digest leaves out: any value and its type count. */
#include "graph/contents.h"
#include "tests/unit/made_graph.h"

#include <errno.h>

static const struct graph_table *table_of(const char *name)
{
    for (const struct graph_table *const *table = capability_tables(); *table; table++)
        if (strcmp((*table)->name, name) == 0) return *table;
    fail_msg("no table %s", name);
    return NULL;
}

static void digest_of(const struct made_graph *g, char out[33], uint64_t *rows)
{
    sqlite3   *db = made_read(g);
    struct err err = { 0 };

    if (contents_digest(db, table_of("probes"), out, rows, &err) < 0) fail_msg("%s", err.text);
    graph_close(db);
}

static void test_changes(void **unused)
{
    static const char *const edits[] = {
        "UPDATE probes SET value = value + 1e-12", "UPDATE probes SET metric = 'nlm'", "UPDATE probes SET model = 2",
        "INSERT INTO probes VALUES (1, 1, 'zlib', 2.0)", "DELETE FROM probes",
    };
    struct made_graph g;
    char              first[33], other[33];
    uint64_t          rows = 9;

    (void)unused;
    made_open(&g, "");
    digest_of(&g, first, &rows);
    assert_int_equal(rows, 0);
    made_run(&g, "INSERT INTO probes VALUES (1, 1, 'nll', 0.5)");
    digest_of(&g, other, &rows);
    assert_int_equal(rows, 1);
    assert_string_not_equal(first, other);
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        memcpy(first, other, sizeof first);
        made_run(&g, edits[i]);
        digest_of(&g, other, NULL);
        assert_string_not_equal(first, other);
    }
    made_close(&g);
}

static int checks(const struct made_graph *g, struct err *err)
{
    sqlite3 *db = made_read(g);
    int      rc = contents_check(db, capability_tables(), err);

    graph_close(db);
    return rc;
}

static void test_told(void **unused)
{
    struct made_graph g;
    sqlite3          *db;
    uint64_t          count = 0;
    struct err        err = { 0 };

    (void)unused;
    made_open(&g, "INSERT INTO probes VALUES (1, 1, 'nll', 0.5)");
    assert_int_equal(sqlite3_open(g.path, &db), SQLITE_OK);
    if (contents_tell(db, capability_tables(), NULL, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(graph_count(db, "SELECT count(*) FROM run WHERE key GLOB 'digest.*'", &count, &err), 0);
    assert_int_equal(count, 1);                             /* empty tables have none */
    sqlite3_close(db);
    assert_int_equal(checks(&g, &err), 0);
    made_run(&g, "UPDATE probes SET value = 0.25");
    assert_int_equal(checks(&g, &err), -EBADMSG);
    assert_non_null(strstr(err.text, "of table probes"));
    made_close(&g);
}

/* Of every table, of empty ones too, of the schema and of run itself. */
static void test_all(void **unused)
{
    static const struct { const char *edit, *named; } damage[] = {
        { "UPDATE datasets SET url = 'x'", "of table datasets" },
        { "INSERT INTO gates (gate) SELECT 'x' WHERE 0; INSERT INTO skipped VALUES ('b', 's', 'binary', 1)",
          "of table skipped" },
        { "INSERT INTO run VALUES ('x', 'y')", "of table run" },
        { "INSERT INTO run VALUES (NULL, 'y')", "of table run" },
        { "UPDATE run SET value = '0' WHERE key = 'contents.edges'", "of table edges" },
        { "DELETE FROM run WHERE key = 'contents.edges'", "run does not say what is in table edges" },
        { "CREATE TABLE x (y)", "of table sqlite_schema" },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        struct made_graph g;
        struct err        err = { 0 };
        sqlite3          *db;

        made_open(&g, "INSERT INTO datasets (id, url, role, self_join) VALUES ('b', '', 'benchmark', 0)");
        assert_int_equal(sqlite3_open(g.path, &db), SQLITE_OK);
        if (contents_tell(db, capability_tables(), NULL, &err) < 0) fail_msg("%s", err.text);
        sqlite3_close(db);
        assert_int_equal(checks(&g, &err), 0);
        made_run(&g, damage[i].edit);
        assert_int_equal(checks(&g, &err), -EBADMSG);
        if (!strstr(err.text, damage[i].named)) fail_msg("%s", err.text);
        made_close(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_changes), cmocka_unit_test(test_told),
                                        cmocka_unit_test(test_all) };

    return cmocka_run_group_tests_name("graph/contents", tests, NULL, NULL);
}
