/* tests/unit/probe/report.c -- what the section says of a small graph: means, rankings, gaps; warnings. */
#include "probe/report.h"
#include "probe/task.h"
#include "tests/unit/made_graph.h"

#include <errno.h>

static const struct report_part *part(void) { return &probe_capability.report; }

/* Four items of two benchmarks; the third model gave nothing but a number of tokens. */
static const char sql[] =
    "INSERT INTO datasets (id, url, role, self_join) VALUES ('x|<script>', '', 'benchmark', 0), "
    "('y', '', 'benchmark', 0);"
    "INSERT INTO snippets (id, snippet, dataset, language, tokens, id_within_dataset, source_id, shard, record, "
    "matches, features, distinct_features, admitted, xxh128) VALUES "
    "(1, '', 'x|<script>', 'java', '[]', 0, 'i`\x1b' || '1', 's', 0, 4, 0, 0, 0, ''), "
    "(2, '', 'x|<script>', 'java', '[]', 1, 'i2', 's', 1, 0, 0, 0, 0, ''), "
    "(3, '', 'x|<script>', 'java', '[]', 2, 'i3', 's', 2, 0, 0, 0, 0, ''), "
    "(4, '', 'y', 'java', '[]', 0, 'i4', 't', 0, 0, 0, 0, 0, '');"
    "INSERT INTO models VALUES (1, 'big', 'llama', 4096, NULL, 7, ''), (2, 'small', 'ngram', NULL, 9, NULL, ''), "
    "(3, 'mute', 'http', NULL, NULL, NULL, '');"
    "INSERT INTO probe_items VALUES (1, 1), (2, 0), (3, 1), (4, NULL);"
    "INSERT INTO probes VALUES (1, 1, 'tokens', 9), (1, 1, 'nll', 1), (1, 1, 'accuracy', 0.5), (1, 1, 'ratio:small', "
    "2), (2, 1, 'nll', 3), (2, 1, 'ratio:small', 1), (3, 1, 'nll', 2), (4, 1, 'nll', 4), (1, 2, 'nll', 6), "
    "(2, 2, 'nll', 5), (1, 3, 'tokens', 9);"
    "INSERT INTO probe_gaps VALUES (3, '', 1, 'a server|<script>'), (3, 'nll', 4, 'no answer'), (2, 'nll', 2, 'late');";

static void test_section(void **unused)
{
    struct made_graph  g;
    struct made_report report;

    (void)unused;
    made_open(&g, "");
    made_report(&g, part(), &report);
    made_json(&report, "probes", "");                       /* nobody was asked */
    made_report_free(&report);

    made_run(&g, sql);
    made_report(&g, part(), &report);
    made_says(&report, "| big | llama | 4096 |  | 7 | 4 |");
    made_json(&report, "probes.models.1.items", "2");
    made_json(&report, "probes.accuracy.0.x|<script>", "0.5");
    made_json(&report, "probes.accuracy.0.y", "null");
    made_json(&report, "probes.nll.0.x|<script>", "2");     /* 1, 3, 2 */
    made_json(&report, "probes.nll.0.y", "4");
    made_json(&report, "probes.nll.1.x|<script>", "5.5");
    made_json(&report, "probes.nll.2.y", "null");
    made_json(&report, "probes.relative_nll.0.matrix.0.y", "2");        /* of y over that of x */
    made_json(&report, "probes.relative_nll.0.matrix.1.x|<script>", "0.5");
    made_json(&report, "probes.relative_nll.0.matrix.1.y", "1");

    /* smaller NLLs are of items that were in training: 1 and 2 before 3; item 4 is not known */
    made_says(&report, "| x\\|&lt;script&gt; | big | nll | 2 | 1 | 1.000 |");
    made_json(&report, "probes.separation.0.metric", "\"nll\"");
    made_json(&report, "probes.separation.0.auc", "1");
    made_json(&report, "probes.separation.0.mean_in", "1.5");
    made_json(&report, "probes.separation.0.mean_out", "3");
    made_json(&report, "probes.separation.1.metric", "\"ratio:small\"");
    made_json(&report, "probes.separation.1.auc", "1");
    made_json(&report, "probes.separation.2.model", "\"small\"");
    made_json(&report, "probes.separation.2.auc", "0");
    made_json(&report, "probes.separation.3", "");          /* neither tokens, nor accuracy, of one kind alone */
    made_json(&report, "probes.shown.0.snippet", "1");      /* most accurate first, then the smallest NLL */
    made_json(&report, "probes.shown.0.matches", "4");
    made_json(&report, "probes.shown.1.snippet", "3");
    made_json(&report, "probes.shown.2.model", "\"small\"");
    made_json(&report, "probes.shown.3", "");
    made_says(&report, "Values that are missing, and why:");
    made_says(&report, "| small | nll | 2 | late |");
    made_says(&report, "| mute | all | 1 | a server\\|&lt;script&gt; |");
    made_report_free(&report);

    made_run(&g, "DELETE FROM probe_gaps; UPDATE probe_items SET truth = 1 WHERE truth = 0");
    made_report(&g, part(), &report);
    made_says(&report, "No value is missing.");
    made_says(&report, "All items are of one kind here, so there is nothing to tell apart.");
    made_json(&report, "probes.separation.0", "");
    made_report_free(&report);
    made_run(&g, "UPDATE probe_items SET truth = NULL");
    made_report(&g, part(), &report);
    made_json(&report, "probes.separation", "");
    made_report_free(&report);
    made_close(&g);
}

