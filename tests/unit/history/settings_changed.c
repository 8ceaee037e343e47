/* tests/unit/history/settings_changed.c -- configurations key by key: lists by name and by place, words as one
 * value. */
#include "history/settings_changed.h"
#include "tests/unit/history/two_runs.h"

#include <errno.h>

static void differ(const char *old, const char *new, const char *expected)
{
    struct changes changes = { .most = 9 };
    struct err     err = { 0 };
    sqlite3       *db[2];
    char           make[2][600];

    snprintf(make[0], sizeof make[0], "INSERT INTO run VALUES ('configuration', '%s')", old);
    snprintf(make[1], sizeof make[1], "INSERT INTO run VALUES ('configuration', '%s')", new);
    two_in_memory(db, "CREATE TABLE run(key, value)", make[0], make[1]);
    if (settings_changed(&changes, db[0], db[1], &err) < 0) fail_msg("%s", err.text);
    rows_are(&changes, HISTORY_SETTINGS, expected);
    changes_free(&changes);
    for (int i = 0; i < 2; i++) sqlite3_close(db[i]);
}

static void test_paths(void **state)
{
    (void)state;
    differ("output: a\nmemory: 0\nhistory:\n  keep: 3\n", "output: b\nmemory: 0\n", "");
    differ("near:\n  set: 0.8\n  view: lines\n", "near:\n  set: 0.9\n  view: lines\n", "/ / near.set value 0.8>0.9\n");
    differ("near:\n  set: 0.8\n", "near: {}\nngrams:\n  n: [8, 13]\n", "/ / near value >{}\n/ / near.set value 0.8>\n"
           "/ / ngrams.n value >[8, 13]\n");
    differ("datasets:\n  - {name: b, files: [x, y]}\n  - {name: a, files: [z]}\n",
           "datasets:\n  - {name: a, files: [z]}\n  - {name: b, files: [x, \"y, z\"], url: \"\"}\n",
           "/ / datasets.b.files value [x, y]>[x, \"y, z\"]\n/ / datasets.b.url value >\"\"\n");
    differ("clean:\n  - {drop: items}\n  - {drop: lines}\n", "clean:\n  - {drop: items}\n  - {drop: items}\n",
           "/ / clean.1.drop value lines>items\n");
}

/* A run that says nothing has no settings; one that says nonsense is an error. */
static void test_none(void **state)
{
    struct changes changes = { .most = 9 };
    struct err     err = { 0 };
    sqlite3       *db[2];

    (void)state;
    differ("", "a: 1", "/ / a value >1\n");
    two_in_memory(db, "CREATE TABLE run(key, value)", "SELECT 1", "INSERT INTO run VALUES ('configuration', 'a: [')");
    assert_true(settings_changed(&changes, db[0], db[1], &err) < 0);
    assert_int_equal(settings_changed(&changes, db[0], db[0], &err), 0);
    assert_int_equal(changes.count, 0);
    changes_free(&changes);
    for (int i = 0; i < 2; i++) sqlite3_close(db[i]);
}

/* Of two files the damaged one is named, whichever it is. */
static void test_damaged(void **state)
{
    struct two_runs two;

    (void)state;
    two_open(&two, "INSERT INTO run VALUES ('configuration', 'a: 1')",
             "INSERT INTO run VALUES ('configuration', 'a: [')");
    for (int s = 0; s < 2; s++) {
        struct changes changes = { .most = 9 };
        struct err     err = { 0 };

        assert_int_equal(settings_changed(&changes, two.db[s], two.db[!s], &err), -EBADMSG);
        assert_int_equal(err.code, -EBADMSG);
        assert_int_equal(strncmp(err.text, two.graph[1].path, strlen(two.graph[1].path)), 0);
        assert_non_null(strstr(err.text, ", configuration:2: not valid YAML"));
        changes_free(&changes);
    }
    two_close(&two);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_paths), cmocka_unit_test(test_none),
                                        cmocka_unit_test(test_damaged) };

    return cmocka_run_group_tests_name("history/settings_changed", tests, NULL, NULL);
}
