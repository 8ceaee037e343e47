/* tests/unit/history/runs.c -- earlier runs in their order, each once, those that are none counted, those that are gone
 * remembered. */
#include "history/runs.h"
#include "tests/unit/made_graph.h"

#include <errno.h>

/* A folder of run folders r0, r1, ...; each is of its own day. */
struct nights { char folder[64], glob[80]; };

static const char night_sql[] =
    "DELETE FROM run; DELETE FROM datasets; INSERT INTO datasets (id, url, role, self_join) VALUES ('%s', '', "
    "'benchmark', 0), ('corpus', '', 'corpus', 0); INSERT INTO run VALUES ('started', '2026-01-%02dT00:00:00Z'), "
    "('finished', '2026-01-%02dT01:00:00Z'), ('version', '1.0'), ('commit', 'abc'), ('digest', 'd%d'), "
    "('configuration_hash', 'h'), ('gates', 'passed'); INSERT INTO splits VALUES ('%s', '', 'c', 10, 10, 0, 0, 60, "
    "NULL, NULL), ('corpus', '', 'c', 5, 5, 0, 0, 60, NULL, NULL); INSERT INTO overlap VALUES ('%s', '', 'corpus', '', "
    "'', 10, 10, %d, %d, 1, 2, 1), ('%s', 'test', 'corpus', '', '', 10, 10, 1, 1, 0, 0, 1), ('corpus', '', '%s', '', "
    "'', 5, 5, 1, 1, 0, 0, 1)";

static void night_make(const struct nights *nights, const char *name, const char *bench, int day)
{
    struct made_graph graph;
    char              sql[1400], path[200];

    snprintf(sql, sizeof sql, night_sql, bench, day, day, day, bench, bench, day, day, bench, bench);
    made_open(&graph, sql);
    snprintf(path, sizeof path, "%s/%s", nights->folder, name);
    assert_int_equal(rename(graph.folder, path), 0);
}

static void nights_open(struct nights *nights)
{
    *nights = (struct nights){ .folder = "/tmp/leakgraph-nights-XXXXXX" };
    assert_non_null(mkdtemp(nights->folder));
    snprintf(nights->glob, sizeof nights->glob, "%s/r*", nights->folder);
}

static sqlite3 *now_open(const struct nights *nights, const char *name)
{
    struct err err = { 0 };
    sqlite3   *db;
    char       path[200];

    snprintf(path, sizeof path, "%s/%s/graph.db", nights->folder, name);
    if (graph_open(&db, path, &err) < 0) fail_msg("%s", err.text);
    return db;
}

static void run_is(const struct history_runs *runs, size_t i, const char *started, bool compared, bool has_folder)
{
    assert_true(i < runs->count);
    if (!slice_equal(runs->run[i].started, slice_of(started)))
        fail_msg("run %zu is of %.*s", i, (int)runs->run[i].started.len, runs->run[i].started.at);
    assert_true(runs->run[i].compared == compared && (runs->run[i].folder.len != 0) == has_folder);
}

