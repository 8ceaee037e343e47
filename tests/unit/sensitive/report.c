/* sensitive/report: what the section says of a small graph, and that values in other sections are masked. */
#include "sensitive/report.h"

#include "sensitive/mask.h"
#include "sensitive/sensitive.h"
#include "sensitive/task.h"
#include "tests/unit/made_graph.h"

static const char datasets_sql[] =
    "INSERT INTO datasets (id, url, role, self_join) VALUES ('b<script>|', '', 'benchmark', 1), "
    "('c', '', 'corpus', 0);";

/* Two patterns find one value: it is one value all the same. */
static const char values_sql[] =
    "INSERT INTO sensitive VALUES ('b<script>|', 'email', '', 'a\x1b|<b> (9)', 'x1', 5, 4, 7, 6, 's', 0, 0, NULL, 1), "
    "('b<script>|', 'email', '', 'b (9)', 'x2', 1, 1, 0, 0, 's', 0, 9, NULL, 1), "
    "('b<script>|', 'key', 'aws', 'k (20)', 'x3', 2, 2, 3, 1, 's', 1, 0, NULL, 1), "
    "('b<script>|', 'key', 'base64', 'k (20)', 'x3', 2, 2, 3, 1, 's', 1, 0, NULL, 1), "
    "('c', 'ip', '', '1 (8)', 'x4', 8, 3, NULL, NULL, 't', 0, 0, NULL, 1);";

static const struct report_part *part(void) { return &sensitive_capability.report; }

static void test_section(void **state)
{
    struct made_graph  g;
    struct made_report report;

    (void)state;
    made_open(&g, datasets_sql);
    made_report(&g, part(), &report);
    made_silent(&report, "Sensitive");                      /* it did not run */
    made_json(&report, "sensitive", "");
    made_report_free(&report);

    made_run(&g, "INSERT INTO run VALUES ('sensitive.kinds', 'email ip key')");
    made_report(&g, part(), &report);
    made_says(&report, "There are none.");
    made_json(&report, "sensitive.kinds", "");
    made_report_free(&report);

    made_run(&g, values_sql);
    made_report(&g, part(), &report);
    made_silent(&report, "There are none.");
    made_says(&report, "| b&lt;script&gt;\\| | email | - | 2 | 6 | 1 | 50.00 % | 7 |");
    made_says(&report, "| b&lt;script&gt;\\| | key | aws | 1 | 2 | 1 | 100.00 % | 3 |");
    made_says(&report, "| b&lt;script&gt;\\| | email | - | a\\\\x1b\\|&lt;b&gt; (9) | 5 | 4 | 7 | 6 |");
    made_says(&report, "| c | ip | - | 1 | 8 |");
    made_json(&report, "sensitive.kinds.0.distinct", "2");
    made_json(&report, "sensitive.kinds.3", "");
    made_json(&report, "sensitive.found.0.documents", "4");             /* most documents of corpora first */
    made_json(&report, "sensitive.found.2.pattern", "\"base64\"");
    made_json(&report, "sensitive.found.3", "");                        /* those that no corpus has are not told */
    made_json(&report, "sensitive.alone.0.occurrences", "8");
    made_json(&report, "sensitive.alone.1", "");
    made_report_free(&report);
    made_close(&g);
}

/* Twenty for a person, all for a script. */
static void test_many(void **state)
{
    struct made_graph  g;
    struct made_report report;
    int                rows = 0;

    (void)state;
    made_open(&g, datasets_sql);
    made_run(&g, "INSERT INTO run VALUES ('sensitive.kinds', 'email')");
    made_run(&g, "INSERT INTO sensitive WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 21) "
                 "SELECT 'b<script>|', 'email', '', 'value' || i, i, 1, 1, i, i, 's', 0, i, NULL, 1 FROM n");
    made_report(&g, part(), &report);
    for (const char *at = report.markdown.at; (at = strstr(at, "| value")); at++) rows++;
    assert_int_equal(rows, 20);
    made_silent(&report, "| value1 |");
    made_json(&report, "sensitive.found.0.masked", "\"value21\"");
    made_json(&report, "sensitive.found.20.masked", "\"value1\"");
    made_report_free(&report);
    made_close(&g);
}

/* Texts of other sections are masked when values were looked for. */
static void test_masks(void **state)
{
    struct made_graph      g;
    struct report_document document;
    struct err             err = { 0 };
    sqlite3               *db;

    (void)state;
    made_open(&g, "");
    db = made_read(&g);
    report_open(&document, "Report");
    assert_int_equal(sensitive_report_open(&document, db, &err), 0);
    assert_null(document.mask);
    graph_close(db);
    made_run(&g, "INSERT INTO run VALUES ('sensitive.kinds', 'email')");
    db = made_read(&g);
    assert_int_equal(sensitive_report_open(&document, db, &err), 0);
    assert_ptr_equal(document.mask, sensitive_mask_text);
    report_close(&document);
    graph_close(db);
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_section), cmocka_unit_test(test_many),
                                        cmocka_unit_test(test_masks) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
