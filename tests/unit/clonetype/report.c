/* tests/unit/clonetype/report.c -- the section of clones by type, from rows made by hand. */
#include "clonetype/report.h"
#include "tests/unit/made_graph.h"

static const struct report_part part = { .summarise = clonetypes_add_summary, .add = clonetypes_add };

#define SNIPPET(id, record) \
    "INSERT INTO snippets (id, snippet, tokens, dataset, language, source_id, id_within_dataset, shard, record, " \
    "matches, features, distinct_features, xxh128, admitted) VALUES (" id ", '', '[]', 'bench', 'python', 'i" record \
    "', " record ", 'b', " record ", 0, 5, 5, '', 1);"
#define SPLIT(dataset, documents) \
    "INSERT INTO splits (dataset, split, language, documents, rejected, skipped, bytes, admitted) VALUES ('" \
    dataset "', '', 'python', " documents ", 0, 0, 1, " documents ");"
#define PAIR_COLUMNS \
    "INSERT INTO clone_pairs (item, item_function, item_line, item_line_end, item_byte, item_byte_end, " \
    "item_main, dataset, shard, record, source_id, path, name, class, line, line_end, byte, byte_end, type, " \
    "common, size, similarity, item_aligned_line, item_aligned_line_end, aligned_line, " \
    "aligned_line_end) VALUES "

static void test_section(void **unused)
{
    struct made_graph  graph;
    struct made_report report;

    (void)unused;
    made_open(&graph,
              "INSERT INTO datasets VALUES ('bench', '', 'benchmark', 0), ('code', '', 'corpus', 0), ('more', '', "
              "'corpus', 0);" SPLIT("bench", "8") SPLIT("code", "90") SPLIT("more", "1")
              "INSERT INTO run VALUES ('clone_types.types', '1 2c 2 3'), ('clone_types.searched.code', '1'), "
              "('clone_types.searched.more', '1');" SNIPPET("1", "0") SNIPPET("2", "1") SNIPPET("3", "2")
              "INSERT INTO clone_items VALUES (1, 'code', '1', 2), (2, 'code', '3', 1), (3, 'code', '2c', 4), (1, "
              "'more', '2', 1);"
              PAIR_COLUMNS "(1, 'f', 1, 3, 0, 9, 1, 'code', 'c', 9, '9', 'a/b.py', 'g', 'K', 12, 20, 1, 2, '1', 6, 6, "
                           "1, 1, 3, 12, 20), "
              "(2, 'h<b>', 4, 5, 0, 9, 0, 'code', 'c', 8, 'c:8', NULL, 'k', NULL, 1, 2, 0, 2, '3', 3, 4, 0.75, 4, 5, "
              "1, 2);");
    made_report(&graph, &part, &report);
    made_says(&report, "3 items of the benchmarks have a function that is cloned in a corpus");
    made_says(&report, "## Clones by type");
    made_json(&report, "clone_types.leakage.0.source", "\"bench\"");
    made_json(&report, "clone_types.leakage.0.target", "\"code\"");
    made_json(&report, "clone_types.leakage.0.documents", "8");
    made_json(&report, "clone_types.leakage.0.type1", "1");
    made_json(&report, "clone_types.leakage.0.type2c", "1");
    made_json(&report, "clone_types.leakage.0.type2", "0");
    made_json(&report, "clone_types.leakage.0.type3", "1");
    made_json(&report, "clone_types.leakage.0.items", "3");
    made_json(&report, "clone_types.leakage.0.percent", "37.5");
    made_json(&report, "clone_types.leakage.0.pairs", "7");
    made_json(&report, "clone_types.leakage.1.target", "\"more\"");
    made_json(&report, "clone_types.leakage.1.type2", "1");
    made_json(&report, "clone_types.places.0.item_function", "\"f@1\"");
    made_json(&report, "clone_types.places.0.place", "\"a/b.py#K.g@12\"");
    made_json(&report, "clone_types.places.1.source_id", "\"i1\"");
    made_json(&report, "clone_types.places.1.place", "\"c:8#k@1\"");
    made_json(&report, "clone_types.places.1.similarity", "0.75");
    made_json(&report, "clone_types.places.1.aligned", "\"4-5 = 1-2\"");
    made_json(&report, "clone_types.places.2", "");
    made_report_free(&report);
    made_close(&graph);
}

#define FUNCTION(id, type2) \
    "INSERT INTO clone_functions (id, dataset, shard, record, source_id, path, name, line, line_end, byte, byte_end, " \
    "type1, type2c, type2) VALUES (" id ", 'code', 's', " id ", 'i" id "', 'p" id "', 'f', 1, 9, 0, 9, " id ", " type2 \
    ", " type2 ");"

/* Inside a corpus, without benchmarks: nothing is said of those. */
static void test_within(void **unused)
{
    struct made_graph  graph;
    struct made_report report;

    (void)unused;
    made_open(&graph, "INSERT INTO datasets VALUES ('code', '', 'corpus', 0);" SPLIT("code", "8")
              "INSERT INTO run VALUES ('clone_types.types', '1 2c 2 3'), ('clone_types.functions.code', '6');"
              FUNCTION("1", "1") FUNCTION("2", "1") FUNCTION("3", "3")
              "INSERT INTO clone_links (a, b, common, size, similarity, a_line, a_line_end, b_line, b_line_end) VALUES "
              "(1, 3, 6, 8, 0.75, 1, 3, 2, 9);");
    made_report(&graph, &part, &report);
    made_says(&report, "Clones: 3 functions of corpora have a clone in the same corpus");
    made_silent(&report, "items of the benchmarks");
    made_json(&report, "clone_types.leakage", "");
    made_json(&report, "clone_types.within.0.functions", "6");
    made_json(&report, "clone_types.within.0.type2c", "2");
    made_json(&report, "clone_types.within.0.type3", "1");
    made_json(&report, "clone_types.within.0.percent", "50");
    made_json(&report, "clone_types.classes.0.place", "\"p1#f@1\"");
    made_json(&report, "clone_types.classes.0.functions", "2");
    made_json(&report, "clone_types.similar.0.other", "\"p3#f@1\"");
    made_json(&report, "clone_types.similar.0.similarity", "0.75");
    made_json(&report, "clone_types.similar.0.aligned", "\"1-3 = 2-9\"");
    made_report_free(&report);
    made_close(&graph);
}

/* A run that looked and found nothing says so; one that did not look has no section. */
static void test_none(void **unused)
{
    struct made_graph  graph;
    struct made_report report;

    (void)unused;
    made_open(&graph, "INSERT INTO datasets VALUES ('bench', '', 'benchmark', 0), ('code', '', 'corpus', 0);"
              SPLIT("bench", "8"));
    made_report(&graph, &part, &report);
    made_json(&report, "clone_types", "");
    made_silent(&report, "Clones");
    made_report_free(&report);
    made_run(&graph, "INSERT INTO run VALUES ('clone_types.types', '3'), ('clone_types.searched.code', '1');");
    made_report(&graph, &part, &report);
    made_says(&report, "Clones: 0 items of the benchmarks");
    made_json(&report, "clone_types.leakage.0.items", "0");
    made_report_free(&report);
    made_close(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_section), cmocka_unit_test(test_none),
                                        cmocka_unit_test(test_within) };

    return cmocka_run_group_tests_name("clonetype/report", tests, NULL, NULL);
}
