/* tests/unit/repository/report.c -- the section about repositories, from rows made by hand. */
#include "repository/report.h"
#include "tests/unit/made_graph.h"

static const struct report_part part = { .add = membership_add };

#define DATASETS "INSERT INTO datasets VALUES ('bench', '', 'benchmark', 1), ('code', '', 'corpus', 0), " \
                 "('stack', '', 'corpus', 0);"
#define RAN "INSERT INTO run VALUES ('repositories.share', '0.5');"

static void test_section(void **unused)
{
    struct made_graph  graph;
    struct made_report report;

    (void)unused;
    made_open(&graph, DATASETS RAN
              /* repo, corpus, by_name, by_content, documents, files, exact, near, elsewhere */
              "INSERT INTO repositories VALUES ('bench', 'o/a', 'code', 1, 1, 7, 4, 2, 1, 3),"
              "('bench', 'o/a', 'stack', 0, 0, 0, 4, 0, 0, 0),"
              "('bench', 'o/<script>\x1b[2J|`', 'code', 0, 1, 0, 1, 1, 0, 1),"
              "('bench', 'o/b', 'code', 1, 0, 9, 5, 0, 0, 0);"
              "INSERT INTO repository_copies VALUES ('bench', 'o/a', 'code', 'x/most', 2, 0), "
              "('bench', 'o/a', 'code', 'x/less', 1, 0), ('bench', 'o/<script>\x1b[2J|`', 'code', '', 1, 0);");
    made_report(&graph, &part, &report);
    made_json(&report, "repositories.versions.0.corpus", "\"code\"");
    made_json(&report, "repositories.versions.0.repositories", "3");
    made_json(&report, "repositories.versions.0.by_name", "2");
    made_json(&report, "repositories.versions.0.by_content", "2");
    made_json(&report, "repositories.versions.0.either", "3");
    made_json(&report, "repositories.versions.0.either_percent", "100");
    made_json(&report, "repositories.versions.0.files", "10");
    made_json(&report, "repositories.versions.0.found", "4");
    made_json(&report, "repositories.versions.0.found_percent", "40");
    made_json(&report, "repositories.versions.1.corpus", "\"stack\"");
    made_json(&report, "repositories.versions.1.by_name_percent", "0");
    made_json(&report, "repositories.versions.2", "");
    /* most files first; with as many, most documents */
    made_json(&report, "repositories.each.0.repo", "\"o/a\"");
    made_json(&report, "repositories.each.0.found_percent", "75");
    made_json(&report, "repositories.each.0.other_repo", "\"x/most\"");
    made_json(&report, "repositories.each.0.other_files", "2");
    made_json(&report, "repositories.each.1.other_repo", "\"(no repository)\"");
    made_json(&report, "repositories.each.2.repo", "\"o/b\"");
    made_json(&report, "repositories.each.2.documents", "9");
    made_json(&report, "repositories.each.2.other_repo", "null");
    made_json(&report, "repositories.each.3.corpus", "\"stack\"");   /* nothing to tell: for scripts alone */
    made_says(&report, "Repositories of benchmarks in the corpora");
    made_says(&report, "x/most");
    made_silent(&report, "x/less");
    made_report_free(&report);
    made_close(&graph);
}

/* The pass ran and there was nothing to look for; it did not run. */
static void test_nothing(void **unused)
{
    struct made_graph  graph;
    struct made_report report;

    (void)unused;
    made_open(&graph, DATASETS);
    made_report(&graph, &part, &report);
    made_json(&report, "repositories", "");
    made_report_free(&report);
    made_run(&graph, RAN);
    made_report(&graph, &part, &report);
    made_says(&report, "No document of these benchmarks says which repository it comes from.");
    made_json(&report, "repositories.each", "");
    made_report_free(&report);
    made_close(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_section), cmocka_unit_test(test_nothing) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
