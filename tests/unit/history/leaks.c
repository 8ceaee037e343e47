/* tests/unit/history/leaks.c -- the best match of an item in each dataset, whatever order pairs come in. */
#include "history/leaks.h"
#include "tests/unit/history/two_runs.h"

static const uint64_t text[2] = { 0, 0 };

static void test_best(void **state)
{
    static const char *const   names[] = { "bench", "corpus" };
    static const uint32_t      of[] = { 0, 1 };
    const struct leak_names    both = { names, 2 };
    struct match_list          items = { 0 };
    struct made_graph          graph;
    struct leaks               leaks;
    struct bytes               kind = { 0 }, match = { 0 };
    struct err                 err = { 0 };
    sqlite3                   *db;

    (void)state;
    made_open(&graph, DATASETS DOCUMENT("0") DOCUMENT("1") DOCUMENT("2") ITEM("0", "a", "1") ITEM("1", "b", "2")
              PAIR("0", "0", "contained", "0.1") PAIR("0", "1", "near", "0.8") PAIR("0", "2", "near", "0.9")
              PAIR("1", "0", "below", "0.5")
              "INSERT INTO edges VALUES ('dedup', 2, 1000000000002, 'exact', 1, 1, 1, 1, 1, 1, 1, 1);"
              "INSERT INTO edges VALUES ('near', 2, 9000000000002, 'exact', 1, 1, 1, 1, 1, 1, 1, 1);");
    db = made_read(&graph);
    for (uint64_t id = 1; id <= 2; id++)
        assert_int_equal(match_add(&items, id, text, SLICE(""), SLICE(""), false, SLICE(""), &err), 0);
    if (leaks_read(&leaks, db, 1, &items, of, 2, &both, &err) < 0) fail_msg("%s", err.text);
    /* below, another pass, and a dataset that is none are no leaks */
    assert_true(leaks.count == 1 && leaks.first[0] == 0 && leaks.first[1] == 1 && leaks.first[2] == 1);
    assert_true(leaks.at[0].item == 0 && leaks.at[0].target == 1 && leaks.at[0].alike == 0.9 &&
                leaks.at[0].other == 1000000000003);
    assert_int_equal(leak_kind(db, 1, &leaks.at[0], &both, &kind, &match, &err), 0);
    text_is(bytes_slice(&kind), "near");
    text_is(bytes_slice(&match), "corpus/t:2 d2.c");
    leaks.at[0].other = 7;                                  /* a document that is not there has no name */
    assert_int_equal(leak_kind(db, 1, &leaks.at[0], &both, &kind, &match, &err), 0);
    text_is(bytes_slice(&kind), "near");
    assert_int_equal(match.len, 0);
    leaks_free(&leaks);
    match_free(&items);
    bytes_free(&kind);
    bytes_free(&match);
    graph_close(db);
    made_close(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_best) };

    return cmocka_run_group_tests_name("history/leaks", tests, NULL, NULL);
}