static void test_found(void **state)
{
    struct nights         nights;
    struct history_runs   runs = { 0 };
    struct err            err = { 0 };
    char                  path[200], own[200];
    const char           *globs[2];
    struct history_wanted wanted = { globs, 2, own, 10 };
    sqlite3              *now;

    (void)state;
    nights_open(&nights);
    globs[0] = nights.glob;
    globs[1] = "/nowhere/at/all";
    night_make(&nights, "r1", "bench", 3);                  /* names and days go apart */
    night_make(&nights, "r2", "bench", 1);
    night_make(&nights, "r3", "bench", 2);
    night_make(&nights, "r4", "other", 4);
    night_make(&nights, "r5", "bench", 5);
    night_make(&nights, "r9", "bench", 9);
    snprintf(own, sizeof own, "%s/r9", nights.folder);
    snprintf(path, sizeof path, "%s/r5/graph.db", nights.folder);
    write_file(path, "no database", 11);
    snprintf(path, sizeof path, "%s/r6", nights.folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/r7", nights.folder);
    write_file(path, "a log", 5);
    snprintf(path, sizeof path, "%s/r8", nights.folder);
    assert_int_equal(symlink("r1", path), 0);               /* the last one by another name */
    now = now_open(&nights, "r9");
    if (history_find(&runs, &wanted, now, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(runs.count, 3);
    run_is(&runs, 0, "2026-01-01T00:00:00Z", false, true);
    run_is(&runs, 1, "2026-01-02T00:00:00Z", false, true);
    run_is(&runs, 2, "2026-01-03T00:00:00Z", true, true);
    assert_true(runs.unfinished == 2 && runs.unreadable == 1 && runs.unusable == 0 && runs.others == 1);
    assert_non_null(strstr(runs.reason, "not a database"));
    assert_non_null(strstr(runs.latest, "/r1/graph.db"));
    assert_int_equal(runs.leaks, 6);                        /* of the benchmark alone, splits too */
    for (size_t l = 0; l < runs.leaks; l++) {
        assert_true(slice_equal(runs.leak[l].source, SLICE("bench")) && runs.leak[l].run < 3);
        if (!runs.leak[l].split.len) assert_int_equal(runs.leak[l].direct, runs.leak[l].run + 1);
    }
    history_runs_free(&runs);

    wanted.most = 1;
    assert_int_equal(history_find(&runs, &wanted, now, &err), 0);
    assert_int_equal(runs.count, 1);
    run_is(&runs, 0, "2026-01-03T00:00:00Z", true, true);
    assert_true(runs.leaks == 2 && runs.leak[0].run == 0);
    history_runs_free(&runs);

    wanted.run_count = 0;                                   /* what the folder held before */
    assert_int_equal(history_find(&runs, &wanted, now, &err), 0);
    assert_int_equal(runs.count, 1);
    run_is(&runs, 0, "2026-01-09T00:00:00Z", true, true);
    history_runs_free(&runs);
    graph_close(now);
    remove_tree(nights.folder);
}

/* A folder that is gone stands in the tables of a later run; one that is there is not told twice. */
static void test_remembered(void **state)
{
    struct nights         nights;
    struct history_runs   runs = { 0 };
    struct made_graph     last;
    struct err            err = { 0 };
    char                  own[200];
    const char           *globs[1];
    struct history_wanted wanted = { globs, 1, own, 10 };
    sqlite3              *now;

    (void)state;
    nights_open(&nights);
    globs[0] = nights.glob;
    night_make(&nights, "r1", "bench", 3);
    night_make(&nights, "r2", "bench", 4);
    night_make(&nights, "own", "bench", 9);
    snprintf(own, sizeof own, "%s/own", nights.folder);
    snprintf(last.path, sizeof last.path, "%s/r2/graph.db", nights.folder);
    made_run(&last, "INSERT INTO history_runs VALUES (1, 'gone', '2026-01-02T00:00:00Z', '', '1.0', '', 'd2', '', "
             "'failed', 0), (2, 'r1', '2026-01-03T00:00:00Z', '', '1.0', '', 'd3', '', '', 1), (3, NULL, "
             "'2026-01-04T00:00:00Z', '', '1.0', '', 'd4', '', '', 0);"
             "INSERT INTO history_leakage VALUES (1, 'bench', '', 'corpus', 10, 7, 0, 0, 7), (2, 'bench', '', "
             "'corpus', 10, 8, 0, 0, 8)");
    now = now_open(&nights, "own");
    if (history_find(&runs, &wanted, now, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(runs.count, 3);
    run_is(&runs, 0, "2026-01-02T00:00:00Z", false, false);
    run_is(&runs, 1, "2026-01-03T00:00:00Z", false, true);
    run_is(&runs, 2, "2026-01-04T00:00:00Z", true, true);
    assert_true(slice_equal(runs.run[0].gates, SLICE("failed")));
    for (size_t l = 0, first = 0; l < runs.leaks; l++) {
        first += runs.leak[l].run == 0;
        if (runs.leak[l].run == 0) assert_true(runs.leak[l].direct == 7 && first == 1);
        else assert_true(runs.leak[l].direct != 8);         /* that of the folder */
    }
    history_runs_free(&runs);
    graph_close(now);
    remove_tree(nights.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_found), cmocka_unit_test(test_remembered) };

    return cmocka_run_group_tests_name("history/runs", tests, NULL, NULL);
}