/* More benchmarks than a matrix has columns. */
static void test_many(void **unused)
{
    struct made_graph  g;
    struct made_report report;

    (void)unused;
    made_open(&g, "INSERT INTO models VALUES (1, 'm', 'ngram', NULL, NULL, NULL, '');"
              "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 31) INSERT INTO datasets (id, "
              "url, role, self_join) SELECT 'd' || i, '', 'benchmark', 0 FROM n;"
              "INSERT INTO snippets (id, snippet, dataset, language, tokens, id_within_dataset, shard, record, "
              "matches, features, distinct_features, admitted, xxh128) SELECT rowid, '', id, '', '[]', 0, '', 0, 0, "
              "0, 0, 0, '' FROM datasets;"
              "INSERT INTO probe_items SELECT id, NULL FROM snippets;"
              "INSERT INTO probes SELECT id, 1, 'nll', id FROM snippets");
    made_report(&g, part(), &report);
    made_json(&report, "probes.nll.0.d30", "30");
    made_json(&report, "probes.nll.0.d31", "");
    made_says(&report, "room for 30 benchmarks");
    made_report_free(&report);
    made_close(&g);
}

static void test_warnings(void **unused)
{
    struct made_graph g;
    struct err        err = { 0 };
    sqlite3          *db;

    (void)unused;
    made_open(&g, sql);
    made_run(&g, "INSERT INTO run VALUES ('probe.truth', 'near')");
    made_advises(&g, part(), "");                           /* of one item it is not known, of others it is */
    made_run(&g, "UPDATE probe_items SET truth = NULL");
    made_advises(&g, part(), "probe.truth: none of 4 items says whether it was in the training data: the metrics are "
                             "not ranked\n");
    made_run(&g, "UPDATE run SET value = 'none' WHERE key = 'probe.truth'");
    made_advises(&g, part(), "");

    db = made_read(&g);
    assert_int_equal(part()->check(db, &err), -EBADMSG);
    assert_string_equal(err.text, "model mute gave no value of any of 4 items: no answer");
    graph_close(db);
    made_run(&g, "INSERT INTO probes VALUES (1, 3, 'nll', 1)");
    db = made_read(&g);
    assert_int_equal(part()->check(db, &err), 0);
    graph_close(db);
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_section), cmocka_unit_test(test_many),
                                        cmocka_unit_test(test_warnings) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
