/* tests/unit/near/report_items.c -- the items that leaked most, each beside its best match. */
#include "near/report.h"
#include "near/report_items.h"
#include "tests/unit/near/leaking_graph.h"

static const struct report_part part = { .add = leakage_add_items };

static void test_items(void **unused)
{
    struct made_graph  graph;
    struct made_report report;

    (void)unused;
    made_open(&graph, leaking_sql);
    made_report(&graph, &part, &report);
    /* by matches; a contained one is a leak too, one that is merely alike is none */
    made_json(&report, "leaked.items.0.item.id", "1");
    made_json(&report, "leaked.items.1.item.id", "2");
    made_json(&report, "leaked.items.2.item.id", "3");
    made_json(&report, "leaked.items.3", "");
    made_json(&report, "leaked.items.0.item.matches", "2");
    made_json(&report, "leaked.items.0.matches.0.id", "2000000000002"); /* exact before near */
    made_json(&report, "leaked.items.0.matches.1.id", "2000000000001");
    made_json(&report, "leaked.items.1.matches.0.id", "2000000000001"); /* near before contained */
    made_json(&report, "leaked.items.1.matches.1.kind", "\"contained\"");
    made_json(&report, "leaked.items.1.matches.1.containment", "0.9");
    made_says(&report, "Its best match has the same text, which begins");
    made_json(&report, "leaked.items.1.excerpt", "\"kept\\nsame\\nlast\\n\"");     /* from the longest run they share */
    made_json(&report, "leaked.items.1.match_excerpt", "\"kept\\nsame\\nend\\n\"");
    made_says(&report, "From the item (-) to its best match (+)");
    made_says(&report, "-first\n+other\n");
    made_report_free(&report);
    made_close(&graph);
}

/* Fifty in the report for scripts, ten of them for a person; five matches of each. */
static void test_limits(void **unused)
{
    struct made_graph  graph;
    struct made_report report;
    struct bytes       sql = { 0 };

    (void)unused;
    assert_int_equal(bytes_printf(&sql, "INSERT INTO datasets VALUES ('bench', '', 'benchmark', 1), ('code', '', "
                                        "'corpus', 0);"), 0);
    for (int i = 1; i <= 67; i++)
        assert_int_equal(bytes_printf(&sql, "INSERT INTO snippets VALUES (%d, '', '%s', 'java', '[]', %d, NULL, 'id', "
                                            "NULL, NULL, NULL, NULL, NULL, NULL, 's', %d, %d, 1, 1, 1, %d, NULL, "
                                            "NULL);", i,
                                      i <= 60 ? "bench" : "code", i, i, i <= 60 ? 100 - i : 0, i), 0);
    for (int i = 61; i <= 67; i++)
        assert_int_equal(bytes_printf(&sql, "INSERT INTO edges VALUES ('near', 1, %d, 'near', 1, 2, 3, 4, 0.%d, 0, 0, "
                                            "0);", i, i), 0);
    made_open(&graph, sql.at);
    made_report(&graph, &part, &report);
    made_json(&report, "leaked.items.49.item.id", "50");
    made_json(&report, "leaked.items.50", "");
    made_json(&report, "leaked.items.0.matches.0.id", "67");
    made_json(&report, "leaked.items.0.matches.4.id", "63");
    made_json(&report, "leaked.items.0.matches.5", "");
    made_json(&report, "leaked.items.0.excerpt", "");       /* texts were not stored */
    made_says(&report, "40 more are in report.json, all in graph.db.");
    made_says(&report, "bench//10");
    made_silent(&report, "bench//11");
    made_report_free(&report);
    made_close(&graph);
    bytes_free(&sql);
}

