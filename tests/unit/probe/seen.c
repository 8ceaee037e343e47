/* tests/unit/probe/seen.c -- tests of orders from a small graph, by hand; one that another program has cut. */
#include "probe/seen.h"
#include "tests/unit/made_graph.h"

static int add(struct report_document *out, sqlite3 *db, struct err *err)
{
    size_t count;

    return seen_add(out, out->root, db, &count, err);
}

static const struct report_part part = { .add = add };

/* Gains 2, 1, 3 of three shards; of the second model none but one. */
static const char sql[] =
    "INSERT INTO datasets (id, url, role, self_join) VALUES ('z', '', 'benchmark', 0), ('a', '', 'benchmark', 0);"
    "INSERT INTO models VALUES (1, 'big', 'llama', 4096, NULL, 7, ''), (2, 'small', 'ngram', NULL, 9, NULL, '');"
    "INSERT INTO probe_orders VALUES ('a', 1, 0, 0, 5, 9, -9), ('a', 1, 0, 1, 5, 9, -9),"
    "('z', 2, 0, 0, 5, 9, -8), ('z', 2, 0, 1, 5, 9, -9),"
    "('z', 1, 0, 0, 5, 9, -10), ('z', 1, 0, 1, 5, 9, -11), ('z', 1, 0, 2, 5, 9, -13),"
    "('z', 1, 1, 0, 5, 9, -20), ('z', 1, 1, 1, 5, 9, -21), ('z', 1, 1, 2, 5, 9, -21),"
    "('z', 1, 2, 0, 4, 9, -5), ('z', 1, 2, 1, 4, 9, -9), ('z', 1, 2, 2, 4, 9, -7);";

static void test_table(void **unused)
{
    struct made_graph  g;
    struct made_report report;

    (void)unused;
    made_open(&g, sql);
    made_report(&g, &part, &report);
    made_says(&report, "| z | big | 14 | 3 | 2 | 2.000 | 3.464 | 0.03709 | 0.03709 | 0.3333 |");
    made_json(&report, "orders.1.model", "\"small\"");
    made_json(&report, "orders.1.gain", "1");
    made_json(&report, "orders.1.p", "null");               /* one shard has no deviation */
    made_json(&report, "orders.1.p_orders", "0.5");
    made_says(&report, "| a | big | 5 | 1 | 1 | 0.000 | - | - | - | 1 |");
    made_json(&report, "orders.3", "");
    made_report_free(&report);

    made_run(&g, "DELETE FROM probe_orders WHERE logprob = -7; DELETE FROM probe_orders WHERE dataset = 'a'");
    made_report(&g, &part, &report);
    made_says(&report, "| z | big | 14 | 0 | 1 | - | - | - | - | - |");
    made_report_free(&report);
    made_run(&g, "DELETE FROM probe_orders");
    made_report(&g, &part, &report);
    made_json(&report, "orders", "");
    made_report_free(&report);
    made_close(&g);
}

/* Two that are tested are adjusted together. */
static void test_family(void **unused)
{
    struct made_graph g;
    struct seen_list  list;
    struct err        err = { 0 };
    sqlite3          *db;

    (void)unused;
    made_open(&g, sql);
    made_run(&g, "DELETE FROM probe_orders WHERE model = 2; INSERT INTO probe_orders SELECT dataset, 2, shard, "
                 "permutation, items, tokens, logprob FROM probe_orders WHERE dataset = 'z'");
    db = made_read(&g);
    if (seen_read(&list, db, &err) < 0) fail_msg("%s", err.text);
    graph_close(db);
    assert_int_equal(list.count, 3);
    assert_true(slice_equal(list.at[0].benchmark, SLICE("z")) && slice_equal(list.at[2].benchmark, SLICE("a")));
    assert_true(list.at[0].test.p == list.at[1].test.p && list.at[0].holm == 2 * list.at[0].test.p);
    seen_free(&list);
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_table), cmocka_unit_test(test_family) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
