/* probe/tables.c -- see tables.h. */
#include "probe/tables.h"

#include "graph/pairs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the tables ---- */

#define FIELD(member) offsetof(struct ROW, member)

#define ROW graph_model
static const struct graph_column models_columns[] = {
    { "id", COLUMN_NUMBER, 0, 0, NULL, "from 1, in the order of probe.models" },
    { "name", COLUMN_TEXT, FIELD(name), COLUMN_UNIQUE, NULL, "" },
    { "backend", COLUMN_TEXT, FIELD(backend), 0, NULL, "ngram | http | replay | llama" },
    { "context", COLUMN_MAYBE, FIELD(context), 0, NULL, "tokens in a window; NULL: no limit" },
    { "vocabulary", COLUMN_MAYBE, FIELD(vocabulary), 0, NULL, "tokens; NULL: not known, as below" },
    { "parameters", COLUMN_MAYBE, FIELD(parameters), 0, NULL, "" },
    { "key", COLUMN_HEX128, FIELD(key_low), 0, NULL, "xxh3-128 of all that its answers depend on, 32 hex digits" },
};
TABLE_PAIR(key_low, key_high);
#undef ROW

static const struct graph_view models_views[] = {
    { "probe_models", "model, backend, context, vocabulary, parameters, items",
      "SELECT m.name, m.backend, m.context, m.vocabulary, m.parameters, (SELECT count(DISTINCT snippet) FROM probes AS "
      "p WHERE p.model = m.id) FROM models AS m ORDER BY m.id",
      "The models that were asked, and of how many items each gave a value." },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_models = {
    .name = "models", .row_size = sizeof(struct graph_model), TABLE_COLUMNS(models_columns),
    .views = models_views,
    .doc = "Pass probe: the language models that were asked.",
};

#define ROW graph_probe_item
static const struct graph_column probe_items_columns[] = {
    { "snippet", COLUMN_DOCUMENT, FIELD(document), COLUMN_PRIMARY, "snippets", "" },
    { "truth", COLUMN_MAYBE, FIELD(truth), 0, NULL,
      "probe.truth: 1: it was in the training data, 0: it was not, NULL: nobody knows" },
};
#undef ROW

const struct graph_table table_probe_items = {
    .name = "probe_items", .row_size = sizeof(struct graph_probe_item), TABLE_COLUMNS(probe_items_columns),
    .doc = "The items that they were asked about.",
};

/* Values with the benchmark and model that they are of: by item, so that each document is read once. */
#define VALUES \
    "FROM probe_items AS i CROSS JOIN snippets AS s ON s.id = i.snippet CROSS JOIN probes AS p ON p.snippet = " \
    "i.snippet CROSS JOIN datasets AS d ON d.id = s.dataset WHERE p.metric <> 'tokens' "

/* Those that probe_sign turns.  A score is larger where the model knows the text better, a value is as it is. */
#define TURNED(metric, number) \
    "iif(" metric " IN ('nll', 'nll_windows', 'nll_weighted', 'perplexity', 'window'), -" number ", " number ")"

#define SAME(a, b) a ".slot = " b ".slot AND " a ".model = " b ".model AND " a ".metric = " b ".metric"

/* Points of ROC curves, one for each different score: equal ones reach a threshold together, so ties are the straight
 * line to the next point.  Two walks over sorted values, whatever the number of metrics. */
#define POINTS \
    "WITH counted AS MATERIALIZED (SELECT d.rowid AS slot, p.model AS model, p.metric AS metric, " \
    TURNED("p.metric", "p.value") " AS score, min(p.rowid) AS place, sum(i.truth) AS ones, count(*) - sum(i.truth) " \
    "AS zeros " VALUES "AND i.truth IS NOT NULL GROUP BY slot, p.model, p.metric, score), " \
    "whole AS MATERIALIZED (SELECT slot, model, metric, min(place) AS place, sum(ones) AS all_ones, sum(zeros) AS " \
    "all_zeros FROM counted GROUP BY slot, model, metric HAVING all_ones > 0 AND all_zeros > 0), " \
    "points AS (SELECT slot, model, metric, score, ones, zeros, sum(ones) OVER above AS hits, sum(zeros) OVER above " \
    "AS alarms FROM counted WINDOW above AS (PARTITION BY slot, model, metric ORDER BY score DESC)) "

#define ROW graph_probe
static const struct graph_column probes_columns[] = {
    { "snippet", COLUMN_DOCUMENT, FIELD(document), 0, "snippets", "" },
    { "model", COLUMN_ID, FIELD(model), 0, "models", "" },
    { "metric", COLUMN_TEXT, FIELD(metric), 0, NULL,
      "nll, perplexity, ...; ratio:OTHER, difference:OTHER: ln perplexity of that model over, or less, this one's" },
    { "value", COLUMN_REAL, FIELD(value), 0, NULL, "" },
};
#undef ROW

static const struct graph_view probes_views[] = {
    { "probe_benchmarks", "dataset, model, metric, n, mean, sd",
      "SELECT dataset, model, metric, count(*), mean, CASE WHEN count(*) > 1 THEN sqrt(sum((value - mean) * (value "
      "- mean)) / (count(*) - 1)) END FROM (SELECT s.dataset AS dataset, m.name AS model, p.metric AS metric, p.value "
      "AS value, avg(p.value) OVER (PARTITION BY s.dataset, p.model, p.metric) AS mean FROM probes AS p JOIN snippets "
      "AS s ON s.id = p.snippet JOIN models AS m ON m.id = p.model) GROUP BY dataset, model, metric",
      "Metrics by benchmark, model and metric: number, mean and standard deviation of the items' values." },
    { "probe_files", "dataset, path, model, metric, n, mean",
      "SELECT s.dataset, s.path, m.name, p.metric, count(*), avg(p.value) FROM probes AS p JOIN snippets AS s ON "
      "s.id = p.snippet JOIN models AS m ON m.id = p.model WHERE s.path IS NOT NULL GROUP BY s.dataset, s.path, "
      "m.name, p.metric",
      "The same by file." },
    { "probe_scores", "benchmark, model, metric, snippet, truth, value",
      "WITH places AS (SELECT metric, min(rowid) AS place FROM probes GROUP BY metric) "
      "SELECT s.dataset, m.name, p.metric, p.snippet, i.truth, p.value FROM probe_items AS i JOIN snippets AS s ON "
      "s.id = i.snippet JOIN datasets AS d ON d.id = s.dataset JOIN probes AS p ON p.snippet = i.snippet JOIN models "
      "AS m ON m.id = p.model JOIN places AS o ON o.metric = p.metric "
      "WHERE i.truth IS NOT NULL AND p.metric <> 'tokens' ORDER BY d.rowid, p.model, o.place, p.snippet",
      "Values beside the truth, 1: the item was in the training data. Areas under the curve and precisions of the "
      "report are those of each benchmark, model and metric." },
    { "probe_roc", "benchmark, model, metric, threshold, members, others, tpr, fpr",
      POINTS "SELECT d.id, m.name, w.metric, " TURNED("w.metric", "p.score") ", p.hits, p.alarms, 1.0 * p.hits / "
      "w.all_ones, 1.0 * p.alarms / w.all_zeros FROM whole AS w JOIN points AS p ON " SAME("p", "w") " JOIN datasets "
      "AS d ON d.rowid = w.slot JOIN models AS m ON m.id = w.model ORDER BY w.slot, w.model, w.place, p.score DESC",
      "ROC curves, a row a threshold: how many items that were in the training data (members) reach it, and of the "
      "others, and what shares of theirs that is. Between rows, and before the first from 0, the curve is straight." },
    { "probe_curves", "benchmark, model, metric, auc, within, fpr, tpr, threshold, members, others",
      POINTS ", steps AS (SELECT slot, model, metric, place, all_ones, all_zeros, -1 AS step, NULL AS score, 0 AS "
      "hits, 0 AS alarms, 0 AS area FROM whole UNION ALL SELECT w.slot, w.model, w.metric, w.place, w.all_ones, "
      "w.all_zeros, CASE WHEN alarms = 0 THEN 0 WHEN 1000 * alarms <= all_zeros THEN 1 WHEN 100 * alarms <= all_zeros "
      "THEN 10 ELSE 50 * ((20 * alarms + all_zeros - 1) / all_zeros) END AS step, min(score), max(hits), max(alarms), "
      "sum(zeros * (hits - ones / 2.0)) FROM whole AS w JOIN points AS p ON " SAME("p", "w") " GROUP BY w.slot, "
      "w.model, w.metric, step) SELECT d.id, m.name, s.metric, sum(area) OVER (PARTITION BY s.slot, s.model, s.metric) "
      "/ all_ones / all_zeros, max(step, 0) / 1000.0, 1.0 * alarms / all_zeros, 1.0 * hits / all_ones, "
      TURNED("s.metric", "score") ", hits, alarms FROM steps AS s JOIN datasets AS d ON d.rowid = s.slot JOIN models "
      "AS m ON m.id = s.model ORDER BY s.slot, s.model, s.place, step",
      "The same with few rows, as they are drawn: the origin, and of the points with an FPR within 0, 0.001, 0.01, "
      "0.05, 0.1, 0.15 and so on to 1 the last of each. auc: the area under all points of probe_roc." },
    { "probe_distribution", "benchmark, model, metric, low, high, items, members, others, members_percent, "
      "others_percent",
      "WITH RECURSIVE bins(bin) AS (SELECT 0 UNION ALL SELECT bin + 1 FROM bins WHERE bin < 19), "
      "scores AS MATERIALIZED (SELECT d.rowid AS slot, p.model AS model, p.metric AS metric, i.truth AS truth, p.rowid "
      "AS place, iif(p.metric IN ('perplexity', 'window'), ln(p.value), p.value) AS score " VALUES "AND abs(p.value) < "
      "1e308), "
      "ends AS MATERIALIZED (SELECT slot, model, metric, min(place) AS place, min(score) AS low, max(score) - "
      "min(score) AS width, sum(truth = 1) AS members, sum(truth = 0) AS others FROM scores GROUP BY slot, model, "
      "metric), counted AS MATERIALIZED (SELECT s.slot AS slot, s.model AS model, s.metric AS metric, min(19, "
      "ifnull(CAST((score - low) * 20 / width AS INTEGER), 0)) AS bin, count(*) AS items, sum(truth = 1) AS members, "
      "sum(truth = 0) AS others FROM scores AS s JOIN ends AS e ON " SAME("e", "s") " GROUP BY s.slot, s.model, "
      "s.metric, bin), edges AS (SELECT e.*, bin, low + width * bin / 20 AS edge, low + width * (bin + 1) / 20 AS next "
      "FROM ends AS e JOIN bins ON bin = 0 OR width > 0) "
      "SELECT d.id, m.name, e.metric, iif(e.metric IN ('perplexity', 'window'), exp(edge), edge), iif(e.metric IN "
      "('perplexity', 'window'), exp(next), next), ifnull(c.items, 0), ifnull(c.members, 0), ifnull(c.others, 0), "
      "100.0 * ifnull(c.members, 0) / nullif(e.members, 0), 100.0 * ifnull(c.others, 0) / nullif(e.others, 0) FROM "
      "edges AS e JOIN datasets AS d ON d.rowid = e.slot JOIN models AS m ON m.id = e.model LEFT JOIN counted AS c ON "
      SAME("c", "e") " AND c.bin = e.bin ORDER BY e.slot, e.model, e.place, e.bin",
      "How the values of a metric are distributed: 20 bins of equal width from the least to the largest (of perplexity "
      "and window, of equal ratio), how many items each has, of those in the training data (members) and of the "
      "others, and which percentage of theirs. The last bin has its upper end, the others have not." },
    { "probe_members", "snippet, benchmark, source_id, model, accuracy, nll, matches",
      "SELECT s.id, s.dataset, s.source_id, m.name, max(CASE p.metric WHEN 'accuracy' THEN p.value END) AS accuracy, "
      "max(CASE p.metric WHEN 'nll' THEN p.value END) AS nll, s.matches "
      "FROM probe_items AS i JOIN snippets AS s ON s.id = i.snippet JOIN probes AS p ON p.snippet = s.id JOIN models "
      "AS m ON m.id = p.model WHERE i.truth = 1 AND p.metric IN ('accuracy', 'nll') GROUP BY s.id, p.model ORDER BY "
      "accuracy DESC, nll IS NULL, nll, s.id, p.model",
      "Items that were in the training data, those that a model shows most of first." },
    { NULL, NULL, NULL, NULL },
};

static const struct graph_check probes_checks[] = {
    { "a model has at most one value of a metric for an item, and only for items it was asked about",
      "SELECT 'snippet ' || p.snippet || ' ' || p.metric, count(*), count(i.snippet) FROM probes AS p LEFT JOIN "
      "probe_items AS i ON i.snippet = p.snippet GROUP BY p.snippet, p.model, p.metric HAVING count(*) > 1 OR "
      "count(i.snippet) <> count(*)",
      "values", "of items asked about" },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_probes = {
    .name = "probes", .row_size = sizeof(struct graph_probe), TABLE_COLUMNS(probes_columns),
    .views = probes_views, .checks = probes_checks,
    .doc = "What came of each; not in run.digest, as they are no integers.",
    .after = "CREATE INDEX probes_snippet ON probes (snippet);",
};

#define ROW graph_probe_gap
static const struct graph_column probe_gaps_columns[] = {
    { "model", COLUMN_ID, FIELD(model), 0, "models", "" },
    { "metric", COLUMN_TEXT, FIELD(metric), 0, NULL, "'': all of these items; order: their whole, as in probe_orders" },
    { "items", COLUMN_U64, FIELD(items), 0, NULL, "of order: shards" },
    { "reason", COLUMN_TEXT, FIELD(reason), 0, NULL, "of the first of them" },
};
#undef ROW

static const struct graph_view probe_gaps_views[] = {
    { "probe_missing", "model, metric, items, reason",
      "SELECT m.name, g.metric, g.items, g.reason FROM probe_gaps AS g JOIN models AS m ON m.id = g.model ORDER BY "
      "g.model, g.rowid",
      "Values that are missing, by the names of the models." },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_probe_gaps = {
    .name = "probe_gaps", .row_size = sizeof(struct graph_probe_gap), TABLE_COLUMNS(probe_gaps_columns),
    .views = probe_gaps_views,
    .doc = "Values that are missing.",
};

#define ROW graph_probe_order
static const struct graph_column probe_orders_columns[] = {
    { "dataset", COLUMN_DATASET, FIELD(dataset), 0, NULL, "" },
    { "model", COLUMN_ID, FIELD(model), 0, "models", "" },
    { "shard", COLUMN_U32, FIELD(shard), 0, NULL, "of the dataset's items, in their order, from 0" },
    { "permutation", COLUMN_U32, FIELD(permutation), 0, NULL, "0: as the items stand; else the number of an order" },
    { "items", COLUMN_U32, FIELD(items), 0, NULL, "of the shard, those that fit into the model's context" },
    { "tokens", COLUMN_U64, FIELD(tokens), 0, NULL, "of their joined text that were scored" },
    { "logprob", COLUMN_REAL, FIELD(logprob), 0, NULL, "sum of the tokens' natural logarithms of probability" },
};
#undef ROW

static const struct graph_view probe_orders_views[] = {
    { "probe_order_shards", "benchmark, model, shard, items, tokens, logprob, permutations, mean_permuted, as_probable",
      "SELECT o.dataset, m.name, o.shard, o.items, o.tokens, o.logprob, count(*), avg(p.logprob), sum(p.logprob >= "
      "o.logprob) FROM probe_orders AS o JOIN probe_orders AS p ON p.dataset = o.dataset AND p.model = o.model AND "
      "p.shard = o.shard AND p.permutation > 0 JOIN models AS m ON m.id = o.model JOIN datasets AS d ON d.id = "
      "o.dataset WHERE o.permutation = 0 GROUP BY d.rowid, o.model, o.shard",
      "Shards of benchmarks as they stand beside their permutations: as_probable is how many of those the model finds "
      "no less probable." },
    { NULL, NULL, NULL, NULL },
};

static const struct graph_check probe_orders_checks[] = {
    { "a shard of a benchmark has each of its orders once, and as it stands",
      "SELECT dataset || ' model ' || model || ' shard ' || shard, count(DISTINCT permutation), max(permutation) + 1 "
      "FROM probe_orders GROUP BY dataset, model, shard HAVING count(*) <> max(permutation) + 1 OR "
      "count(DISTINCT permutation) <> count(*)",
      "orders", "up to the last" },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_probe_orders = {
    .name = "probe_orders", .row_size = sizeof(struct graph_probe_order), TABLE_COLUMNS(probe_orders_columns),
    .views = probe_orders_views, .checks = probe_orders_checks,
    .doc = "Whole benchmarks as they stand and shuffled (probe.order); not in run.digest.",
    .after = "CREATE INDEX probe_orders_shard ON probe_orders (dataset, model, shard);",
};

const struct graph_table *const probe_tables[] = { &table_models, &table_probe_items, &table_probes,
                                                    &table_probe_gaps, &table_probe_orders, NULL };

/* ---- their rows ---- */

/* ---- truth by the scan ---- */

static bool of_corpus(const struct graph *graph, uint32_t document, struct graph_document *scratch)
{
    return !graph->datasets[graph_document_at(graph, document, scratch)->dataset].benchmark;
}

/* As in graph_document.matches. */
static bool counts(const struct graph_edge *edge) { return edge->kind == EDGE_EXACT || edge->kind == EDGE_NEAR; }

/* Documents with the same features have the same neighbours. */
static bool is_twin(const struct graph_edge *edge)
{
    return counts(edge) && edge->shared == edge->union_size && edge->min_sum == edge->max_sum;
}

struct truth { uint64_t *pairs; bool *corpus, *found; int8_t *out; };

/* What the pairs of a document say of it. */
static void take_pair(struct truth *truth, const struct graph_edge *edge)
{
    if (edge->kind == EDGE_BELOW) return;
    truth->pairs[edge->a] += counts(edge), truth->pairs[edge->b] += counts(edge);
    truth->found[edge->a] |= truth->corpus[edge->b], truth->found[edge->b] |= truth->corpus[edge->a];
}

/* And what those of its twins say. */
static void take_twin(struct truth *truth, const struct graph_edge *edge)
{
    if (!is_twin(edge)) return;
    if (truth->found[edge->b] && truth->out[edge->a] < 0) truth->out[edge->a] = 1;
    if (truth->found[edge->a] && truth->out[edge->b] < 0) truth->out[edge->b] = 1;
}

static int take_all(struct truth *truth, const struct graph_pass *pass,
                    void (*take)(struct truth *truth, const struct graph_edge *edge), struct err *err)
{
    struct pairs      pairs;
    struct graph_edge edge;
    int               rc = pairs_open(&pairs, pass, err);

    while (rc == 0 && (rc = pairs_next(&pairs, &edge, err)) > 0) {
        take(truth, &edge);
        rc = 0;
    }
    pairs_close(&pairs);
    return rc;
}

int graph_truth_near(const struct graph *graph, int8_t *out, struct err *err)
{
    const struct graph_pass *near = &graph->passes[PASS_NEAR];
    struct graph_document    scratch;
    uint64_t                *pairs = calloc(graph->document_count + 1, sizeof *pairs);
    bool                    *corpus = calloc(graph->document_count + 1, sizeof *corpus),
        *found = calloc(graph->document_count + 1, sizeof *found);
    int                      rc = pairs && corpus && found ? 0
        : err_memory(err, graph->document_count * sizeof *pairs, "pairs with corpora");

    struct truth             truth = { pairs, corpus, found, out };

    for (uint32_t d = 0; rc == 0 && d < graph->document_count; d++) corpus[d] = of_corpus(graph, d, &scratch);
    if (rc == 0) rc = take_all(&truth, near, take_pair, err);
    for (uint32_t d = 0; rc == 0 && d < graph->document_count; d++)
        out[d] = found[d] ? 1 : graph_document_at(graph, d, &scratch)->matches > pairs[d] ? -1 : 0;
    if (rc == 0) rc = take_all(&truth, near, take_twin, err);
    free(pairs);
    free(corpus);
    free(found);
    return rc;
}

/* ---- rows ---- */

static int64_t or_null(uint64_t number) { return number && number <= INT64_MAX ? (int64_t)number : -1; }

static int models_add(struct graph_build *build, const struct probe_job *job, struct err *err)
{
    const size_t        count = job->options->models;
    struct graph_model *model = graph_build_own(build, calloc(count + 1, sizeof *model));

    if (!model) return err_memory(err, count * sizeof *model, "models");
    for (size_t m = 0; m < count; m++) {
        const struct model_info *info = &job->model[m];

        model[m] = (struct graph_model){ .name = slice_of(job->options->model[m].name),
                                         .backend = slice_of(info->backend), .context = or_null(info->context),
                                         .vocabulary = or_null(info->vocabulary),
                                             .parameters = or_null(info->parameters), .key_low = info->key.low,
                                         .key_high = info->key.high };
    }
    return graph_add_rows(build, &table_models, model, count, err);
}

/* Metrics' names as rows have them: "ratio:OTHER" and "difference:OTHER" are of the models. */
struct names { struct slice metric[METRIC_COUNT], of_two[METRIC_COUNT - METRIC_RATIO][PROBE_MODELS]; };

static int names_make(struct graph_build *build, const struct probe_job *job, struct names *out, struct err *err)
{
    for (size_t m = 0; m < METRIC_COUNT; m++) out->metric[m] = slice_of(probe_metric_names[m]);
    for (size_t m = METRIC_RATIO; m < METRIC_COUNT; m++)
        for (size_t other = 0; other < job->options->models; other++) {
            char *text = NULL;

            if (asprintf(&text, "%s:%s", probe_metric_names[m], job->options->model[other].name) < 0)
                return err_memory(err, 64, "names of metrics");
            out->of_two[m - METRIC_RATIO][other] = slice_of(graph_build_own(build, text));
        }
    return 0;
}

static int gaps_add(struct graph_build *build, const struct probe_result *result, const struct names *names,
                    struct err *err)
{
    struct graph_probe_gap *gap = graph_build_own(build, calloc(result->gaps + 1, sizeof *gap));

    if (!gap) return err_memory(err, result->gaps * sizeof *gap, "missing values");
    for (size_t g = 0; g < result->gaps; g++) {
        const struct probe_gap *from = &result->gap[g];

        gap[g] = (struct graph_probe_gap){ .model = from->model, .metric = from->metric < METRIC_COUNT
                                           ? names->metric[from->metric] : from->metric == METRIC_ORDER
                                               ? SLICE("order") : (struct slice){ 0 },
                                           .items = from->items, .reason = slice_of(from->reason) };
    }
    return graph_add_rows(build, &table_probe_gaps, gap, result->gaps, err);
}

static int items_add(struct graph_build *build, const struct probe_job *job, const struct probe_result *result,
                     struct err *err)
{
    struct graph_probe_item *item = graph_build_own(build, calloc(result->items + 1, sizeof *item));
    struct graph_finder      finder = { .graph = &build->graph };
    const bool               near = job->options->truth == TRUTH_NEAR;
    int8_t                  *truth = calloc(build->graph.document_count + 1, sizeof *truth);
    size_t                   items = 0;
    int                      rc = item && truth ? 0 : err_memory(err, result->items * sizeof *item, "items");

    if (rc == 0 && near) rc = graph_truth_near(&build->graph, truth, err);
    for (size_t i = 0; i < result->items && rc == 0; i++) {
        const struct probe_asked *from = &result->item[i];
        uint32_t                  document;

        if (!graph_find(&finder, from->shard, from->record, &document)) continue;
        item[items++] = (struct graph_probe_item){ document, near ? truth[document] : from->known == KNOWN_NOT ? -1
                                                   : from->known == KNOWN_IN };
    }
    free(truth);
    return rc < 0 ? rc : graph_add_rows(build, &table_probe_items, item, items, err);
}

static int orders_add(struct graph_build *build, const struct probe_result *result, struct err *err)
{
    struct graph_probe_order *order = graph_build_own(build, malloc((result->orders + 1) * sizeof *order));

    if (!order) return err_memory(err, result->orders * sizeof *order, "orders of items");
    for (size_t i = 0; i < result->orders; i++) {
        const struct probe_ordered *from = &result->ordered[i];

        order[i] = (struct graph_probe_order){ from->logprob, from->tokens, from->dataset, from->model, from->shard,
                                               from->permutation, from->items };
    }
    return graph_add_rows(build, &table_probe_orders, order, result->orders, err);
}

int graph_add_probes(struct graph_build *build, const struct probe_job *job, const struct probe_result *result,
                     struct err *err)
{
    struct graph_probe *probe = graph_build_own(build, malloc((result->count + 1) * sizeof *probe));
    struct graph_finder finder = { .graph = &build->graph };
    struct names        names;
    size_t              probes = 0;
    int                 rc = probe ? models_add(build, job, err)
        : err_memory(err, result->count * sizeof *probe, "values");

    if (rc == 0) rc = names_make(build, job, &names, err);
    if (rc == 0) rc = gaps_add(build, result, &names, err);
    if (rc == 0) rc = items_add(build, job, result, err);
    if (rc == 0) rc = orders_add(build, result, err);
    for (size_t v = 0; v < result->count && rc == 0; v++) {
        const struct probe_value *from = &result->value[v];
        uint32_t                  document;

        if (!graph_find(&finder, from->shard, from->record, &document)) continue;
        probe[probes++] = (struct graph_probe){
            from->value, from->metric < METRIC_RATIO ? names.metric[from->metric]
                : names.of_two[from->metric - METRIC_RATIO][from->other], document, from->model };
    }
    return rc < 0 ? rc : graph_add_rows(build, &table_probes, probe, probes, err);
}
