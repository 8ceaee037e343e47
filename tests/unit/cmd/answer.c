/* tests/unit/cmd/answer.c -- tables of capabilities that are on, places, and digests beside the run's. */
#include "cmd/answer.h"
#include "tests/unit/made_graph.h"
#include "tests/unit/said.h"

static const struct graph_table told = { .name = "edges", .digest = "e" };
static const struct graph_table untold[] = { { .name = "membership" }, { .name = "ngram_runs" } };

static int says(const struct task *task, const struct graph *graph, struct err *err)
{
    (void)task, (void)graph, (void)err;
    printf("in words\n");
    return 0;
}

static const struct capability pairs = {
    .name = "pairs", .say = says, .traits = CAPABILITY_DOCUMENTS,
    .tables = (const struct graph_table *const[]){ &told, NULL },
};
static const struct capability values = {
    .name = "values", .tables = (const struct graph_table *const[]){ &untold[0], &untold[1], NULL },
    .answer = (const struct terminal_table[]){ { .title = "values", .sql = "SELECT 7 AS number" }, { 0 } },
};

static void prints(const struct made_graph *g, const char *digest, bool on, const char *expected)
{
    struct task   task[] = { { .of = &pairs, .on = on }, { .of = &values, .on = true } };
    struct config config = { .output = (char *)g->folder, .task = task, .task_count = 2 };
    struct graph  graph = { 0 };
    struct said   said;
    struct err    err = { 0 };
    char          text[1000];
    int           rc;

    said_begin(&said);
    rc = answer_print(&config, &graph, digest, &err);
    said_end(&said);
    assert_int_equal(rc, 0);
    snprintf(text, sizeof text, expected, g->folder, g->folder, digest);
    assert_string_equal(said.text.at, text);
    said_free(&said);
}

static void test_answer(void **unused)
{
    const struct graph empty = { 0 };
    struct made_graph  g;
    struct err         err = { 0 };
    char               nothing[33];

    (void)unused;
    assert_int_equal(graph_digest(&empty, nothing, &err), 0);
    made_open(&g, "INSERT INTO run VALUES ('digest.edges', '0a'), ('digest.membership', '0b'), "
                  "('digest.ngram_runs', '0c')");
    prints(&g, "00000000000000000000000000000001", true,
           "in words\n\nvalues\nnumber\n     7\n\ngraph   %s/graph.db\nreport  %s/report.html\ndigest  %s\n"
           "        not of tables membership, ngram_runs, which have digests of their own in table run\n");
    prints(&g, nothing, false,
           "values\nnumber\n     7\n\ngraph   %s/graph.db\nreport  %s/report.html\n"
           "digest  %s  of nothing: no pair, block or value was found that it is of\n"
           "digest  0b  of table membership\ndigest  0c  of table ngram_runs\n");
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_answer) };

    return cmocka_run_group_tests_name("cmd/answer", tests, NULL, NULL);
}
