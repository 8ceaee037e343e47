/* tests/unit/history/report.c -- the section of a run's report, from graph.db alone. */
#include "history/report.h"
#include "history/task.h"
#include "tests/unit/made_graph.h"

static void test_silent(void **state)
{
    struct made_graph  graph;
    struct made_report report;

    (void)state;
    made_open(&graph, "DELETE FROM run");
    made_report(&graph, &history_capability.report, &report);
    assert_string_equal(report.markdown.at, "# Report\n\n");
    made_report_free(&report);
    made_close(&graph);
}

static void test_first(void **state)
{
    struct made_graph  graph;
    struct made_report report;

    (void)state;
    made_open(&graph, "INSERT INTO run VALUES ('history.runs', '0'), ('history.unreadable', '2'), ('history.reason', "
              "'x: damaged'), ('history.others', '0'); INSERT INTO history_runs VALUES (1, NULL, "
              "'2026-01-01T00:00:00Z', '', '1.0', '', 'd', '', 'none', 0)");
    made_report(&graph, &history_capability.report, &report);
    made_says(&report, "## What changed\n\nThere is no earlier run to compare with.\n");
    made_says(&report, "Folders that cannot be read: 2, as x: damaged.");
    made_silent(&report, "other benchmarks");
    made_report_free(&report);
    made_close(&graph);
}

static void test_section(void **state)
{
    struct made_graph  graph;
    struct made_report report;

    (void)state;
    made_open(&graph,
              "INSERT INTO run VALUES ('history.runs', '1'); INSERT INTO history_runs VALUES (1, '/n/1', "
              "'2026-01-01T00:00:00Z', '', '1.0', '', 'd1', '', 'passed', 1), (2, NULL, '2026-01-02T00:00:00Z', '', "
              "'1.0', '', 'd2', '', 'failed', 0); INSERT INTO history_leakage VALUES (1, 'bench', '', 'corpus', 100, "
              "5, 0, 0, 6), (2, 'bench', '', 'corpus', 100, 8, 1, 0, 9), (2, 'bench', 'test', 'corpus', 50, 8, 0, 0, "
              "9), (2, 'bench', '', 'clean', 100, 0, 0, 0, 0);"
              "INSERT INTO changes VALUES ('items', 'bench', '', 'corpus', '', '', 'newly leaked', NULL, '1', NULL, "
              "NULL), ('items', '', '', '', '', '', 'new leaks', NULL, '1', NULL, NULL), ('leakage', 'bench', '', "
              "'corpus', '', '', 'direct', '5', '8', 100, 100);"
              "INSERT INTO changed_items VALUES ('newly leaked', 'bench', NULL, 'id7', NULL, 'corpus', NULL, NULL, "
              "NULL, 'near', 0.875, 'corpus/s:3')");
    made_report(&graph, &history_capability.report, &report);
    made_says(&report, "Since the run of 2026-01-01T00:00:00Z: 1 item of benchmarks leaks that did not.");
    made_says(&report, "## What changed since 2026-01-01T00:00:00Z\n");
    made_says(&report, "| old | /n/1 | 2026-01-01T00:00:00Z |");
    made_says(&report, "| bench | all | id7 | - | corpus | near | 0.875 | corpus/s:3 |");
    made_says(&report, "| bench | corpus | direct | 5 | 8 | +3 | 5.00 % | 8.00 % | +3 |");
    made_says(&report, "### bench in corpus\n");
    made_says(&report, "| 2026-01-02T00:00:00Z | 1.0 | failed | 100 | 8.00 % | 1.00 % | 9.00 % |");
    made_silent(&report, "in clean");                       /* where nothing was ever found */
    made_json(&report, "history.trend.0.points.0.direct_percent", "5");
    made_json(&report, "history.runs.0.folder", "\"/n/1\"");
    made_json(&report, "history.items.newly_leaked.0.new_alike", "0.875");
    made_report_free(&report);

    made_run(&graph, "DELETE FROM changes; DELETE FROM changed_items");
    made_report(&graph, &history_capability.report, &report);
    made_says(&report, "Nothing changed since the run of 2026-01-01T00:00:00Z.");
    made_report_free(&report);
    made_close(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_silent), cmocka_unit_test(test_first),
                                        cmocka_unit_test(test_section) };

    return cmocka_run_group_tests_name("history/report", tests, NULL, NULL);
}
