/* tests/unit/clone/report.c -- the section about blocks of lines, from rows made by hand. */
#include "clone/report.h"
#include "tests/unit/made_graph.h"

#include <math.h>

static const struct report_part part = { .summarise = clones_add_summary, .add = clones_add };

#define DATASETS "INSERT INTO datasets VALUES ('bench', '', 'benchmark', 1), ('code', '', 'corpus', 0);" \
                 "INSERT INTO shards VALUES ('bench', '', 'b1', 1, 1, '', 7, 1, 0, 1, 0, 0, 9)," \
                 "('bench', '', 'b2', 1, 1, '', 4, 0, 0, 1, 0, 0, 0)," \
                 "('code', '', 'c1', 1, 1, '', 50, 0, 0, 1, 0, 0, 0);"
#define RAN "INSERT INTO run VALUES ('clones.lines', '2');"

static void test_section(void **unused)
{
    struct made_graph  graph;
    struct made_report report;

    (void)unused;
    made_open(&graph, DATASETS RAN
              /* id, fingerprint, length, in the benchmark, in corpora, text */
              "INSERT INTO clones VALUES (1, 'f1', 3, 1, 5, '  int a;' || char(10) || 'x'), (2, 'f2', 2, 4, 1, 'two'),"
              "(3, 'f3', 3, 4, 9, '<script>\x1b[2J|`'), (4, 'f4', 9, 2, 7, '');"
              "INSERT INTO clone_places VALUES (3, 'bench', 'b1', 1, 2, NULL), (3, 'bench', 'b1', 3, 4, NULL),"
              "(3, 'bench', 'b2', 5, 6, NULL), (3, 'bench', 'b2', 7, 8, NULL), (3, 'code', 'c1', 9, 10, 'a/b.py');"
              "INSERT INTO clone_documents VALUES ('bench', 'b1', 1, 'id', NULL, 10, 6, 0, NULL, NULL, 0, NULL, 0), "
              "('bench', 'b2', 5, 'id', NULL, 10, 3, 0, NULL, NULL, 0, NULL, 0);");
    made_report(&graph, &part, &report);
    made_says(&report, "Line clones: 4 different blocks of lines, in 2 documents of the benchmarks.");
    made_says(&report, "that benchmarks and corpora have in common");
    made_json(&report, "line_clones.documents.0.dataset", "\"bench\"");
    made_json(&report, "line_clones.documents.0.documents", "10");
    made_json(&report, "line_clones.documents.0.with_blocks", "2");
    made_json(&report, "line_clones.documents.0.percent", "20");
    made_json(&report, "line_clones.documents.0.shared_lines", "9");
    made_json(&report, "line_clones.documents.1", "");
    made_json(&report, "line_clones.lengths.0.length", "2");
    made_json(&report, "line_clones.lengths.1.length", "3");
    made_json(&report, "line_clones.lengths.1.blocks", "2");
    made_json(&report, "line_clones.lengths.1.small_count", "5");
    made_json(&report, "line_clones.lengths.1.corpus_count", "14");
    /* most places in benchmarks first, then in corpora */
    made_json(&report, "line_clones.blocks.0.clone", "3");
    made_json(&report, "line_clones.blocks.0.small_places", "\"b1:1:2, b1:3:4, b2:5:6\"");
    made_json(&report, "line_clones.blocks.0.corpus_places", "\"a/b.py:10\"");
    made_json(&report, "line_clones.blocks.1.clone", "2");
    made_json(&report, "line_clones.blocks.2.clone", "4");
    made_json(&report, "line_clones.blocks.3.clone", "1");
    made_json(&report, "line_clones.blocks.3.begins", "\"int a;\"");    /* its first line */
    made_json(&report, "line_clones.correlation.blocks", "4");
    /* ranks 2 1 4 3 in the corpora, 1 3.5 3.5 2 in the benchmarks */
    assert_true(fabs(cJSON_GetObjectItem(cJSON_GetObjectItem(cJSON_GetObjectItem(report.json, "line_clones"),
                                                             "correlation"), "spearman")->valuedouble -
                     0.5 / sqrt(5 * 4.5)) < 1e-3);
    made_report_free(&report);
    made_close(&graph);
}

static void test_self(void **unused)
{
    struct made_graph  graph;
    struct made_report report;

    (void)unused;
    made_open(&graph, DATASETS);
    made_report(&graph, &part, &report);                    /* it did not run */
    made_json(&report, "line_clones", "");
    made_silent(&report, "Line clones");
    made_report_free(&report);
    made_run(&graph, RAN "INSERT INTO run VALUES ('clones.self', 'true');");
    made_report(&graph, &part, &report);
    made_says(&report, "Line clones: 0 different blocks of lines, in 0 documents");
    made_says(&report, "that the benchmarks repeat");
    made_json(&report, "line_clones.correlation", "");      /* there is nothing to correlate with */
    made_json(&report, "line_clones.blocks", "[]");
    made_report_free(&report);
    made_close(&graph);
}

/* Twenty lengths and twenty blocks for a person; where nothing can be said of a correlation there is nothing. */
static void test_limits(void **unused)
{
    struct made_graph  graph;
    struct made_report report;
    struct bytes       sql = { 0 };

    (void)unused;
    assert_int_equal(bytes_printf(&sql, "%s", DATASETS RAN), 0);
    for (int i = 1; i <= 23; i++)
        assert_int_equal(bytes_printf(&sql, "INSERT INTO clones VALUES (%d, 'f', %d, 1, 1, '');", i, 100 + i), 0);
    made_open(&graph, sql.at);
    made_report(&graph, &part, &report);
    made_says(&report, "3 greater lengths are left out here");
    made_json(&report, "line_clones.lengths.22.length", "123");
    made_silent(&report, "\n| 123 |");
    made_json(&report, "line_clones.blocks.19.clone", "4");
    made_json(&report, "line_clones.blocks.20", "");
    made_json(&report, "line_clones.correlation.spearman", "null");
    made_report_free(&report);
    made_close(&graph);
    bytes_free(&sql);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_section), cmocka_unit_test(test_self),
                                        cmocka_unit_test(test_limits) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
