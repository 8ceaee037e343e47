/* tests/unit/probe/scores.c -- points of curves and bins by hand, areas against those of stats/roc.h, what one kind of
 * items or no truth leaves out; the queries that are told give the rows. */
#include "probe/scores.h"
#include "probe/probe.h"
#include "stats/roc.h"
#include "tests/unit/draw.h"
#include "tests/unit/made_graph.h"

#include <math.h>

static int add(struct report_document *out, sqlite3 *db, struct err *err)
{
    return scores_add(out, out->root, db, err);
}

static const struct report_part part = { .add = add };

#define SNIPPETS \
    "INSERT INTO snippets (id, snippet, dataset, language, tokens, id_within_dataset, shard, record, matches, " \
    "features, distinct_features, admitted, xxh128) "

/* Of the first three items, which were there, the last two have the value of the fourth, which was not. */
static const char sql[] =
    "INSERT INTO datasets (id, url, role, self_join) VALUES ('x''|<script>', '', 'benchmark', 0), "
    "('y', '', 'benchmark', 0);"
    "INSERT INTO models VALUES (1, 'm''1', 'llama', 4096, NULL, 7, ''), (2, 'mute', 'ngram', NULL, 9, NULL, '');"
    SNIPPETS "SELECT column1, '', column2, '', '[]', column1, '', column1, 0, 0, 0, 0, '' FROM (VALUES (1, "
    "'x''|<script>'), (2, 'x''|<script>'), (3, 'x''|<script>'), (4, 'x''|<script>'), (5, 'x''|<script>'), (6, 'y'));"
    "INSERT INTO probe_items VALUES (1, 1), (2, 1), (3, 1), (4, 0), (5, 0), (6, NULL);"
    "INSERT INTO probes SELECT snippet, 2, 'tokens', 9 FROM probe_items;"
    "INSERT INTO probes VALUES (1, 1, 'nll', 1), (1, 1, 'ratio:m''2', 5), (2, 1, 'nll', 2), (3, 1, 'nll', 2), "
    "(4, 1, 'nll', 2), (4, 1, 'ratio:m''2', 4), (5, 1, 'nll', 3), (6, 1, 'nll', 7);";

static void test_curve(void **unused)
{
    struct made_graph  g;
    struct made_report report;

    (void)unused;
    made_open(&g, sql);
    made_report(&g, &part, &report);
    made_json(&report, "scores.0.title", "\"x'|<script>\"");
    made_json(&report, "scores.0.models.0.title", "\"m'1\"");
    made_json(&report, "scores.0.models.1", "");            /* tokens alone */
    made_json(&report, "scores.0.models.0.curve.0", "{\"metric\":\"nll\",\"auc\":0.83333333333333337,\"within\":0,"
              "\"fpr\":0,\"tpr\":0,\"threshold\":null,\"members\":0,\"others\":0}");
    made_json(&report, "scores.0.models.0.curve.1.threshold", "1");
    made_json(&report, "scores.0.models.0.curve.1.tpr", "0.33333333333333331");
    made_json(&report, "scores.0.models.0.curve.1.within", "0");
    /* all three of value 2 at once: straight on to the next point */
    made_json(&report, "scores.0.models.0.curve.2", "{\"metric\":\"nll\",\"auc\":0.83333333333333337,\"within\":0.5,"
              "\"fpr\":0.5,\"tpr\":1,\"threshold\":2,\"members\":3,\"others\":1}");
    made_json(&report, "scores.0.models.0.curve.3.within", "1");
    made_json(&report, "scores.0.models.0.curve.4.metric", "\"ratio:m'2\"");
    made_json(&report, "scores.0.models.0.curve.4.auc", "1");
    made_json(&report, "scores.0.models.0.curve.6.threshold", "4");
    made_json(&report, "scores.0.models.0.curve.7", "");
    made_says(&report, "| nll | 0.833 | 0.500 | 0.500 | 1.000 | 2 | 3 | 1 |");
    made_silent(&report, "| nll | 0.833 | 1.000 |");
    made_report_free(&report);

    made_run(&g, "UPDATE probe_items SET truth = 1 WHERE truth = 0");
    made_report(&g, &part, &report);
    made_json(&report, "scores.0.models.0.curve", "");
    made_json(&report, "scores.0.models.0.metrics.0.bins.10.members", "3");
    made_json(&report, "scores.0.models.0.metrics.0.bins.10.others", "0");
    made_json(&report, "scores.0.models.0.metrics.0.bins.10.others_percent", "null");
    made_report_free(&report);
    made_run(&g, "DELETE FROM probes WHERE metric <> 'tokens'");
    made_report(&g, &part, &report);
    made_json(&report, "scores", "");
    made_report_free(&report);
    made_close(&g);
}

