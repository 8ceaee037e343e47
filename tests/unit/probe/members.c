/* tests/unit/probe/members.c -- areas, rates and comparisons of a small graph by hand; what too few items, one kind of
 * them or no truth leave open. */
#include "probe/members.h"
#include "tests/unit/made_graph.h"

static int add(struct report_document *out, sqlite3 *db, struct err *err)
{
    return members_add(out, out->root, db, err);
}

static const struct report_part part = { .add = add };

/* Ten items that were there, with nll 1 .. 10, a hundred that were not, with 2.5 .. 101.5; min_k ranks them as nll
 * does; to the second model all are alike, and one is missing. */
static const char sql[] =
    "INSERT INTO datasets (id, url, role, self_join) VALUES ('b', '', 'benchmark', 0);"
    "INSERT INTO models VALUES (1, 'big', 'llama', 4096, NULL, 7, ''), (2, 'flat', 'ngram', NULL, 9, NULL, '');"
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 110) INSERT INTO snippets (id, snippet, "
    "dataset, language, tokens, id_within_dataset, shard, record, matches, features, distinct_features, admitted, "
    "xxh128) SELECT i, '', 'b', '', '[]', i, '', i, 0, 0, 0, 0, '' FROM n;"
    "INSERT INTO probe_items SELECT id, id <= 10 FROM snippets;"
    "INSERT INTO probes SELECT id, 1, 'nll', iif(id <= 10, id, id - 8.5) FROM snippets;"
    "INSERT INTO probes SELECT snippet, 1, 'min_k', -2 * value FROM probes WHERE metric = 'nll';"
    "INSERT INTO probes SELECT id, 2, 'nll', 1 FROM snippets WHERE id < 110;";

static void test_tables(void **unused)
{
    struct made_graph  g;
    struct made_report report;

    (void)unused;
    made_open(&g, sql);
    made_report(&g, &part, &report);
    made_json(&report, "separation.0.metric", "\"nll\"");
    made_json(&report, "separation.0.auc", "0.964");        /* 36 of 1,000 pairs are the other way round */
    made_says(&report, "| b | big | nll | 10 | 100 | 0.964 | 0.913 | 0.986 | 7.205e-07 | 2.162e-06 | 0.600 | 0.100 | "
                       "5.500 | 52.000 |");
    made_json(&report, "separation.1.mean_in", "-11");
    made_json(&report, "separation.2.auc", "0.5");
    made_json(&report, "separation.2.out", "99");
    made_json(&report, "separation.3", "");
    /* one alarm, at 2.5: 1, 2 and 3 are below the next */
    made_says(&report, "| b | big | nll | 0.300 | 0.108 | 0.603 | - | - | - |");
    made_json(&report, "rates.0.tpr_01", "null");
    made_json(&report, "rates.1.tpr_1", "0.3");
    made_json(&report, "rates.2", "");                      /* 99 are too few */
    made_says(&report, "b: 0.1 % FPR needs at least 1,000 items that were not in the training data; there are 100: not "
                       "decided.");
    made_json(&report, "comparisons.0.metric", "\"min_k\"");
    made_json(&report, "comparisons.0.other_metric", "\"nll\"");
    made_json(&report, "comparisons.0.difference", "0");
    made_json(&report, "comparisons.0.p", "1");
    made_json(&report, "comparisons.1.model", "\"flat\"");
    made_json(&report, "comparisons.1.other_model", "\"big\"");
    made_json(&report, "comparisons.1.out", "99");
    made_json(&report, "comparisons.2", "");
    made_report_free(&report);

    made_run(&g, "UPDATE probe_items SET truth = NULL WHERE snippet > 60");
    made_report(&g, &part, &report);
    made_json(&report, "rates.0", "");
    made_says(&report, "b: 1 % FPR needs at least 100 and 0.1 % FPR needs at least 1,000 items that were not in the "
                       "training data; there are 50: not decided.");
    made_report_free(&report);
    made_run(&g, "UPDATE probe_items SET truth = 1 WHERE truth = 0");
    made_report(&g, &part, &report);
    made_says(&report, "All items are of one kind here");
    made_json(&report, "separation.0", "");
    made_json(&report, "comparisons", "");
    made_report_free(&report);
    made_run(&g, "UPDATE probe_items SET truth = NULL");
    made_report(&g, &part, &report);
    made_says(&report, "probe.truth: field NAME what the records say");
    made_json(&report, "separation", "");
    made_report_free(&report);
    made_close(&g);
}

/* A benchmark is adjusted by itself. */
static void test_families(void **unused)
{
    struct made_graph  g;
    struct made_report report;

    (void)unused;
    made_open(&g, sql);
    made_run(&g, "INSERT INTO datasets (id, url, role, self_join) VALUES ('c', '', 'benchmark', 0);"
                 "INSERT INTO snippets (id, snippet, dataset, language, tokens, id_within_dataset, shard, record, "
                 "matches, features, distinct_features, admitted, xxh128) SELECT id + 1000, '', 'c', '', '[]', id, '', "
                 "id, 0, 0, 0, 0, '' FROM snippets WHERE id IN (1, 2, 20, 30);"
                 "INSERT INTO probe_items VALUES (1001, 1), (1002, 1), (1020, 0), (1030, 0);"
                 "INSERT INTO probes VALUES (1001, 1, 'nll', 1), (1002, 1, 'nll', 2), (1020, 1, 'nll', 3), (1030, 1, "
                 "'nll', 4)");
    made_report(&g, &part, &report);
    made_json(&report, "separation.3.benchmark", "\"c\"");
    made_json(&report, "separation.3.auc", "1");
    made_json(&report, "separation.3.p_holm", "0.16666666666666666");       /* 1 of 6 orders, asked once */
    made_json(&report, "separation.4", "");
    made_says(&report, "c: 1 % FPR needs");
    made_report_free(&report);
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_tables), cmocka_unit_test(test_families) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
