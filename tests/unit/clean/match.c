/* tests/unit/clean/match.c -- what a record was matched with, asked of graph.db and written as columns. */
#include "graph/read.h"
#include "tests/unit/clean/world.h"

static struct world w;

static int set_up(void **unused)
{
    (void)unused;
    world_open(&w, "near_duplicates: {}\n");
    return 0;
}

static int tear_down(void **unused)
{
    (void)unused;
    world_close(&w);
    return 0;
}

static void test_print(void **unused)
{
    struct match match = { .kind = SLICE("clone"), .dataset = SLICE("a"), .shard = SLICE("a1.jsonl"),
                           .path = SLICE("x\ty"), .record = 2, .similarity = -1, .of_shard = 0 };
    struct bytes out = { 0 };

    (void)unused;
    assert_int_equal(match_print(&out, &match, &w.counts), 0);
    assert_true(slice_equal(bytes_slice(&out), SLICE("a\t1\ta1.jsonl\t2\tx\\x09y\tclone\t")));
    match.similarity = 0;
    match.of_shard = MATCH_NO_SHARD;
    out.len = 0;
    assert_int_equal(match_print(&out, &match, &w.counts), 0);
    assert_true(slice_equal(bytes_slice(&out), SLICE("a\t\ta1.jsonl\t2\tx\\x09y\tclone\t0.000000")));
    out.len = 0;
    assert_int_equal(match_print(&out, NULL, NULL), 0);
    assert_true(slice_equal(bytes_slice(&out), MATCH_NONE));
    bytes_free(&out);
}

static void finds(struct matcher *m, const char *sql, uint64_t id, const char *against, const char *expected)
{
    struct bytes out = { 0 };
    struct err   err = { 0 };

    assert_int_equal(matcher_find(m, sql, id, against, &out, &err), expected ? 1 : 0);
    assert_true(slice_equal(bytes_slice(&out), slice_of(expected)));
    bytes_free(&out);
}

static struct matcher *matcher_of(sqlite3 **db)
{
    struct matcher *m = NULL;
    struct err      err = { 0 };
    char            path[4096];

    snprintf(path, sizeof path, "%s/graph.db", w.g.folder);
    if (graph_open(db, path, &err) < 0 || matcher_open(&m, &w.job, *db, &err) < 0) fail_msg("%s", err.text);
    return m;
}

/* A query is asked again with other numbers, and only its first row counts. */
static void test_find(void **unused)
{
    static const char first[] = "SELECT 'near', 0.25, dataset, shard, record, NULL FROM snippets WHERE id > ?1 ORDER "
                                "BY id", second[] = "SELECT 'clone', NULL, ?2, 'gone', 3, 'p' WHERE ?1 = 9";
    struct bytes      out = { 0 };
    struct err        err = { 0 };
    sqlite3          *db;
    struct matcher   *m = matcher_of(&db);

    (void)unused;
    finds(m, first, 1, NULL, "a\t1\ta1.jsonl\t2\t\tnear\t0.250000");
    finds(m, second, 9, "b", "b\t\tgone\t3\tp\tclone\t");
    finds(m, first, 4, NULL, "c\t0\tc.jsonl\t0\t\tnear\t0.250000");
    finds(m, first, 6, NULL, NULL);
    finds(m, second, 8, "b", NULL);
    finds(m, first, 0, NULL, "a\t0\ta1.jsonl\t0\t\tnear\t0.250000");
    assert_true(matcher_find(m, "SELECT nothing", 1, NULL, &out, &err) < 0);
    matcher_close(m);
    matcher_close(NULL);
    graph_close(db);
}

/* The first of the rule's columns that tells: contained pairs are not asked for, copies are none. */
static void test_columns(void **unused)
{
    uint64_t        contained = 0, near = 0, copies = 0;
    struct bytes    out = { 0 };
    struct err      err = { 0 };
    sqlite3        *db;
    struct matcher *m;

    (void)unused;
    made_run(&w.g, "INSERT INTO edges VALUES ('near', 1, 5, 'contained', 1, 1, 1, 1, 1, 1, 1, 1), "
                   "('near', 1, 6, 'near', 1, 1, 1, 1, 0.5, 1, 1, 1), "
                   "('near', 1, 2, 'near', 1, 1, 1, 1, 0.9, 1, 1, 1)");
    m = matcher_of(&db);
    for (size_t c = 0; c < w.columns.count; c++) {
        if (strcmp(w.columns.name[c], "near") == 0) near = 1ull << c;
        if (strcmp(w.columns.name[c], "contained") == 0) contained = 1ull << c;
        if (strcmp(w.columns.name[c], "copies") == 0) copies = 1ull << c;
    }
    assert_int_equal(matcher_find_columns(m, near | contained, 1, &out, &err), 1);
    /* of the other side */
    assert_true(slice_equal(bytes_slice(&out), SLICE("c\t1\tc.jsonl\t1\t\tnear\t0.500000")));
    out.len = 0;
    assert_int_equal(matcher_find_columns(m, copies | contained, 5, &out, &err), 1);
    assert_true(slice_equal(bytes_slice(&out), SLICE("a\t0\ta1.jsonl\t0\t\tcontained\t1.000000")));
    out.len = 0;
    assert_int_equal(matcher_find_columns(m, copies, 1, &out, &err), 0);
    assert_int_equal(matcher_find_columns(m, 0, 1, &out, &err), 0);
    assert_int_equal(out.len, 0);
    bytes_free(&out);
    matcher_close(m);
    graph_close(db);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_print, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_find, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_columns, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("clean/match", tests, NULL, NULL);
}
