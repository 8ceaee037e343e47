/* tests/unit/function/report.c -- the section about functions, from rows made by hand. */
#include "function/report.h"
#include "tests/unit/made_graph.h"

static const struct report_part part = { .summarise = functions_add_summary, .add = functions_add };

#define SNIPPET(id, record) \
    "INSERT INTO snippets (id, snippet, tokens, dataset, language, id_within_dataset, shard, record, matches, " \
    "features, distinct_features, xxh128, admitted) "\
    "VALUES (" id ", '', '[]', 'bench', 'python', " record ", 'b', " record \
    ", 0, 5, 5, '', 1);"

static void test_section(void **unused)
{
    struct made_graph  graph;
    struct made_report report;

    (void)unused;
    made_open(&graph,
              "INSERT INTO datasets VALUES ('bench', '', 'benchmark', 1), ('code', '', 'corpus', 0);"
              "INSERT INTO run VALUES ('functions.datasets', 'code');"
              "INSERT INTO overlap (source, split, target, target_split, language, documents, admitted, direct, "
              "transitive, copies, contained, complete) VALUES ('bench', '', 'code', '', '', 4, 4, 0, 0, 0, 0, 1);"
              SNIPPET("1", "0") SNIPPET("2", "1")
              "INSERT INTO function_items VALUES (1, 'code', 3), (2, 'code', 1);"
              "INSERT INTO function_pairs (item, dataset, shard, record, source_id, path, name, class, line, line_end, "
              "byte, byte_end, kind, shared, \"union\", min_sum, max_sum, set_similarity, multiset_similarity, text) "
              "VALUES (1, 'code', 'c', 9, '9', 'a/b.py', 'f', 'K', 12, 20, 1, 2, 'exact', 5, 5, 5, 5, 1.0, 1.0, ''), "
              "(2, 'code', 'c', 8, 'c:8', NULL, 'g<b>', NULL, 1, 2, 0, 2, 'near', 4, 5, 4, 5, 0.8, 0.8, '');");
    made_report(&graph, &part, &report);
    made_says(&report, "2 items of the benchmarks are like a function of a corpus, in 4 pairs");
    made_json(&report, "functions.leakage.0.source", "\"bench\"");
    made_json(&report, "functions.leakage.0.items", "2");
    made_json(&report, "functions.leakage.0.percent", "50");
    made_json(&report, "functions.leakage.0.only_in_functions", "2");
    made_json(&report, "functions.leakage.0.functions", "4");
    made_json(&report, "functions.places.0.place", "\"a/b.py#K.f@12\"");
    made_json(&report, "functions.places.1.place", "\"c:8#g<b>@1\"");
    made_report_free(&report);
    made_close(&graph);
}

static void test_none(void **unused)
{
    struct made_graph  graph;
    struct made_report report;

    (void)unused;
    made_open(&graph, "INSERT INTO datasets VALUES ('bench', '', 'benchmark', 1);");
    made_report(&graph, &part, &report);
    made_json(&report, "functions", "");
    made_report_free(&report);
    made_close(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_section), cmocka_unit_test(test_none) };

    return cmocka_run_group_tests_name("function/report", tests, NULL, NULL);
}
