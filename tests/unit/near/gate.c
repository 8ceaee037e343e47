/* tests/unit/near/gate.c -- what fail_on may bound: the share of each benchmark that is in each corpus. */
#include "near/gate.h"
#include "near/task.h"
#include "tests/unit/near/leaking_graph.h"

static void hear(void *context, const struct gate_finding *found)
{
    assert_int_equal(bytes_printf(context, "%.2f, %llu of %llu: %s\n", found->percent,
                                  (unsigned long long)found->compared, (unsigned long long)found->whole,
                                  found->clause), 0);
}

static bool across;

static void check(const struct made_graph *graph, const char *expected)
{
    struct near_task           near = {
        .options = { .view = { .across_languages = across } },
    };
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

static const char splits_sql[] =
    "INSERT INTO splits (dataset, split, language, documents, admitted, rejected, skipped, bytes) VALUES "
    "('bench', '', 'java', 6, 5, 0, 0, 9), ('bench', '', 'go', 4, 4, 2, 0, 9), ('other', '', 'java', 4, 4, 0, 0, 9), "
    "('code', '', 'java', 50, 40, 0, 0, 99), ('stack', '', 'go', 3, 0, 0, 0, 9);";

static void test_leakage(void **unused)
{
    struct made_graph graph;

    (void)unused;
    assert_string_equal(near_gates[0].key, "leakage");
    assert_null(near_gates[1].key);
    made_open(&graph, leaking_sql);
    made_run(&graph, splits_sql);
    /* Corpora alone; copies of short documents count, and contained ones.  Compared is what is long enough and in a
     * language of which the corpus has such a document; and the copies. */
    check(&graph, "40.00, 6 of 12: 40.00 % of bench is in code\n0.00, 0 of 12: 0.00 % of bench is in stack\n"
                  "75.00, 4 of 4: 75.00 % of other is in code\n");
    across = true;
    check(&graph, "40.00, 10 of 12: 40.00 % of bench is in code\n0.00, 0 of 12: 0.00 % of bench is in stack\n"
                  "75.00, 4 of 4: 75.00 % of other is in code\n");
    across = false;
    /* nothing is no share */
    made_run(&graph, "UPDATE overlap SET documents = 0, direct = 0, contained = 0, copies = 0; DELETE FROM splits");
    check(&graph, "0.00, 0 of 0: 0.00 % of bench is in code\n0.00, 0 of 0: 0.00 % of bench is in stack\n"
                  "0.00, 0 of 0: 0.00 % of other is in code\n");
    made_close(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_leakage) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