/* An item that stands there several times is shown once, and so is a text that it matches. */
static void test_repeated(void **unused)
{
    struct made_graph  graph;
    struct made_report report;
    struct bytes       sql = { 0 };

    (void)unused;
    assert_int_equal(bytes_printf(&sql, "INSERT INTO datasets VALUES ('bench', '', 'benchmark', 1), ('code', '', "
                                        "'corpus', 0);"), 0);
    for (int i = 1; i <= 16; i++)                           /* 1 and 2 are one item, 5 is one with their features */
        assert_int_equal(bytes_printf(&sql, "INSERT INTO snippets VALUES (%d, '', '%s', 'java', '[]', %d, NULL, 'id', "
                                            "NULL, NULL, NULL, NULL, NULL, NULL, 's', %d, %d, 1, 1, 1, 'h%d', "
                                            "NULL, %s);", i,
                                      i <= 6 ? "bench" : "code", i, i, i <= 6 ? 20 - i : 0,
                                      i <= 2 ? 1 : i < 8 ? i : i <= 14 ? 8 : i,
                                      i <= 2 || i == 5 ? "'f'" : "NULL"), 0);
    for (int i = 7; i <= 16; i++)
        assert_int_equal(bytes_printf(&sql, "INSERT INTO edges VALUES ('near', 1, %d, 'near', 1, 2, 3, 4, 0.%d, 0, 0, "
                                            "0);", i, 99 - i), 0);
    made_open(&graph, sql.at);
    made_report(&graph, &part, &report);
    made_json(&report, "leaked.items.0.item.id", "1");
    made_json(&report, "leaked.items.0.item.repeated", "2");
    made_json(&report, "leaked.items.1.item.id", "3");
    made_json(&report, "leaked.items.1.item.repeated", "0");
    made_json(&report, "leaked.items.2.item.id", "4");
    made_json(&report, "leaked.items.3.item.id", "6");
    made_json(&report, "leaked.items.4", "");
    made_json(&report, "leaked.items.0.matches.0.id", "7");
    made_json(&report, "leaked.items.0.matches.1.id", "8");
    made_json(&report, "leaked.items.0.matches.2.id", "15");
    made_json(&report, "leaked.items.0.matches.4", "");
    made_says(&report, "And 6 more; each text is shown once.");
    made_report_free(&report);
    made_close(&graph);
    bytes_free(&sql);
}

/* Items with the same best matches: the second is in report.json alone, one with another match is shown. */
static void test_alike(void **unused)
{
    struct made_graph  graph;
    struct made_report report;
    struct bytes       sql = { 0 };

    (void)unused;
    assert_int_equal(bytes_printf(&sql, "INSERT INTO datasets VALUES ('bench', '', 'benchmark', 1), ('code', '', "
                                        "'corpus', 0);"), 0);
    for (int i = 1; i <= 6; i++)
        assert_int_equal(bytes_printf(&sql, "INSERT INTO snippets VALUES (%d, '', '%s', 'java', '[]', %d, NULL, 'id', "
                                            "NULL, NULL, NULL, NULL, NULL, NULL, 's', %d, %d, 1, 1, 1, 'h%d', "
                                            "NULL, NULL);", i, i <= 4 ? "bench" : "code", i, i,
                                      i == 4 ? 1 : i <= 3 ? 2 : 0, i), 0);
    for (int i = 1; i <= 4; i++)                            /* 1, 2, 3: documents 5 and 6; 4: only 6 */
        for (int j = i == 4 ? 6 : 5; j <= 6; j++)
            assert_int_equal(bytes_printf(&sql, "INSERT INTO edges VALUES ('near', %d, %d, 'near', 1, 2, 3, 4, 0.9%d, "
                                                "0, 0, 0);", i, j, 9 - j), 0);
    made_open(&graph, sql.at);
    made_report(&graph, &part, &report);
    made_json(&report, "leaked.items.1.item.id", "2");
    made_json(&report, "leaked.items.3.item.id", "4");
    made_says(&report, "bench//1");
    made_silent(&report, "bench//2");
    made_silent(&report, "bench//3");
    made_says(&report, "bench//4");
    made_says(&report, "Of 2 of these the best matches are those of one above, so that they are only in report.json.");
    made_silent(&report, "more are in report.json");
    made_report_free(&report);
    made_close(&graph);
    bytes_free(&sql);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_items), cmocka_unit_test(test_limits),
                                        cmocka_unit_test(test_repeated), cmocka_unit_test(test_alike) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
