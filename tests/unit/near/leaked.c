/* tests/unit/near/leaked.c -- each benchmark against each other dataset, a document counted once. */
#include "near/leaked.h"
#include "tests/unit/near/leaking_graph.h"

static void check(const struct made_graph *graph, const uint64_t (*expected)[4], size_t count)
{
    static const char *const names[][2] = { { "bench", "other" }, { "bench", "code" }, { "bench", "stack" },
                                            { "other", "bench" }, { "other", "code" } };
    struct leaked_list list;
    struct err         err = { 0 };
    sqlite3           *db = made_read(graph);

    assert_int_equal(leaked_read(&list, db, &err), 0);
    graph_close(db);                                        /* nothing in the list borrows from it */
    assert_int_equal(list.count, count);
    for (size_t i = 0; i < count; i++) {
        assert_true(slice_equal(list.at[i].source, slice_of(names[i][0])));
        assert_true(slice_equal(list.at[i].target, slice_of(names[i][1])));
        assert_int_equal(list.at[i].target_is_corpus, i == 1 || i == 2 || i == 4);
        assert_int_equal(list.at[i].documents, expected[i][0]);
        assert_int_equal(list.at[i].direct, expected[i][1]);
        assert_int_equal(list.at[i].contained, expected[i][2]);
        assert_int_equal(list.at[i].copies, expected[i][3]);
    }
    leaked_free(&list);
    assert_true(!list.at && !list.count);
}

static void test_read(void **unused)
{
    /* two with a contained pair, one of them with a near pair too */
    static const uint64_t rows[][4] = { { 10, 0, 0, 0 }, { 10, 2, 1, 1 }, { 10, 0, 0, 0 }, { 4, 0, 0, 0 },
                                        { 4, 3, 0, 0 } };
    /* the edges lie elsewhere: of five contained at least three are not among two direct ones */
    static const uint64_t least[][4] = { { 10, 0, 0, 0 }, { 10, 2, 3, 1 }, { 10, 0, 0, 0 }, { 4, 0, 0, 0 },
                                         { 4, 3, 0, 0 } };
    struct made_graph graph;

    (void)unused;
    made_open(&graph, leaking_sql);
    check(&graph, rows, 5);
    made_run(&graph, "DELETE FROM edges; UPDATE overlap SET contained = 5 WHERE source = 'bench' AND target = 'code'");
    check(&graph, least, 5);
    made_run(&graph, "DELETE FROM overlap");
    check(&graph, NULL, 0);
    made_close(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_read) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
