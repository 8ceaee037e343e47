/* tests/unit/compliance/report.c -- what the section says of a small graph, and that texts are shown, never obeyed. */
#include "compliance/task.h"
#include "tests/unit/made_graph.h"

static const char rows_sql[] =
    "INSERT INTO datasets (id, url, role, self_join) VALUES ('d', '', 'benchmark', 0);"
    "INSERT INTO run VALUES ('compliance.similarity', '0.6'), ('compliance.comments', '0'), "
    "('compliance.lines', '10'), ('compliance.complexity', '3'), ('compliance.edit_tokens', ''), ('compat', 'none'), "
    "('compliance.rejected', '0');"
    "INSERT INTO compliance_functions VALUES (1, 'f<b>', NULL, 'MIT', 'permissive', 11, 4, 1, 9, 99, 2, "
    "'# </code> ```\n<b>', 'd', 's', 0), (2, 'g', NULL, NULL, NULL, 12, 5, 1, 9, 99, 2, 'g', 'd', 's', 1);"
    "INSERT INTO compliance_answers VALUES ('m|', 1, 0.5, 0.7, 0.2, 0.7, 1, 1, 'MIT', 1, 0, '```\n# x', 'MIT'), "
    "('m|', 2, 0.1, 0.1, 0.2, 0.2, 0, 0, NULL, NULL, 0, 'z', NULL);"
    "INSERT INTO compliance_groups VALUES ('m|', 'd', 1, 2, 0, 2, 1, 1, 1, 0, 0, 0.929);"
    "INSERT INTO compliance_metrics VALUES ('m|', 'BLEU', 0.1, 0.3, 0.3, 0.5);"
    "INSERT INTO compliance_differences VALUES ('m|', NULL, 'BLEU', 0.5, 0.1, 0.00001234, 1, 'large');";

static const struct report_part *part(void) { return &compliance_capability.report; }

static void test_section(void **unused)
{
    struct made_graph  g;
    struct made_report report;

    (void)unused;
    made_open(&g, rows_sql);
    made_report(&g, part(), &report);
    made_says(&report, "similarity is above 0.6, it has more than 0 comments of the function that the prompt has "
                       "not, and the function has more than 10 lines and a cyclomatic complexity above 3. Edits are "
                       "counted over tokens of Python's lexer.");
    made_says(&report, "| m\\| | 2 | 2 | 1 | 50.00 % | 1.000 | 1 | 1.000 | 0 | - | 0.929 |");
    made_says(&report, "| m\\| | 1 | 1 | 2 | 2 | 1 |");
    made_says(&report, "| m\\| | BLEU | 0.500 | 0.100 | 1.23e-05 | 1.000 | large |");
    made_says(&report, "f&lt;b&gt;");
    made_says(&report, "largest similarity 0.700; licence MIT, named: MIT");
    made_json(&report, "compliance.models.0.lico", "0.929");
    made_json(&report, "compliance.distribution.0.0.7", "");            /* a key with a point is no path */
    made_json(&report, "compliance.cases.0.answer", "\"```\\n# x\"");
    made_json(&report, "compliance.cases.1", "");
    made_silent(&report, "beside the others");
    made_silent(&report, "not counted");
    made_report_free(&report);

    made_run(&g, "UPDATE run SET value = 'off' WHERE key = 'compliance.comments'; "
                 "UPDATE run SET value = 'published' WHERE key = 'compat'; "
                 "UPDATE run SET value = 'ngram:/x' WHERE key = 'compliance.edit_tokens'; "
                 "UPDATE run SET value = '12' WHERE key = 'compliance.rejected'; "
                 "UPDATE compliance_functions SET reference = NULL");
    made_report(&g, part(), &report);
    made_says(&report, "similarity is above 0.6. Edits are counted over the tokens of ngram\\:/x.");
    made_says(&report, "12 records were no function, or no answer, that could be read, and are not counted here.");
    made_json(&report, "compliance.cases", "");             /* without texts nothing to show */
    made_report_free(&report);
    made_close(&g);
}

static void test_none(void **unused)
{
    struct made_graph  g;
    struct made_report report;

    (void)unused;
    made_open(&g, "SELECT 1");
    made_report(&g, part(), &report);
    made_silent(&report, "Licence");
    made_json(&report, "compliance", "");
    made_report_free(&report);
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_section), cmocka_unit_test(test_none) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
