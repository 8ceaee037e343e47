/* tests/unit/generate/report.c -- what the section says of outputs and of blocks that models have by heart. */
#include "generate/report.h"
#include "generate/task.h"
#include "tests/unit/made_graph.h"

static const struct report_part *part(void) { return &generate_capability.report; }

static void test_section(void **unused)
{
    struct made_graph  g;
    struct made_report report;

    (void)unused;
    made_open(&g, "");
    made_report(&g, part(), &report);
    made_json(&report, "memorisation", "");
    made_report_free(&report);

    made_run(&g, "INSERT INTO generations VALUES (1, 'z|<script>', 0, NULL, 10, 1, 'd', 's', 0, 'p'), "
                 "(2, 'z|<script>', 1, NULL, 20, 0, 'd', 's', 1, 'p'), (3, 'a', 0, 4, 5, 1, 'e', 't', 0, 'q');");
    made_report(&g, part(), &report);
    made_says(&report, "| z\\|&lt;script&gt; | 2 | 30 | 1 | 50.00 % |");
    made_json(&report, "memorisation.outputs.0.tokens", "30");          /* in the order of the models */
    made_json(&report, "memorisation.outputs.1.model", "\"a\"");
    made_json(&report, "memorisation.memorised", "");       /* line clones did not run */
    made_report_free(&report);

    made_run(&g, "INSERT INTO clones VALUES (1, '', 6, 2, 9, '  \t<script>x\x1b' || char(10) || 'second'), "
                 "(2, '', 6, 2, 3, printf('%.100c', 'q')), (3, '', 8, 2, 1, 'y' || char(13, 10) || 'y');"
                 "INSERT INTO memorised VALUES (1, 'z|<script>', 2, 1, 0), (2, 'z|<script>', 5, 2, 0), "
                 "(3, 'z|<script>', 2, 1, 1), (1, 'a', 1, 1, 0);"
                 "INSERT INTO memorisation VALUES ('z|<script>', 1, 99, 2, 7, 1, NULL, NULL), "
                 "('z|<script>', 2, 99, 3, 9, 2, 0.5, -0.25), ('a', 1, 99, 1, 1, 1, NULL, NULL);");
    made_report(&g, part(), &report);
    made_says(&report, "| z\\|&lt;script&gt; | 2 | 99 | 3 | 9 | 2 | 100.00 % | 0.500 | -0.250 |");
    made_json(&report, "memorisation.memorised.0.spearman", "null");
    made_json(&report, "memorisation.memorised.2.model", "\"a\"");
    made_json(&report, "memorisation.lengths.0.length", "6");
    made_json(&report, "memorisation.lengths.0.blocks", "2");
    made_json(&report, "memorisation.lengths.0.occurrences", "7");
    made_json(&report, "memorisation.lengths.1.length", "8");
    made_json(&report, "memorisation.lengths.2.model", "\"a\"");
    made_silent(&report, "greater lengths are left out");
    made_json(&report, "memorisation.blocks.0.clone", "2"); /* most places, then the longer, then the first */
    made_json(&report, "memorisation.blocks.1.clone", "3");
    made_json(&report, "memorisation.blocks.1.begins", "\"y\"");
    made_json(&report, "memorisation.blocks.2.clone", "1");
    made_json(&report, "memorisation.blocks.3.model", "\"a\"");
    made_says(&report, "| &lt;script&gt;x\\\\x1b |");       /* its first line, without the white space */
    made_says(&report, "| qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq |");
    made_report_free(&report);
    made_close(&g);
}

/* Ten blocks a model, and twenty lengths for a person. */
static void test_many(void **unused)
{
    struct made_graph  g;
    struct made_report report;

    (void)unused;
    made_open(&g, "INSERT INTO generations VALUES (1, 'm', 0, NULL, 1, 1, 'd', 's', 0, 'p');"
                  "INSERT INTO memorisation VALUES ('m', 1, 1, 22, 22, 1, NULL, NULL);"
                  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 22) "
                  "INSERT INTO clones SELECT i, i, i, 1, 1, 't' || i FROM n;"
                  "INSERT INTO memorised SELECT id, 'm', 1, 1, 0 FROM clones");
    made_report(&g, part(), &report);
    made_says(&report, "2 greater lengths are left out here");
    made_json(&report, "memorisation.lengths.21.length", "22");
    made_silent(&report, "| m | 21 | 1 | 1 |");
    made_json(&report, "memorisation.blocks.9.length", "13");
    made_json(&report, "memorisation.blocks.10", "");
    made_report_free(&report);
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_section), cmocka_unit_test(test_many) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
