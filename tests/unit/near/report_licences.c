/* tests/unit/near/report_licences.c -- under which licences leaks come, from a graph made by hand. */
#include "near/report_licences.h"

#include "tests/unit/near/leaking_graph.h"

static const struct report_part part = { .add = licences_report_add };

/* Items of the first benchmark leak from both of code, the item of the other is below the thresholds. */
static void test_licences(void **unused)
{
    struct made_graph  graph;
    struct made_report report;

    (void)unused;
    made_open(&graph, leaking_sql);
    made_run(&graph, "UPDATE snippets SET license = 'GPL-3.0-only', license_class = 'strong copyleft', license_from = "
                     "'text' WHERE id = 2000000000002; INSERT INTO snippets SELECT 2000000000003, '', 'code', "
                     "'java', '[]', 7, NULL, 'id', "
                     "NULL, NULL, 'gpl-3.0-ONLY', 'strong copyleft', 'field', NULL, 's', 7, 0, 30, 20, 1, 'h', NULL, "
                     "NULL; INSERT INTO edges VALUES ('near', 3, 2000000000003, 'copy', 1, 2, 3, 4, 1, 1, 1, 1), "
                     "('near', 1, 1000000000001, 'near', 1, 2, 3, 4, 1, 1, 1, 1)");   /* another's is no leak */
    made_report(&graph, &part, &report);
    made_json(&report, "licences.classes.0.benchmark", "\"bench\"");
    made_json(&report, "licences.classes.0.class", "\"strong copyleft\"");
    made_json(&report, "licences.classes.0.items", "3");
    made_json(&report, "licences.classes.0.percent", "100");
    made_json(&report, "licences.classes.0.only", "1");
    made_json(&report, "licences.classes.1.class", "\"none\"");
    made_json(&report, "licences.classes.1.items", "2");
    made_json(&report, "licences.classes.1.only", "0");
    made_json(&report, "licences.classes.2", "");
    made_json(&report, "licences.each.0.license", "\"GPL-3.0-only\"");        /* case aside */
    made_json(&report, "licences.each.0.items", "3");
    made_json(&report, "licences.each.1.class", "\"none\"");
    made_json(&report, "licences.each.2", "");
    made_says(&report, "Licences of the leaked documents");
    made_silent(&report, "edges.tsv.zst");
    made_report_free(&report);
    made_run(&graph, "INSERT INTO run VALUES ('edges_file', 'edges.tsv.zst')");
    made_report(&graph, &part, &report);
    made_says(&report, "The pairs are in edges.tsv.zst");
    made_report_free(&report);
    made_close(&graph);
}

static void test_nothing(void **unused)
{
    struct made_graph  graph;
    struct made_report report;

    (void)unused;
    made_open(&graph, "INSERT INTO datasets VALUES ('bench', '', 'benchmark', 1);");
    made_report(&graph, &part, &report);
    made_silent(&report, "Licences");
    made_json(&report, "licences.classes", "[]");
    made_report_free(&report);
    made_close(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_licences), cmocka_unit_test(test_nothing) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
