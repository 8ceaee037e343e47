/* tests/unit/graph/read.c -- a graph.db is opened when it is one, and asked a row at a time. */
#include "graph/read.h"

#include "graph/graph.h"
#include "tests/unit/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char folder[] = "/tmp/leakgraph-read-XXXXXX", path[64];

static int open_all(void **state)
{
    static const struct graph_table *const none[] = { NULL };
    static const struct graph_setting      settings[] = { { "one", SLICE("1") }, { "text", SLICE("a'b") } };
    const struct graph                     graph = { .settings = settings, .setting_count = 2 };
    struct err                             err = { 0 };

    (void)state;
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/graph.db", folder);
    return graph_write(&graph, none, path, (char[33]){ "0123" }, 1, &err);
}

static int close_all(void **state)
{
    (void)state;
    remove_tree(folder);
    return 0;
}

static sqlite3 *opened(void)
{
    sqlite3   *db;
    struct err err = { 0 };

    if (graph_open(&db, path, &err) < 0) fail_msg("%s", err.text);
    return db;
}

static void test_ask(void **state)
{
    sqlite3      *db = opened();
    sqlite3_stmt *query;
    struct err    err = { 0 };

    (void)state;
    assert_int_equal(graph_prepare(db, &query, "SELECT value, 1, -2, 0.5, NULL FROM run WHERE key = ?1 AND ?2 = 7",
                                   &err), 0);
    for (int round = 0; round < 2; round++) {               /* bound and stepped again */
        assert_int_equal(graph_bind_text(query, 1, round ? SLICE("one") : SLICE("text"), &err), 0);
        assert_int_equal(graph_bind_number(query, 2, 7, &err), 0);
        assert_int_equal(graph_step(query, &err), 1);
        assert_true(slice_equal(graph_text(query, 0), round ? SLICE("1") : SLICE("a'b")));
        assert_true(graph_number(query, 1) == 1 && graph_number(query, 2) == 0 && graph_number(query, 4) == 0);
        assert_true(graph_real(query, 3) > 0.49 && graph_real(query, 3) < 0.51);
        assert_true(graph_text(query, 4).len == 0 && graph_text(query, 4).at);
        assert_int_equal(graph_step(query, &err), 0);
    }
    assert_true(graph_bind_number(query, 9, 1, &err) < 0);
    graph_finish(query);
    graph_finish(NULL);
    assert_true(graph_prepare(db, &query, "SELECT x FROM nowhere", &err) == -EBADMSG);
    if (!strstr(err.text, path) || !strstr(err.text, "nowhere")) fail_msg("%s", err.text);
    graph_close(db);
    graph_close(NULL);
}

static void test_count(void **state)
{
    sqlite3   *db = opened();
    uint64_t   n = 9;
    struct err err = { 0 };

    (void)state;
    assert_int_equal(graph_count(db, "SELECT count(*) FROM run", &n, &err), 0);
    assert_int_equal(n, 3);                                 /* and the digest */
    assert_int_equal(graph_count(db, "SELECT 5 WHERE 0", &n, &err), 0);
    assert_int_equal(n, 0);
    assert_int_equal(graph_count(db, "SELECT", &n, &err), -EBADMSG);
    graph_close(db);
}

/* A key is asked whole, whatever stands in it. */
static void test_run_says(void **state)
{
    static const struct { const char *key; bool said; } keys[] = {
        { "digest", true }, { "diges", false }, { "digest2", false }, { "", false }, { "x' OR '1' = '1", false },
    };
    sqlite3   *db = opened();
    struct err err = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        bool said = !keys[i].said;

        assert_int_equal(graph_run_says(db, keys[i].key, &said, &err), 0);
        assert_true(said == keys[i].said);
    }
    graph_close(db);
}

/* It is read, and nothing else. */
static void test_read_only(void **state)
{
    sqlite3 *db = opened();

    (void)state;
    assert_int_equal(sqlite3_exec(db, "DELETE FROM run", NULL, NULL, NULL), SQLITE_READONLY);
    graph_close(db);
}

static const char *changed(const char *sql)
{
    sqlite3 *db;

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    sqlite3_close(db);
    return path;
}

