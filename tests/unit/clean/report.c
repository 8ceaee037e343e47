/* tests/unit/clean/report.c -- what the section says of cleaned datasets, and when a reader is warned. */
#include "clean/report.h"
#include "clean/task.h"
#include "tests/unit/made_graph.h"

static const struct report_part *part(void) { return &clean_capability.report; }

static void test_section(void **unused)
{
    struct made_graph  g;
    struct made_report report;

    (void)unused;
    made_open(&g, "");
    made_report(&g, part(), &report);
    made_json(&report, "cleaned", "");
    made_report_free(&report);

    made_run(&g, "INSERT INTO cleaned VALUES ('strict', 'removed', 'z<script>|', 'test', 10, 1000, 4, 0, 0, 300), "
                 "('strict', 'removed', 'a', '', 0, 0, 0, 0, 0, 0), "
                 "('lines', 'cut', 'c', '', 8, 4000000, 0, 2, 5, 1000000), "
                 "('half', 'leaky', 'c', '', 8, 80, 3, 0, 0, 30), ('half', 'nonleaky', 'c', '', 8, 80, 3, 0, 0, 20);"
                 "INSERT INTO cleaned_documents VALUES ('strict', 'z<script>|', 'test', 0, 'i', 's', 0, NULL, 100, "
                 "'near', NULL), ('strict', 'z<script>|', 'test', 1, 'i', 's', 1, NULL, 120, 'near', NULL), "
                 "('strict', 'z<script>|', 'test', 2, 'i', 's', 2, NULL, 80, 'copies; `clone`', NULL), "
                 "('lines', 'c', '', 0, 'i', 's', 0, '1-2', 7, 'near', NULL);");
    made_report(&g, part(), &report);
    made_says(&report, "| strict | removed | z&lt;script&gt;\\| | test | 10 | 4 | 40.00 % | 0 | 0 | 6 | 0.00 MB | ");
    made_says(&report, "| lines | cut | c | all | 8 | 0 | 0.00 % | 2 | 5 | 8 | 4.00 MB | 1.00 MB | 3.00 MB |");
    made_json(&report, "cleaned.outputs.0.left", "6");
    made_json(&report, "cleaned.outputs.0.left_bytes", "700");
    made_json(&report, "cleaned.outputs.1.removed_percent", "null");    /* of no documents there is no share */
    made_json(&report, "cleaned.reasons.0.why", "\"near\"");
    made_json(&report, "cleaned.reasons.0.documents", "2");
    made_json(&report, "cleaned.reasons.0.bytes", "220");
    made_json(&report, "cleaned.reasons.0.what", "\"removed\"");
    made_says(&report, "copies; \\`clone\\`");
    made_json(&report, "cleaned.reasons.2.what", "\"cut\"");
    made_silent(&report, "more are in report.json");
    made_json(&report, "cleaned.places.0.shards", "\"cleaned/strict/\"");
    made_json(&report, "cleaned.places.0.list", "\"cleaned/strict.removed.tsv\"");
    made_json(&report, "cleaned.places.1.list", "\"cleaned/lines.cut.tsv\"");
    made_json(&report, "cleaned.places.2.shards", "\"cleaned/half/leaky/\"");
    made_json(&report, "cleaned.places.3.list", "\"cleaned/half.nonleaky.tsv\"");
    made_json(&report, "cleaned.places.4", "");
    made_report_free(&report);
    made_close(&g);
}

/* Forty reasons for a person. */
static void test_many(void **unused)
{
    struct made_graph  g;
    struct made_report report;

    (void)unused;
    made_open(&g, "INSERT INTO cleaned VALUES ('o', 'removed', 'a', '', 99, 99, 42, 0, 0, 42);"
                  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 42) INSERT INTO "
                  "cleaned_documents SELECT 'o', 'a', '', i, 'i', 's', i, NULL, 1, 'matches > ' || i, NULL FROM n");
    made_report(&g, part(), &report);
    made_says(&report, "2 more are in report.json");
    made_says(&report, "matches &gt; 40 ");
    made_silent(&report, "matches &gt; 41 ");
    made_json(&report, "cleaned.reasons.41.why", "\"matches > 42\"");
    made_report_free(&report);
    made_close(&g);
}

static void test_advice(void **unused)
{
    struct made_graph g;

    (void)unused;
    made_open(&g, "INSERT INTO cleaned VALUES ('o', 'removed', 'a', 'train', 5, 9, 5, 0, 0, 9), "
                  "('o', 'removed', 'a', 'test', 2, 9, 1, 0, 0, 9), ('o', 'removed', 'b', '', 0, 0, 0, 0, 0, 0), "
                  "('o', 'leaky', 'c', '', 3, 9, 3, 0, 0, 9);");
    made_advises(&g, part(), "");
    made_run(&g, "UPDATE cleaned SET removed = 2 WHERE split = 'test'");
    made_advises(&g, part(), "clean: o removed all 7 documents of a\n");
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_section), cmocka_unit_test(test_many),
                                        cmocka_unit_test(test_advice) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