static void test_bins(void **unused)
{
    struct made_graph  g;
    struct made_report report;

    (void)unused;
    made_open(&g, sql);
    made_report(&g, &part, &report);
    made_json(&report, "scores.0.models.0.metrics.0.title", "\"nll\"");
    made_json(&report, "scores.0.models.0.metrics.0.bins.0", "{\"low\":1,\"high\":1.1,\"items\":1,\"members\":1,"
              "\"others\":0,\"members_percent\":33.333333333333336,\"others_percent\":0}");
    made_json(&report, "scores.0.models.0.metrics.0.bins.9.items", "0");
    made_json(&report, "scores.0.models.0.metrics.0.bins.10", "{\"low\":2,\"high\":2.1,\"items\":3,\"members\":2,"
              "\"others\":1,\"members_percent\":66.666666666666671,\"others_percent\":50}");
    made_json(&report, "scores.0.models.0.metrics.0.bins.19.high", "3");
    made_json(&report, "scores.0.models.0.metrics.0.bins.19.items", "1");
    made_json(&report, "scores.0.models.0.metrics.0.bins.20", "");
    made_json(&report, "scores.0.models.0.metrics.1.bins.0.low", "4");
    /* one value: one bin; nobody knows: no shares */
    made_json(&report, "scores.1.models.0.metrics.0.bins", "[{\"low\":7,\"high\":7,\"items\":1}]");
    made_says(&report, "| nll from | to | items |\n");
    made_says(&report, "nll\n\n| nll from |");
    made_silent(&report, "ratio:m'2 from");                 /* drawn, and in JSON */
    made_silent(&report, "# ratio:m'2");
    made_report_free(&report);

    made_run(&g, "DELETE FROM probes; INSERT INTO probes VALUES (1, 1, 'perplexity', 1), (2, 1, 'perplexity', 1.5), "
                 "(3, 1, 'perplexity', 2), (4, 1, 'perplexity', 1048576), (5, 1, 'perplexity', 9e999)");
    made_run(&g, "UPDATE probes SET value = value * (1 + 1e-9) WHERE snippet = 3");
    made_report(&g, &part, &report);
    made_json(&report, "scores.0.models.0.metrics.0.bins.0.items", "2");   /* a bin is an octave */
    made_json(&report, "scores.0.models.0.metrics.0.bins.1.items", "1");
    made_json(&report, "scores.0.models.0.metrics.0.bins.19.items", "1");  /* what is not finite is in none */
    made_report_free(&report);
    made_close(&g);
}

/* ---- areas ---- */

enum { ITEMS = 60 };

static void insert(struct bytes *out, const char *metric, int sign, uint64_t *state, double *turned, uint8_t *truth)
{
    for (int i = 0; i < ITEMS; i++) {
        const double value = (double)(draw(state) % 9);

        turned[i] = sign * value;
        truth[i] = i % 3 == 0;
        assert_int_equal(bytes_printf(out, "INSERT INTO probes VALUES (%d, 1, '%s', %g);", i + 1, metric, value), 0);
    }
}

static double asked(sqlite3 *db, const char *query, const char *metric)
{
    sqlite3_stmt *statement;
    struct err    err = { 0 };
    double        value = NAN;

    assert_int_equal(graph_prepare(db, &statement, query, &err), 0);
    assert_int_equal(graph_bind_text(statement, 1, slice_of(metric), &err), 0);
    if (graph_step(statement, &err) == 1) value = graph_real(statement, 0);
    graph_finish(statement);
    return value;
}

/* The trapezoids between all points of a metric, from the origin on. */
static double trapezoids(sqlite3 *db, const char *metric)
{
    return asked(db, "SELECT sum((fpr - before_fpr) * (tpr + before_tpr) / 2) FROM (SELECT fpr, tpr, lag(fpr, 1, 0) "
                     "OVER w AS before_fpr, lag(tpr, 1, 0) OVER w AS before_tpr FROM probe_roc WHERE metric = ?1 "
                     "WINDOW w AS (ORDER BY fpr, tpr))", metric);
}

