/* tests/unit/probe/gate.c -- AUC by hand: ties count half, metrics that fall are turned, one class says nothing. */
#include "probe/task.h"
#include "tests/unit/made_graph.h"

#define ITEM(id, dataset, truth) \
    "INSERT INTO snippets VALUES (" #id ", '', '" dataset "', 'c', '[]', " #id ", NULL, '" #id "', NULL, NULL, NULL, " \
    "NULL, NULL, NULL, 's', " #id ", 0, 30, 20, 1, '', NULL, NULL); INSERT INTO probe_items VALUES (" #id ", " \
    #truth ");"
#define VALUE(id, metric, value) "INSERT INTO probes VALUES (" #id ", 1, '" metric "', " #value ");"

static const char probed_sql[] =
    "INSERT INTO datasets VALUES ('b', '', 'benchmark', 0), ('one', '', 'benchmark', 0);"
    "INSERT INTO models VALUES (1, 'm', 'ngram', NULL, NULL, NULL, 'k');"
    ITEM(1, "b", 1) ITEM(2, "b", 1) ITEM(3, "b", 0) ITEM(4, "b", 0) ITEM(5, "b", 0) ITEM(6, "b", NULL)
    ITEM(7, "one", 1) ITEM(8, "one", 1)
    /* 3 wins and a half of 6 */
    VALUE(1, "accuracy", 0.5) VALUE(2, "accuracy", 0.2) VALUE(3, "accuracy", 0.5) VALUE(4, "accuracy", 0.1)
    VALUE(5, "accuracy", 0.3) VALUE(6, "accuracy", 9)
    /* low where it was seen: 4 of 4, one item has no value */
    VALUE(1, "nll", 1) VALUE(2, "nll", 1.5) VALUE(3, "nll", 2) VALUE(4, "nll", 3)
    VALUE(1, "tokens", 4) VALUE(7, "nll", 1) VALUE(8, "nll", 2)
    VALUE(7, "accuracy", 1) VALUE(8, "accuracy", 2);

static void hear(void *context, const struct gate_finding *found)
{
    assert_int_equal(bytes_printf(context, "%.4f, %llu of %llu: %s%s%s\n", found->percent,
                                  (unsigned long long)found->compared, (unsigned long long)found->whole,
                                  found->clause, found->doubt ? "; " : "", found->doubt ? found->doubt : ""), 0);
}

static void test_auc(void **unused)
{
    const struct gate_listener listener = { hear, &(struct bytes){ 0 } };
    struct bytes              *heard = listener.context;
    struct made_graph          graph;
    struct err                 err = { 0 };
    sqlite3                   *db;

    (void)unused;
    assert_string_equal(probe_gates[0].key, "auc");
    assert_int_equal(probe_gates[0].least, 50);
    assert_string_equal(probe_gates[1].key, "order");
    assert_null(probe_gates[2].key);
    made_open(&graph, probed_sql);
    db = made_read(&graph);
    if (probe_gates[0].measure(NULL, db, &listener, &err) < 0) fail_msg("%s", err.text);
    graph_close(db);
    assert_int_equal(bytes_append(heard, "", 1), 0);
    assert_string_equal(heard->at,
                        "58.3333, 5 of 5: 58.33 % is the AUC of accuracy, model m, over b; 2 of the items of b were in "
                        "the training data, 3 were not, and it takes 5 of either\n"
                        "100.0000, 4 of 5: 100.00 % is the AUC of nll, model m, over b; 2 of the items of b were in "
                        "the training data, 2 were not, and it takes 5 of either\n"
                        "0.0000, 0 of 2: 0.00 % is the AUC of no metric, model m, over one; 2 of the items of one "
                        "were in the training data, 0 were not, and it takes 5 of either\n");
    bytes_free(heard);
    made_close(&graph);
}

/* Six shards with gains 1 .. 6, and one alone. */
static void test_order(void **unused)
{
    const struct gate_listener listener = { hear, &(struct bytes){ 0 } };
    struct bytes              *heard = listener.context;
    struct made_graph          graph;
    struct err                 err = { 0 };
    sqlite3                   *db;

    (void)unused;
    made_open(&graph, "INSERT INTO datasets VALUES ('b', '', 'benchmark', 0), ('one', '', 'benchmark', 0);"
              "INSERT INTO models VALUES (1, 'm', 'ngram', NULL, NULL, NULL, 'k');"
              "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6), p(j) AS (VALUES (0), (1), "
              "(2)) INSERT INTO probe_orders SELECT 'b', 1, i - 1, j, 4, 90, iif(j, -100, i - 100) FROM n, p;"
              "INSERT INTO probe_orders VALUES ('one', 1, 0, 0, 3, 9, -2), ('one', 1, 0, 1, 3, 9, -3)");
    db = made_read(&graph);
    if (probe_gates[1].measure(NULL, db, &listener, &err) < 0) fail_msg("%s", err.text);
    graph_close(db);
    assert_int_equal(bytes_append(heard, "", 1), 0);
    /* t 4.582576 with 5 degrees of freedom, p 0.00296677 */
    assert_string_equal(heard->at,
                        "99.7033, 24 of 24: 99.70 % is how surely model m has seen b in its order\n"
                        "50.0000, 3 of 3: 50.00 % is how surely model m has seen one in its order; of its shards 1 "
                        "could be scored, and it takes 5\n");
    bytes_free(heard);
    made_close(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_auc), cmocka_unit_test(test_order) };

    return cmocka_run_group_tests_name("probe/gate", tests, NULL, NULL);
}
