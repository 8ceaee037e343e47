/* tests/unit/history/changes.c -- rows of two runs merged: what differs, what one alone has, and how much of it. */
#include "tests/unit/history/two_runs.h"

static void merged(const char *old, const char *new, bool whole, size_t most, const char *expected)
{
    const struct change_part part = { "part", "SELECT a, '', '', '', b, c, d, e FROM t", whole };
    struct changes           changes = { .most = most };
    struct err               err = { 0 };
    sqlite3                 *db[2];

    two_in_memory(db, "CREATE TABLE t(a, b, c, d, e)", old, new);
    if (changes_merge(&changes, &part, db[0], db[1], &err) < 0) fail_msg("%s", err.text);
    rows_are(&changes, "part", expected);
    changes_free(&changes);
    for (int i = 0; i < 2; i++) sqlite3_close(db[i]);
}

static void test_merge(void **state)
{
    (void)state;
    merged("", "", false, 9, "");
    merged("INSERT INTO t VALUES ('b', 'x', 'm', 1, 9), ('a', 'x', 'm', 1, 9)",
           "INSERT INTO t VALUES ('a', 'x', 'm', 1, 9), ('b', 'x', 'm', 2, 9)", false, 9, "b/ / x m 1>2\n");
    merged("INSERT INTO t VALUES ('a', 'x', 'm', 1, 9), ('a', 'x', 'n', 0, 9)",                 /* another whole */
           "INSERT INTO t VALUES ('a', 'x', 'm', 1, 8), ('a', 'x', 'n', 0, 8)", false, 9, "a/ / x m 1>1\n");
    merged("INSERT INTO t VALUES ('a', 'x', 'm', NULL, 9), ('b', 'x', 'm', 0, 9)",              /* nothing of more */
           "INSERT INTO t VALUES ('a', 'x', 'm', NULL, 8), ('b', 'x', 'm', 0, 8), ('c', 'x', 'm', NULL, 8)", false, 9,
           "");
    merged("INSERT INTO t VALUES ('a', 'x', 'm', 1, NULL), ('c', '', 'm', 1.5, NULL)",
           "INSERT INTO t VALUES ('a', 'x', 'k', 1, NULL), ('b', '', 'm', 'passed', NULL)", false, 9,
           "a/ / x k >1\na/ / x m 1>\nb/ /  m >passed\nc/ /  m 1.5>\n");
}

/* A name that one run alone has is one row where it is a whole; so is a part that one run alone has. */
static void test_alone(void **state)
{
    static const char two[] = "INSERT INTO t VALUES ('a', 'x', 'bytes', 1, NULL), ('a', 'x', 'content', 'q', NULL)";
    static const char four[] = "INSERT INTO t VALUES ('a', 'x', 'bytes', 1, NULL), ('a', 'x', 'content', 'q', NULL), "
                               "('b', 'x', 'bytes', 2, NULL), ('b', 'x', 'content', 'r', NULL)";

    (void)state;
    merged(two, four, true, 9, "b/ / x bytes >2\n");
    merged(four, two, true, 9, "b/ / x bytes 2>\n");
    merged(two, four, false, 9, "b/ / x bytes >2\nb/ / x content >r\n");
    merged("", four, false, 9, "/ /  rows >4\n");
    merged(four, "", true, 9, "/ /  rows 4>\n");
    merged(two, four, false, 1, "b/ / x bytes >2\n/ /  more rows >1\n");
}

/* All queries of all capabilities run on an empty graph, and on a run with itself nothing differs. */
static void test_find(void **state)
{
    struct two_runs two;
    struct changes  changes = { .most = 100 };
    struct err      err = { 0 };
    size_t          parts = 0;

    (void)state;
    for (const struct change_part *const *list = capability_changes(); *list; list++) parts++;
    assert_true(parts > 10);
    two_open(&two, OLD_ITEMS "INSERT INTO overlap VALUES ('bench', '', 'corpus', '', '', 6, 6, 4, 4, 0, 0, 1);"
             "INSERT INTO splits VALUES ('bench', '', 'c', 6, 6, 0, 0, 60, NULL, NULL);"
             "INSERT INTO gates VALUES ('leakage', 'failed', 'bench', 'corpus', 66.7, 50, 6, 6, 9, 9, 'x', '');"
             "INSERT INTO run VALUES ('version', '1.0')",
             NEW_ITEMS "INSERT INTO overlap VALUES ('bench', '', 'corpus', '', '', 7, 7, 3, 4, 0, 0, 1);"
             "INSERT INTO splits VALUES ('bench', '', 'c', 7, 7, 0, 0, 60, NULL, NULL);"
             "INSERT INTO gates VALUES ('leakage', 'passed', 'bench', 'corpus', 42.9, 50, 6, 6, 9, 9, 'x', '');"
             "INSERT INTO run VALUES ('version', '1.1')");
    if (changes_find(&changes, capability_changes(), two.db[0], two.db[1], &err) < 0) fail_msg("%s", err.text);
    rows_are(&changes, "leakage", "bench/ corpus/  direct 4>3\nbench/ corpus/  transitive 4>4\n");
    rows_are(&changes, "documents", "bench/ / c compared 6>7\nbench/ / c documents 6>7\n");
    rows_are(&changes, "gates", "bench/ corpus/ leakage outcome failed>passed\n"
             "bench/ corpus/ leakage percent 66.7>42.9\n");
    rows_are(&changes, "program", "/ / version value 1.0>1.1\n");
    changes_free(&changes);
    changes.most = 100;
    assert_int_equal(changes_find(&changes, capability_changes(), two.db[0], two.db[0], &err), 0);
    assert_true(changes.count == 0 && changes.item_count == 0);
    changes_free(&changes);
    two_close(&two);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_merge), cmocka_unit_test(test_alone),
                                        cmocka_unit_test(test_find) };

    return cmocka_run_group_tests_name("history/changes", tests, NULL, NULL);
}
