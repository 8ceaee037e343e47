/* probe/gate.c -- how well a metric tells what a model has seen from what it has not, and how surely a benchmark was
 * seen in its order, as gates.
 *
 * AUC is the share of pairs (an item that was in the training data, one that was not) in which the former ranks above
 * the latter, ties counting half: with mean ranks, (sum of the ranks of the former - n (n + 1) / 2) / (n m).  Metrics
 * that fall for what was seen are turned, as in the report.  An item without a value is not ranked, and was not
 * compared.  A single item ranks where chance puts it, so it takes AUC_LEAST of either kind; a dataset that has but one
 * kind gets one finding a model, not one a metric. */
#include "probe/task.h"

#include "probe/probe.h"
#include "probe/seen.h"

#include <math.h>
#include <stdio.h>

enum { AUC_LEAST = 5, SHARDS_LEAST = 5 };

static const char auc_sql[] =
    "WITH valued AS (SELECT s.dataset AS dataset, m.name AS model, p.metric AS metric, i.truth AS truth, "
    "p.value * iif(p.metric IN (%s), -1, 1) AS value FROM probe_items AS i JOIN snippets AS s ON s.id = i.snippet "
    "JOIN probes AS p ON p.snippet = i.snippet JOIN models AS m ON m.id = p.model "
    "WHERE i.truth IS NOT NULL AND p.metric <> 'tokens'), "
    "ranked AS (SELECT dataset, model, metric, truth, rank() OVER (PARTITION BY dataset, model, metric ORDER BY value) "
    "+ (count(*) OVER (PARTITION BY dataset, model, metric, value) - 1) / 2.0 AS place FROM valued), "
    "summed AS (SELECT dataset, model, metric, sum(truth = 1) AS n, sum(truth = 0) AS m, "
    "sum(iif(truth = 1, place, 0)) AS places FROM ranked GROUP BY dataset, model, metric) "
    "SELECT dataset, iif((SELECT value FROM run WHERE key = 'probe.truth') = 'near', '*', ''), iif(n AND m, (places - "
    "n * (n + 1) / 2.0) / n / m, 0), 1, iif(n AND m, n + m, 0), "
    "(SELECT count(*) FROM probe_items AS i JOIN snippets AS s ON s.id = i.snippet WHERE i.truth IS NOT NULL AND "
    "s.dataset = summed.dataset), printf('is the AUC of %%s, model %%s, over %%s', iif(n AND m, metric, 'no metric'), "
    "model, dataset), 0, 0, 0, iif(min(n, m) < %d, printf('%%d of the items of %%s were in the training data, %%d were "
    "not, and it takes %d of either', n, dataset, m), NULL) FROM (SELECT *, row_number() OVER (PARTITION BY dataset, "
    "model ORDER BY n + m DESC, metric) AS place FROM summed) AS summed WHERE (n AND m) OR place = 1 ORDER BY dataset, "
    "model, metric";

static int auc_measure(const struct task *task, sqlite3 *db, const struct gate_listener *to, struct err *err)
{
    struct bytes falling = { 0 }, sql = { 0 };
    int          rc = 0;

    (void)task;
    for (enum probe_metric m = 0; m < METRIC_COUNT && rc == 0; m++)
        if (probe_sign(m) < 0) rc = bytes_printf(&falling, "%s'%s'", falling.len ? ", " : "", probe_metric_names[m]);
    if (rc == 0) rc = bytes_printf(&sql, auc_sql, falling.at, AUC_LEAST, AUC_LEAST);
    rc = rc < 0 ? err_memory(err, sizeof auc_sql, "gates") : gate_ask(db, sql.at, SLICE(""), to, err);
    bytes_free(&falling);
    bytes_free(&sql);
    return rc;
}

/* One benchmark and model: by shards, by orders where all shards gain the same.  Nothing: no shard could be scored. */
static void seen_tell(const struct seen *seen, const struct gate_listener *to)
{
    const double p = isnan(seen->test.p) ? seen->test.p_orders : seen->test.p, percent = isnan(p) ? 0 : 100 * (1 - p);
    char         clause[600], doubt[120];

    snprintf(clause, sizeof clause, "%.2f %% is how surely model %.*s has seen %.*s in its order", percent,
             (int)(seen->model.len < 200 ? seen->model.len : 200), seen->model.at,
             (int)(seen->benchmark.len < 200 ? seen->benchmark.len : 200), seen->benchmark.at);
    snprintf(doubt, sizeof doubt, "of its shards %zu could be scored, and it takes %d", seen->test.shards,
             SHARDS_LEAST);
    to->hear(to->context, &(struct gate_finding){
        .source = seen->benchmark, .percent = percent, .compared = isnan(p) ? 0 : seen->items, .whole = seen->items,
        .clause = clause, .doubt = seen->test.shards < SHARDS_LEAST ? doubt : NULL });
}

static int order_measure(const struct task *task, sqlite3 *db, const struct gate_listener *to, struct err *err)
{
    struct seen_list list;
    int              rc = seen_read(&list, db, err);

    (void)task;
    for (size_t i = 0; i < list.count && rc == 0; i++) seen_tell(&list.at[i], to);
    seen_free(&list);
    return rc;
}

const struct gate probe_gates[] = {
    { "auc", "exit status 3 when a metric of a model tells what was in its training data from what was not with an AUC "
      "above so many percent, from 50 (chance) on: 60 is an AUC of 0.6", auc_measure, NULL, 50 },
    { "order", "exit status 3 when the order of a benchmark (probe.order) says with more than so many percent, 100 (1 "
      "- p), that a model has seen it: 99 is a p below 0.01", order_measure, NULL, 50 },
    { .key = NULL },
};
