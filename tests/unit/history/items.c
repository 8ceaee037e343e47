/* tests/unit/history/items.c -- each kind of change of an item, counted and named; what cannot be compared. */
#include "history/items.h"
#include "history/tell.h"
#include "tests/unit/history/two_runs.h"

static void item_is(const struct changed_item *item, const char *change, const char *id, const char *old,
                    const char *new)
{
    char text[2][80];

    text_is(item->change, change);
    text_is(item->source_id, id);
    text_is(item->dataset, "bench");
    text_is(item->target, "corpus");
    for (int i = 0; i < 2; i++) {
        const struct item_match *match = i ? &item->new : &item->old;

        text[i][0] = '\0';
        if (match->kind.len)
            snprintf(text[i], sizeof text[i], "%.*s %.2f %.*s", (int)match->kind.len, match->kind.at, match->alike,
                     (int)match->match.len, match->match.at);
        else assert_true(match->alike < 0 && !match->match.len);
    }
    assert_string_equal(text[0], old);
    assert_string_equal(text[1], new);
}

static void test_kinds(void **state)
{
    struct two_runs two;
    struct changes  changes = { .most = 10 };
    struct err      err = { 0 };

    (void)state;
    two_open(&two, OLD_ITEMS, NEW_ITEMS);
    if (items_changed(&changes, two.db[0], two.db[1], &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(changes.item_count, 6);
    item_is(&changes.item[0], "added", "x", "", "copy 1.00 corpus/t:1 d1.c");
    item_is(&changes.item[1], "no longer leaked", "b", "exact 1.00 corpus/t:1 d1.c", "");
    item_is(&changes.item[2], "newly leaked", "c", "", "contained 0.97 corpus/t:0 d0.c");       /* its own share */
    item_is(&changes.item[3], "edited", "d", "", "near 0.85 corpus/t:0 d0.c");
    item_is(&changes.item[4], "moved", "f", "near 0.80 corpus/t:0 d0.c", "near 0.75 corpus/t:0 d0.c");
    item_is(&changes.item[5], "removed", "e", "near 0.80 corpus/t:0 d0.c", "");
    text_is(changes.item[2].path, "p/c.c");
    rows_are(&changes, HISTORY_ITEMS,
             "bench/ /  added >2\nbench/ /  removed >1\nbench/ /  edited >1\n"
             "bench/ corpus/  newly leaked >1\nbench/ corpus/  no longer leaked >1\nbench/ corpus/  added >1\n"
             "bench/ corpus/  removed >1\nbench/ corpus/  edited >1\nbench/ corpus/  moved >1\n"
             "/ /  new leaks >3\n");
    changes_free(&changes);
    two_close(&two);
}

/* All are counted, so many are listed; a run with itself has nothing to say. */
static void test_most(void **state)
{
    struct two_runs two;
    struct changes  changes = { .most = 0 };
    struct err      err = { 0 };

    (void)state;
    two_open(&two, OLD_ITEMS, NEW_ITEMS);
    assert_int_equal(items_changed(&changes, two.db[0], two.db[1], &err), 0);
    assert_true(changes.item_count == 0 && changes.count == 10);
    changes_free(&changes);
    changes.most = 10;
    assert_int_equal(items_changed(&changes, two.db[1], two.db[1], &err), 0);
    assert_true(changes.item_count == 0 && changes.count == 0);
    changes_free(&changes);
    two_close(&two);
}

/* Datasets in another order have other ids; items inside documents; another split of their own dataset. */
static void test_elsewhere(void **state)
{
    static const char swapped[] =
        "INSERT INTO datasets (id, url, role, self_join) VALUES ('corpus', '', 'corpus', 0), ('bench', '', "
        "'benchmark', 0); DELETE FROM run; INSERT INTO run VALUES ('near.view', 'identifiers');"
        "INSERT INTO snippets (id, snippet, dataset, language, tokens, id_within_dataset, source_id, shard, record, "
        "matches, features, distinct_features, admitted, xxh128) VALUES (1, '', 'corpus', 'c', '[]', 0, NULL, 't', 0, "
        "0, 9, 9, 1, printf('%032x', 1000)), (1000000000001, '', 'bench', 'c', '[]', 0, 'a', 's', 0, 0, 9, 9, 1, "
        "printf('%032x', 1));"
        "INSERT INTO edges VALUES ('near', 1, 1000000000001, 'contained', 5, 9, 5, 9, 0.2, 0.2, 0.1, 0.93);";
    struct two_runs two;
    struct changes  changes = { .most = 10 };
    struct err      err = { 0 };

    (void)state;
    two_open(&two, DATASETS DOCUMENT("0") ITEM("0", "a", "1") ITEM("1", "b", "2")
             "UPDATE snippets SET split_within_dataset = source_id WHERE dataset = 'bench'", swapped);
    assert_int_equal(items_changed(&changes, two.db[0], two.db[1], &err), 0);
    assert_int_equal(changes.item_count, 1);                /* of another split, so another item */
    item_is(&changes.item[0], "added", "a", "", "contained 0.93 corpus/t:0");
    changes_free(&changes);
    changes.most = 10;
    two_close(&two);

    two_open(&two, DATASETS DOCUMENT("0") ITEM("0", "a", "1") ITEM("1", "b", "2")
             "UPDATE snippets SET split_within_dataset = 'test' WHERE dataset = 'bench'",
             DATASETS DOCUMENT("0") ITEM("0", "a", "1") ITEM("1", "b", "2")
             "UPDATE snippets SET split_within_dataset = 'test' WHERE dataset = 'bench';"
             "INSERT INTO edges VALUES ('near', 1, 2, 'near', 5, 9, 5, 9, 0.9, 0.9, 0.9, 0.9);"     /* the same split */
             "INSERT INTO passages (item, dataset, shard, record, found, runs, share) VALUES (1, 'corpus', 't', 4, 9, "
             "9, 0.95);");
    assert_int_equal(items_changed(&changes, two.db[0], two.db[1], &err), 0);
    assert_int_equal(changes.item_count, 1);
    text_is(changes.item[0].change, "newly leaked");
    text_is(changes.item[0].split, "test");
    text_is(changes.item[0].new.kind, "contained");
    assert_true(changes.item[0].new.alike == 0.95 && memmem(changes.item[0].new.match.at,
                                                            changes.item[0].new.match.len, "corpus/", 7));
    changes_free(&changes);
    two_close(&two);
}

#define CLONES "DELETE FROM run; INSERT INTO run VALUES ('clone_types.types', '1 2 3')"

static void test_not_compared(void **state)
{
    static const struct { const char *old, *new, *rows; } cases[] = {
        { "", "DELETE FROM run", "bench/ /  not compared >only the old run looked for pairs\n" },
        { "DELETE FROM run", "", "bench/ /  not compared >only the new run looked for pairs\n" },
        { "DELETE FROM run", "DELETE FROM run", "bench/ /  not compared >neither run looked for pairs\n" },
        { "DELETE FROM run", CLONES, "bench/ /  not compared >only the new run looked for pairs\n" },
        { CLONES, "DELETE FROM run", "bench/ /  not compared >only the old run looked for pairs\n" },
        { CLONES, CLONES, "" },
        { "", "INSERT INTO run VALUES ('edges_file', 'edges.tsv.zst')",
          "bench/ /  not compared >the pairs of the new run are in a file beside its graph.db\n" },
        { "INSERT INTO run VALUES ('edges_file', 'edges.tsv.zst')", "",
          "bench/ /  not compared >the pairs of the old run are in a file beside its graph.db\n" },
        { "UPDATE datasets SET id = 'other' WHERE id = 'bench'", "",
          "bench/ /  not compared >only the new run has it as a benchmark\n"
          "other/ /  not compared >only the old run has it as a benchmark\n" },
    };
    struct two_runs two;

    (void)state;
    two_open(&two, DATASETS, DATASETS);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct changes changes = { .most = 10 };
        struct err     err = { 0 };
        sqlite3       *db[2];

        for (int s = 0; s < 2; s++) {                       /* what is done to them is not kept */
            assert_int_equal(sqlite3_open(two.graph[s].path, &db[s]), SQLITE_OK);
            assert_int_equal(sqlite3_exec(db[s], "BEGIN", NULL, NULL, NULL), SQLITE_OK);
            assert_int_equal(sqlite3_exec(db[s], s ? cases[i].new : cases[i].old, NULL, NULL, NULL), SQLITE_OK);
        }
        assert_int_equal(items_changed(&changes, db[0], db[1], &err), 0);
        rows_are(&changes, HISTORY_ITEMS, cases[i].rows);
        changes_free(&changes);
        for (int s = 0; s < 2; s++) sqlite3_close(db[s]);
    }
    two_close(&two);
}

#define OVERLAP(split, target, target_split, direct, copies) CONTAINED(split, target, target_split, direct, copies, "0")
#define CONTAINED(split, target, target_split, direct, copies, contained) \
    "INSERT INTO overlap (source, split, target, target_split, language, documents, admitted, direct, transitive, " \
    "copies, contained, complete) VALUES ('bench', '" split "', '" target "', '" target_split "', '', 2, 2, " direct \
    ", " direct ", " copies ", " contained ", 1);"
#define TWO_ITEMS DATASETS DOCUMENT("0") ITEM("0", "a", "1") ITEM("1", "b", "2")
#define OF_SPLITS "UPDATE snippets SET split_within_dataset = source_id WHERE dataset = 'bench';"
#define KEEPS(pairs) "INSERT INTO run VALUES ('near.max_matches', '" pairs "');"
#define INSIDE "INSERT INTO edges VALUES ('near', 1, 2, 'near', 5, 9, 5, 9, 0.9, 0.9, 0.9, 0.9);"

/* Where fewer items have a pair than were counted, one that leaks now may have none. */
static void test_lost(void **state)
{
    static const char lacks[] = "bench/ /  not compared >graph.db of the %s run does not keep all pairs; "
                                "near_duplicates.pairs: all and a larger max_matches do\n";
    static const struct { const char *more; bool lost; } cases[] = {
        { OVERLAP("", "corpus", "", "2", "0") PAIR("0", "0", "exact", "1.0"), true },
        { OVERLAP("", "corpus", "", "1", "1") PAIR("0", "0", "exact", "1.0"), true },
        { OVERLAP("", "corpus", "", "2", "0") PAIR("0", "0", "near", "0.9") PAIR("1", "0", "contained", "0.1"), true },
        { OVERLAP("", "corpus", "", "1", "1") PAIR("0", "0", "near", "0.9") PAIR("1", "0", "copy", "1.0"), false },
        { CONTAINED("", "corpus", "", "0", "0", "2") PAIR("0", "0", "contained", "0.1") INSIDE KEEPS("1"), true },
        { CONTAINED("", "corpus", "", "0", "0", "2") PAIR("0", "0", "contained", "0.1") INSIDE KEEPS("2"), false },
        { CONTAINED("", "corpus", "", "1", "0", "2") PAIR("0", "0", "contained", "0.1") PAIR("1", "0", "near", "0.9")
          INSIDE KEEPS("1"), false },
        { CONTAINED("", "corpus", "", "0", "0", "1") PAIR("0", "0", "contained", "0.1") INSIDE KEEPS("1"), false },
        { OVERLAP("a", "bench", "b", "1", "0") OVERLAP("b", "bench", "a", "1", "0") OF_SPLITS INSIDE, false },
        { OVERLAP("a", "bench", "b", "1", "0") OVERLAP("b", "bench", "c", "1", "0") OF_SPLITS INSIDE, true },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct two_runs two;
        char            sql[4000], text[200];

        snprintf(sql, sizeof sql, "%s%s", TWO_ITEMS, cases[i].more);
        two_open(&two, TWO_ITEMS, sql);
        for (int s = 0; s < 2; s++) {                       /* which of the two it is does not matter */
            struct changes changes = { .most = 10 };
            struct err     err = { 0 };

            if (items_changed(&changes, two.db[s], two.db[!s], &err) < 0) fail_msg("%s", err.text);
            snprintf(text, sizeof text, lacks, s ? "old" : "new");
            if (cases[i].lost) rows_are(&changes, HISTORY_ITEMS, text);
            assert_int_equal(changes_lack_items(&changes), cases[i].lost);
            changes_free(&changes);
        }
        two_close(&two);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_kinds), cmocka_unit_test(test_most),
                                        cmocka_unit_test(test_elsewhere), cmocka_unit_test(test_not_compared),
                                        cmocka_unit_test(test_lost) };

    return cmocka_run_group_tests_name("history/items", tests, NULL, NULL);
}