/* Of every metric, whichever way it points: values that are often equal. */
static void test_areas(void **unused)
{
    struct made_graph g;
    struct bytes      rows = { 0 };
    double            turned[METRIC_COUNT][ITEMS];
    uint8_t           truth[ITEMS];
    uint64_t          state = seed_of_run();
    sqlite3          *db;
    struct err        err = { 0 };

    (void)unused;
    made_open(&g, "INSERT INTO datasets (id, url, role, self_join) VALUES ('b', '', 'benchmark', 0);"
              "INSERT INTO models VALUES (1, 'm', 'ngram', NULL, NULL, NULL, '');"
              "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60) "
              SNIPPETS "SELECT i, '', 'b', '', '[]', i, '', i, 0, 0, 0, 0, '' FROM n;"
              "INSERT INTO probe_items SELECT id, (id - 1) % 3 = 0 FROM snippets;");
    for (enum probe_metric m = METRIC_TOKENS + 1; m < METRIC_COUNT; m++)
        insert(&rows, probe_metric_names[m], probe_sign(m), &state, turned[m], truth);
    assert_int_equal(bytes_append(&rows, "", 1), 0);
    made_run(&g, rows.at);
    bytes_free(&rows);
    db = made_read(&g);
    assert_int_equal(graph_define_views(db, capability_tables(), &err), 0);
    for (enum probe_metric m = METRIC_TOKENS + 1; m < METRIC_COUNT; m++) {
        const char *name = probe_metric_names[m];
        struct roc  roc;

        assert_int_equal(roc_measure(turned[m], truth, ITEMS, &roc, &err), 0);
        if (fabs(trapezoids(db, name) - roc.auc) > 1e-12)
            fail_msg("%s: %.17g between points, %.17g", name, trapezoids(db, name), roc.auc);
        if (fabs(asked(db, "SELECT min(auc) FROM probe_curves WHERE metric = ?1", name) - roc.auc) > 1e-12 ||
            fabs(asked(db, "SELECT max(auc) FROM probe_curves WHERE metric = ?1", name) - roc.auc) > 1e-12)
            fail_msg("%s: not %.17g", name, roc.auc);
        assert_true(asked(db, "SELECT count(*) FROM probe_roc WHERE metric = ?1", name) == 9);
        /* each drawn point but the origin is one of them, and the last is */
        assert_true(asked(db, "SELECT count(*) FROM probe_curves AS c WHERE metric = ?1 AND threshold IS NOT NULL AND "
                              "NOT EXISTS (SELECT 1 FROM probe_roc AS r WHERE r.metric = c.metric AND r.threshold = "
                              "c.threshold AND r.fpr = c.fpr AND r.tpr = c.tpr AND r.fpr <= c.within)", name) == 0);
        assert_true(asked(db, "SELECT count(*) FROM probe_curves WHERE metric = ?1 AND fpr = 1 AND tpr = 1", name) ==
                    1);
    }
    graph_close(db);
    made_close(&g);
}

/* ---- what is told ---- */

/* Each table's query has its columns and rows. */
static size_t follow(sqlite3 *db, const struct report_node *node)
{
    size_t tables = 0, wanted = 0, rows = 0;

    for (const struct report_node *child = node->child; child; child = child->next) tables += follow(db, child);
    if (node->kind == REPORT_TABLE) {
        sqlite3_stmt *query;
        char         *text = strndup(node->sql.at, node->sql.len);
        struct err    err = { 0 };

        if (graph_prepare(db, &query, text, &err) < 0) fail_msg("%s", err.text);
        assert_int_equal(sqlite3_column_count(query), node->column_count);
        for (size_t i = 0; i < node->column_count; i++)
            assert_string_equal(sqlite3_column_name(query, (int)i), node->columns[i].key);
        while (graph_step(query, &err) == 1) rows++;
        graph_finish(query);
        free(text);
        for (const struct report_row *row = node->row; row; row = row->next) wanted++;
        assert_int_equal(rows, wanted);
        tables++;
    }
    return tables;
}

static size_t tables_of(const struct made_graph *g)
{
    struct report_document document;
    sqlite3               *db = made_read(g);
    struct err             err = { 0 };
    size_t                 tables;

    assert_int_equal(graph_define_views(db, capability_tables(), &err), 0);
    report_open(&document, "Report");
    assert_int_equal(scores_add(&document, document.root, db, &err), 0);
    assert_false(document.failed);
    tables = follow(db, document.root);
    report_close(&document);
    graph_close(db);
    return tables;
}

static void test_queries(void **unused)
{
    struct made_graph g;

    (void)unused;
    made_open(&g, sql);
    assert_int_equal(tables_of(&g), 4);                     /* a curve, two metrics, one of the other benchmark */
    made_run(&g, "UPDATE probe_items SET truth = NULL");
    assert_int_equal(tables_of(&g), 3);
    made_close(&g);
}

static void test_many(void **unused)
{
    struct made_graph  g;
    struct made_report report;

    (void)unused;
    made_open(&g, sql);
    made_run(&g, "WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 50) INSERT INTO models "
                 "SELECT i, 'm' || i, 'ngram', NULL, NULL, NULL, '' FROM n;"
                 "INSERT INTO probes SELECT 1, id, 'nll', 1 FROM models WHERE id > 2");
    made_report(&g, &part, &report);
    made_json(&report, "scores.0.models.39.title", "\"m41\"");
    made_json(&report, "scores.0.models.40", "");
    made_says(&report, "There are more than 40 benchmarks and models");
    made_report_free(&report);
    made_run(&g, "DELETE FROM probes WHERE model > 2; INSERT INTO probes SELECT 2, 1, 'ratio:' || id, 1 FROM models "
                 "WHERE id < 19");
    made_report(&g, &part, &report);
    made_json(&report, "scores.0.models.0.metrics.15.title", "\"ratio:14\"");
    made_json(&report, "scores.0.models.0.metrics.16", "");
    made_json(&report, "scores.1.title", "\"y\"");
    made_says(&report, "or 16 metrics of one: the views probe\\_curves");
    made_report_free(&report);
    made_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_curve), cmocka_unit_test(test_bins),
                                        cmocka_unit_test(test_areas), cmocka_unit_test(test_queries),
                                        cmocka_unit_test(test_many) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
