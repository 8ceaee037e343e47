/* tests/unit/passage/report.c -- the section about passages, from rows made by hand. */
#include "passage/report.h"
#include "tests/unit/made_graph.h"

static const struct report_part part = { .summarise = passages_add_summary, .add = passages_add };

#define SNIPPET(id, record) \
    "INSERT INTO snippets (id, snippet, tokens, dataset, language, id_within_dataset, shard, record, matches, " \
    "features, distinct_features, xxh128, admitted) "\
    "VALUES (" id ", '', '[]', 'bench', 'python', " record ", 'b', " record ", 0, 5, 5, '', 1);"

static void test_section(void **unused)
{
    struct made_graph  graph;
    struct made_report report;

    (void)unused;
    made_open(&graph,
              "INSERT INTO datasets VALUES ('bench', '', 'benchmark', 1), ('code', '', 'corpus', 0);"
              "INSERT INTO run VALUES ('passages.decoys', '50'), ('passages.decoys_reached', '1'), ('passages.tested', "
              "'4000'), ('passages.reached', '2'), ('passages.below', '7'), ('passages.compared.bench', '3'), "
              "('passages.run', '4'), ('passages.least', '6');"
              "INSERT INTO overlap (source, split, target, target_split, language, documents, admitted, direct, "
              "transitive, copies, contained, complete) VALUES ('bench', '', 'code', '', '', 4, 4, 0, 0, 0, 0, 1);"
              SNIPPET("1", "0") SNIPPET("2", "1")
              "INSERT INTO passage_items VALUES (1, 'code', 3), (2, 'code', 1);"
              /* the second is also like a function there */
              "INSERT INTO function_pairs (item, dataset, shard, record, source_id, path, name, class, line, line_end, "
              "byte, byte_end, kind, shared, \"union\", min_sum, max_sum, set_similarity, multiset_similarity, text) "
              "VALUES (2, 'code', 'c', 9, '9', 'a/b.py', 'f', 'K', 12, 20, 1, 2, 'exact', 5, 5, 5, 5, 1.0, 1.0, '');"
              "INSERT INTO passages (item, dataset, shard, record, source_id, path, line, line_end, byte, byte_end, "
              "found, runs, share) VALUES (1, 'code', 'c', 9, '9', 'a/b.py', 12, 20, 1, 2, 6, 8, 0.75), "
              "(2, 'code', 'c', 8, 'c:8', NULL, NULL, NULL, NULL, NULL, 8, 8, 1.0);");
    made_report(&graph, &part, &report);
    made_says(&report, "Passages: 2 items of the benchmarks stand in documents of the corpora");
    made_says(&report, "Of 4000 unrelated pairs of an item and a document that were tested beside them 2 reached the "
                       "threshold. 7 items are too short");
    made_says(&report, "their runs of 4 features are there. Items with fewer than 6 different runs");
    made_json(&report, "passages.leakage.0.compared", "3");
    made_json(&report, "passages.leakage.0.items", "2");
    made_json(&report, "passages.leakage.0.percent", "50");
    made_json(&report, "passages.leakage.0.only_passages", "1");
    made_json(&report, "passages.leakage.0.pairs", "4");
    made_json(&report, "passages.chance.0.reached", "2");
    made_json(&report, "passages.chance.0.percent", "2");
    made_json(&report, "passages.places.0.place", "\"a/b.py:12\"");
    made_json(&report, "passages.places.1.place", "\"c:8\"");
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
    made_json(&report, "passages", "");
    made_report_free(&report);
    made_close(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_section), cmocka_unit_test(test_none) };

    return cmocka_run_group_tests_name("passage/report", tests, NULL, NULL);
}
