/* tests/unit/report/ahead.c -- tables that another connection asks meanwhile: the report is the same whether all, some
 * or none were asked before they are taken, and one that fails fails where it is taken. */
#include "report/ahead.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const struct query_column columns[] = { { "n", "n", CELL_COUNT }, { "name", "name", CELL_NAME } };

#define NUMBERS(count) \
    "(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < " count ") SELECT n, 'secret ' || n " \
    "AS name FROM c)"

static const struct query_table few = { "few", NUMBERS("3"), columns, 2, 2, NULL };
static const struct query_table many = { "many", NUMBERS("30000"), columns, 2, 0, NULL };      /* QUERY_ROWS_MOST */
static const struct query_table none = { "none", "(SELECT 1 AS n, '' AS name WHERE 0)", columns, 2, 0, NULL };
static const struct query_table other = { "other", NUMBERS("2"), columns, 2, 0, NULL };        /* in no list */
static const struct query_table wrong = { "wrong", "nowhere", columns, 2, 0, NULL };

static const struct query_table *const first[] = { &few, &many, NULL }, *const second[] = { &none, &wrong, NULL };
static const struct report_part a = { .ahead = first }, b = { 0 }, c = { .ahead = second };
static const struct report_part *const parts[] = { &a, &b, &c, NULL };

/* Between other nodes of the section; all: rows that the view gives. */
static const struct { const struct query_table *table; size_t all, hidden; } taken[] = {
    { &many, 30000, 0 }, { &other, 2, 0 }, { &none, 0, 0 }, { &few, 3, 1 },
};

static int mask(struct slice *text, bool program, struct bytes *masked)
{
    (void)program;
    if (text->len < 7 || memcmp(text->at, "secret ", 7) != 0) return 0;
    masked->len = 0;
    if (bytes_append(masked, "***", 3) < 0) return -1;
    *text = bytes_slice(masked);
    return 0;
}

static void *ask(void *ahead)
{
    sqlite3 *db;

    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    ahead_ask(ahead, db);
    sqlite3_close(db);
    return NULL;
}

enum when { NEVER, BEFORE, MEANWHILE, TOO_LATE };

/* The document as Markdown and JSON. */
static void make(enum when when, struct bytes *out)
{
    struct report_document document;
    pthread_t              thread;
    sqlite3               *db;
    struct err             err = { 0 };
    struct query_rows      rows;

    out->len = 0;
    report_open(&document, "Report");
    document.mask = mask;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    if (when != NEVER) assert_int_equal(ahead_open(&document, parts, &err), 0);
    if (when == BEFORE) ask(document.ahead);
    if (when == TOO_LATE) ahead_enough(document.ahead);
    if (when == MEANWHILE || when == TOO_LATE)
        assert_int_equal(pthread_create(&thread, NULL, ask, document.ahead), 0);
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        report_paragraph(&document, document.root, "Before table %zu.", i);
        assert_int_equal(query_table_add(&document, document.root, db, taken[i].table, &rows, &err), 0);
        assert_true(rows.all == taken[i].all && rows.hidden == taken[i].hidden);
        assert_string_equal(rows.table->key, taken[i].table->key);
        if (rows.all == 0) report_hide(rows.table);
    }
    assert_int_not_equal(query_table_add(&document, document.root, db, &wrong, &rows, &err), 0);
    assert_non_null(strstr(err.text, "nowhere"));
    if (when != NEVER) ahead_enough(document.ahead);
    if (when == MEANWHILE || when == TOO_LATE) pthread_join(thread, NULL);
    assert_true(report_markdown(&document, out) == 0 && report_json(&document, out) == 0);
    ahead_close(&document);
    ahead_close(&document);
    report_close(&document);
    sqlite3_close(db);
}

static void test_same(void **unused)
{
    struct bytes alone = { 0 }, made = { 0 };

    (void)unused;
    make(NEVER, &alone);
    assert_true(alone.len > 10000 && !memmem(alone.at, alone.len, "secret", 6));
    make(BEFORE, &made);
    assert_true(slice_equal(bytes_slice(&alone), bytes_slice(&made)));
    make(TOO_LATE, &made);
    assert_true(slice_equal(bytes_slice(&alone), bytes_slice(&made)));
    for (int round = 0; round < 20; round++) {
        make(MEANWHILE, &made);
        assert_true(slice_equal(bytes_slice(&alone), bytes_slice(&made)));
    }
    bytes_free(&alone);
    bytes_free(&made);
}

/* What was asked is not asked again: a table that changes meanwhile is as it was. */
static void test_once(void **unused)
{
    static const struct query_table        changing = { "t", "t", columns, 1, 0, NULL };
    static const struct query_table *const list[] = { &changing, NULL };
    static const struct report_part        part = { .ahead = list };
    const struct report_part *const        with[] = { &part, NULL };
    struct report_document                 document;
    struct query_rows                      rows;
    struct err                             err = { 0 };
    sqlite3                               *db;

    (void)unused;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE t (n); INSERT INTO t VALUES (1)", NULL, NULL, NULL), SQLITE_OK);
    report_open(&document, "Report");
    assert_int_equal(ahead_open(&document, with, &err), 0);
    ahead_ask(document.ahead, db);
    assert_int_equal(sqlite3_exec(db, "INSERT INTO t VALUES (2)", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(query_table_add(&document, document.root, db, &changing, &rows, &err), 0);
    assert_int_equal(rows.all, 1);
    assert_int_equal(query_table_add(&document, document.root, db, &changing, &rows, &err), 0);      /* taken before */
    assert_int_equal(rows.all, 2);
    ahead_close(&document);
    report_close(&document);
    sqlite3_close(db);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_same), cmocka_unit_test(test_once) };

    return cmocka_run_group_tests_name("report/ahead", tests, NULL, NULL);
}