/* The views are those of the program: of a graph that has none, and of one that calls something else by a name. */
static void test_views(void **state)
{
    static const struct graph_view  views[] = { { "settings", "n", "SELECT count(*) FROM run", "" },
                                                { NULL, NULL, NULL, NULL } };
    static const struct graph_table table = { .name = "own", .views = views };
    const struct graph_table *const tables[] = { &table, NULL };
    static const char *const changes[] = { "CREATE VIEW settings (n) AS SELECT 77", "DROP VIEW settings; DROP VIEW "
                                           "dataset_summary" };

    (void)state;
    for (size_t i = 0; i <= sizeof changes / sizeof *changes; i++) {
        const bool own = i > 0;                             /* the first time just those that the file has */
        sqlite3   *db;
        uint64_t   n = 0;
        struct err err = { 0 };

        assert_int_equal(graph_open(&db, own ? changed(changes[i - 1]) : path, &err), 0);
        assert_int_equal(graph_define_views(db, own ? tables : tables + 1, &err), 0);
        assert_int_equal(graph_count(db, "SELECT count(*) FROM sqlite_temp_schema", &n, &err), 0);
        if (!own) {
            assert_int_equal(n, 0);
            graph_close(db);
            continue;
        }
        assert_true(n > 1);
        assert_int_equal(graph_count(db, "SELECT n FROM settings", &n, &err), 0);
        assert_int_equal(n, 3);
        assert_int_equal(graph_count(db, "SELECT count(*) FROM dataset_summary", &n, &err), 0);
        assert_true(graph_define_views(db, tables, &err) < 0 && *err.text);
        graph_close(db);
    }
}

/* Of many documents, a view that is asked often is kept, and those that ask it ask what is kept; of few it is not. */
static void test_settled(void **state)
{
    static const struct graph_view  views[] = { { "chosen", "n", "SELECT id FROM snippets WHERE id % 1000 = 7 ORDER BY "
                                                  "id DESC", "" },
                                                { "first", "n", "SELECT n FROM chosen LIMIT 1", "" },
                                                { NULL, NULL, NULL, NULL } };
    static const struct graph_table table = { .name = "own", .views = views, .often = "chosen" };
    const struct graph_table *const tables[] = { &table, NULL };

    (void)state;
    for (uint64_t many = 0; many < 2; many++) {
        sqlite3   *db;
        uint64_t   n = 0;
        struct err err = { 0 };

        changed(many ? "INSERT INTO snippets SELECT 8191" :
                "DROP TABLE snippets; CREATE TABLE snippets (id INTEGER PRIMARY KEY); WITH RECURSIVE k(i) AS (SELECT 0 "
                "UNION ALL SELECT i + 1 FROM k WHERE i < 8190) INSERT INTO snippets SELECT i FROM k");
        assert_int_equal(graph_open(&db, path, &err), 0);
        assert_int_equal(graph_define_views(db, tables, &err), 0);
        if (graph_settle_views(db, tables, &err) < 0) fail_msg("%s", err.text);
        assert_int_equal(graph_count(db, "SELECT count(*) FROM sqlite_temp_schema WHERE type = 'table'", &n, &err), 0);
        assert_int_equal(n, many);
        assert_int_equal(graph_count(db, "SELECT n FROM first", &n, &err), 0);
        assert_int_equal(n, 8007);
        assert_int_equal(graph_count(db, "SELECT count(*) FROM chosen", &n, &err), 0);
        assert_int_equal(n, 9);
        if (many) {                                         /* what is kept is asked */
            assert_int_equal(sqlite3_exec(db, "UPDATE settled_chosen SET n = 5", NULL, NULL, NULL), SQLITE_OK);
            assert_int_equal(graph_count(db, "SELECT n FROM first", &n, &err), 0);
            assert_int_equal(n, 5);
        }
        graph_close(db);
    }
}

static void test_refused(void **state)
{
    static const struct { const char *sql; int code; const char *said; } cases[] = {
        { "PRAGMA user_version = 99", -EBADMSG, "has version 99 of the format, this program reads version " },
        { "PRAGMA user_version = 100", -EBADMSG, ": a newer leakgraph reads it" },
        { "PRAGMA user_version = 5", -EBADMSG, "`leakgraph run` with its configuration makes it again" },
        { "PRAGMA application_id = 5", -EBADMSG, "not a graph database" },
    };
    sqlite3   *db;
    struct err err = { 0 };
    FILE      *file;

    (void)state;
    assert_int_equal(graph_open(&db, "/nonexistent-folder/graph.db", &err), -ENOENT);
    assert_null(db);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(graph_open(&db, changed(cases[i].sql), &err), cases[i].code);
        if (db || !strstr(err.text, cases[i].said) || !strstr(err.text, path)) fail_msg("%s", err.text);
    }
    file = fopen(path, "wbe");
    assert_non_null(file);
    for (int i = 0; i < 1000; i++) fputs("no database at all\n", file);
    fclose(file);
    assert_int_equal(graph_open(&db, path, &err), -EBADMSG);
    assert_null(db);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_ask), cmocka_unit_test(test_count),
                                        cmocka_unit_test(test_run_says), cmocka_unit_test(test_read_only),
                                        cmocka_unit_test(test_views),
                                        cmocka_unit_test(test_settled), cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests_name("read", tests, open_all, close_all);
}
