/* tests/unit/near/gate.c -- what fail_on may bound: the share of each benchmark that is in each corpus. */
#include "near/gate.h"
#include "near/task.h"
#include "tests/unit/near/leaking_graph.h"

static void hear(void *context, double percent, const char *clause)
{
    assert_int_equal(bytes_printf(context, "%.2f: %s\n", percent, clause), 0);
}

static void check(const struct made_graph *graph, bool contained, const char *expected)
{
    struct near_task           near = { .options = { .containment_threshold = { 9, contained ? 10 : 0 } } };
    const struct task          task = { .of = &near_capability, .state = &near };
    struct bytes               heard = { 0 };
    const struct gate_listener listener = { hear, &heard };
    struct err                 err = { 0 };
    sqlite3                   *db = made_read(graph);

    assert_int_equal(near_gates[0].measure(&task, db, &listener, &err), 0);
    graph_close(db);
    assert_int_equal(bytes_append(&heard, "", 1), 0);
    assert_string_equal(heard.at, expected);
    bytes_free(&heard);
}

static void test_leakage(void **unused)
{
    struct made_graph graph;

    (void)unused;
    assert_string_equal(near_gates[0].key, "leakage");
    assert_null(near_gates[1].key);
    made_open(&graph, leaking_sql);
    /* corpora alone; copies of short documents do not count, contained ones where they were asked for */
    check(&graph, false, "20.00: 20.00 % of bench is in code\n0.00: 0.00 % of bench is in stack\n"
                         "75.00: 75.00 % of other is in code\n");
    check(&graph, true, "30.00: 30.00 % of bench is in code\n0.00: 0.00 % of bench is in stack\n"
                        "75.00: 75.00 % of other is in code\n");
    made_run(&graph, "UPDATE overlap SET documents = 0, direct = 0, contained = 0");   /* nothing is no share */
    check(&graph, true, "0.00: 0.00 % of bench is in code\n0.00: 0.00 % of bench is in stack\n"
                        "0.00: 0.00 % of other is in code\n");
    made_close(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_leakage) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
