/* probe/members.c -- see members.h.  A benchmark at a time is read: what is adjusted for having asked more than once is
 * all that was asked of its items. */
#include "probe/members.h"

#include "graph/read.h"
#include "probe/probe.h"
#include "stats/adjust.h"
#include "stats/interval.h"
#include "stats/ranking.h"
#include "stats/roc.h"
#include "stats/two_sample.h"

#include <math.h>
#include <stdlib.h>

/* Values of one metric of one model, turned so that larger ones are expected of what was in the training data; those of
 * the benchmark from `first` on. */
struct series {
    struct slice model, metric;
    int          sign;
    size_t       first, count;
    double       p, holm;                                   /* of an area of one half or less */
};

/* Of one benchmark: by model, metric and snippet. */
struct benchmark {
    struct slice   name;
    struct series *series;
    uint64_t      *snippet;
    double        *value;
    uint8_t       *truth;
    size_t         series_count, count, series_room, snippet_room, value_room, truth_room;
    /* [count] of two series side by side */
    double        *a, *b;
    uint8_t       *both;
};

struct tables { struct report_document *out; struct report_node *section, *separation, *rates, *comparisons; };

static const struct report_column separation_columns[] = {
    { "benchmark", "benchmark" }, { "model", "model" }, { "metric", "metric" }, { "in", "in training" },
    { "out", "not" }, { "auc", "AUC" }, { "auc_low", "from" }, { "auc_high", "to" }, { "p", "p" },
    { "p_holm", "Holm" }, { "precision_10", "precision at 10" }, { "precision_100", "at 100" },
    { "mean_in", "mean, in" }, { "mean_out", "mean, not" },
};
static const struct report_column rate_columns[] = {
    { "benchmark", "benchmark" }, { "model", "model" }, { "metric", "metric" },
    { "tpr_1", "TPR at 1 % FPR" }, { "tpr_1_low", "from" }, { "tpr_1_high", "to" },
    { "tpr_01", "at 0.1 %" }, { "tpr_01_low", "from" }, { "tpr_01_high", "to" },
};
static const struct report_column comparison_columns[] = {
    { "benchmark", "benchmark" }, { "model", "model" }, { "metric", "metric" }, { "other_model", "less that of" },
    { "other_metric", "and" }, { "in", "in training" }, { "out", "not" }, { "difference", "AUC, difference" },
    { "low", "from" }, { "high", "to" }, { "p", "p" }, { "p_holm", "Holm" },
};
#define COLUMNS(array) array, sizeof array / sizeof *array

static struct report_cell cell_of(double value)
{
    return isfinite(value) ? report_cell_share(value) : (struct report_cell){ .kind = REPORT_NOTHING };
}

static struct report_cell chance_of(double p)
{
    return isfinite(p) ? report_cell_number(p) : (struct report_cell){ .kind = REPORT_NOTHING };
}

/* 1 or -1: the direction in which a metric points.  Those of two models, "ratio:OTHER", point up. */
static int sign_of(struct slice metric)
{
    for (enum probe_metric m = 0; m < METRIC_COUNT; m++)
        if (slice_equal(slice_of(probe_metric_names[m]), metric)) return probe_sign(m);
    return 1;
}

/* ---- one metric alone ---- */

static int series_test(const struct benchmark *of, struct series *s, struct err *err)
{
    struct mann_whitney test;
    double             *in = malloc((s->count + 1) * sizeof *in), *out = malloc((s->count + 1) * sizeof *out);
    size_t              ins = 0, outs = 0;
    int                 rc = in && out ? 0 : -ENOMEM;

    for (size_t i = s->first; rc == 0 && i < s->first + s->count; i++) {
        if (of->truth[i]) in[ins++] = of->value[i];
        else out[outs++] = of->value[i];
    }
    if (rc == 0) rc = mann_whitney(in, ins, out, outs, &test);
    s->p = rc == 0 ? test.greater : NAN;
    free(in);
    free(out);
    return rc < 0 ? err_memory(err, s->count * sizeof *in, "a ranking") : 0;
}

static int separation_add(const struct tables *to, const struct benchmark *of, const struct series *s, struct err *err)
{
    const double  *value = of->value + s->first;
    const uint8_t *truth = of->truth + s->first;
    double         ten, hundred, sum[2] = { 0 };
    struct roc     roc;
    int            rc = roc_measure(value, truth, s->count, &roc, err);

    for (size_t i = 0; i < s->count; i++) sum[truth[i]] += s->sign * value[i];
    if (rc == 0) rc = precision_at(value, truth, s->count, 10, &ten, err);
    if (rc == 0) rc = precision_at(value, truth, s->count, 100, &hundred, err);
    if (rc == 0 && !isnan(roc.auc))
        report_row(to->out, to->separation, (const struct report_cell[]){
            report_cell_name(of->name), report_cell_name(s->model), report_cell_text(s->metric),
            report_cell_count(roc.ones), report_cell_count(roc.zeros), cell_of(roc.auc), cell_of(roc.low),
            cell_of(roc.high), chance_of(s->p), chance_of(s->holm), cell_of(ten), cell_of(hundred),
            cell_of(sum[1] / (double)roc.ones), cell_of(sum[0] / (double)roc.zeros) });
    return rc;
}

static void rate_cells(const struct roc_rate *rate, struct report_cell cell[3])
{
    double low = NAN, high = NAN;

    if (rate->decided) wilson_interval(rate->hits, rate->ones, &low, &high);
    cell[0] = cell_of(rate->decided ? (double)rate->hits / (double)rate->ones : NAN);
    cell[1] = cell_of(low);
    cell[2] = cell_of(high);
}

enum { ONE_IN_MANY = 100, ONE_IN_MORE = 1000 };             /* 1 % and 0.1 %, as the columns say */

static int rates_add(const struct tables *to, const struct benchmark *of, const struct series *s, struct err *err)
{
    struct report_cell cell[9] = { report_cell_name(of->name), report_cell_name(s->model),
                                   report_cell_text(s->metric) };
    struct roc_rate    many, more;
    int                rc = roc_rate(of->value + s->first, of->truth + s->first, s->count, ONE_IN_MANY, &many, err);

    if (rc == 0) rc = roc_rate(of->value + s->first, of->truth + s->first, s->count, ONE_IN_MORE, &more, err);
    if (rc < 0 || !many.decided) return rc;
    rate_cells(&many, cell + 3);
    rate_cells(&more, cell + 6);
    report_row(to->out, to->rates, cell);
    return 0;
}

/* ---- two of them ---- */

struct comparison { const struct series *of, *with; struct roc_pair pair; };

/* The items that both have: by snippet, as either is. */
static size_t merge(const struct benchmark *of, const struct series *x, const struct series *y)
{
    size_t i = x->first, j = y->first, both = 0;

    while (i < x->first + x->count && j < y->first + y->count) {
        if (of->snippet[i] == of->snippet[j]) {
            of->a[both] = of->value[i];
            of->b[both] = of->value[j];
            of->both[both++] = of->truth[i];
        }
        if (of->snippet[i] <= of->snippet[j]) i++;
        else if (of->snippet[j] < of->snippet[i]) j++;
    }
    return both;
}

/* What a series is held against: a metric of a model against the model's first one, and the same metric of the first
 * model that has it.  NULL: nothing. */
static const struct series *first_of_model(const struct benchmark *of, const struct series *s)
{
    const struct series *first = of->series;

    while (!slice_equal(first->model, s->model)) first++;
    return first < s ? first : NULL;
}

static const struct series *first_of_metric(const struct benchmark *of, const struct series *s)
{
    const struct series *first = of->series;

    while (!slice_equal(first->metric, s->metric)) first++;
    return first < s ? first : NULL;
}

static int compare(const struct benchmark *of, const struct series *s, const struct series *with,
                   struct comparison *out, size_t *count, struct err *err)
{
    const size_t both = with ? merge(of, s, with) : 0;
    int          rc = with ? roc_compare(of->a, of->b, of->both, both, &out[*count].pair, err) : 0;

    if (!with || rc < 0 || isnan(out[*count].pair.difference)) return rc;
    out[*count].of = s;
    out[(*count)++].with = with;
    return 0;
}

static void comparison_add(const struct tables *to, const struct benchmark *of, const struct comparison *c,
                           double holm)
{
    const double half = c->pair.error > 0 ? 1.959963984540054 * c->pair.error : NAN;

    report_row(to->out, to->comparisons, (const struct report_cell[]){
        report_cell_name(of->name), report_cell_name(c->of->model), report_cell_text(c->of->metric),
        report_cell_name(c->with->model), report_cell_text(c->with->metric), report_cell_count(c->pair.ones),
        report_cell_count(c->pair.zeros), cell_of(c->pair.difference), cell_of(c->pair.difference - half),
        cell_of(c->pair.difference + half), chance_of(c->pair.p), chance_of(holm) });
}

static int comparisons_add(const struct tables *to, struct benchmark *of, struct err *err)
{
    struct comparison *made = calloc(2 * of->series_count + 1, sizeof *made);
    double            *p = malloc((4 * of->series_count + 1) * sizeof *p), *holm = p + 2 * of->series_count;
    size_t             count = 0;
    int                rc;

    of->a = malloc((of->count + 1) * sizeof *of->a);
    of->b = malloc((of->count + 1) * sizeof *of->b);
    of->both = malloc(of->count + 1);
    rc = made && p && of->a && of->b && of->both ? 0 : err_memory(err, of->count * sizeof *of->a, "a ranking");
    for (size_t i = 0; i < of->series_count && rc == 0; i++) {
        rc = compare(of, &of->series[i], first_of_model(of, &of->series[i]), made, &count, err);
        if (rc == 0) rc = compare(of, &of->series[i], first_of_metric(of, &of->series[i]), made, &count, err);
    }
    for (size_t i = 0; i < count; i++) p[i] = made[i].pair.p;
    if (rc == 0 && holm_adjust(p, count, holm) < 0) rc = err_memory(err, count * sizeof *p, "p-values");
    for (size_t i = 0; i < count && rc == 0; i++) comparison_add(to, of, &made[i], holm[i]);
    free(made);
    free(p);
    return rc;
}

/* ---- a benchmark ---- */

static int series_adjust(struct benchmark *of, struct err *err)
{
    double *p = malloc((2 * of->series_count + 1) * sizeof *p), *const holm = p + of->series_count;
    int     rc = p ? 0 : err_memory(err, of->series_count * sizeof *p, "p-values");

    for (size_t i = 0; i < of->series_count && rc == 0; i++) {
        rc = series_test(of, &of->series[i], err);
        p[i] = of->series[i].p;
    }
    if (rc == 0 && holm_adjust(p, of->series_count, holm) < 0)
        rc = err_memory(err, of->series_count * sizeof *p, "p-values");
    for (size_t i = 0; i < of->series_count && rc == 0; i++) of->series[i].holm = holm[i];
    free(p);
    return rc;
}

/* What its number of items does not let one say. */
static void needs_add(const struct tables *to, const struct benchmark *of)
{
    size_t in = 0, out = 0;

    for (size_t s = 0; s < of->series_count; s++) {
        size_t ones = 0;

        for (size_t i = 0; i < of->series[s].count; i++) ones += of->truth[of->series[s].first + i];
        if (ones > in) in = ones;
        if (of->series[s].count - ones > out) out = of->series[s].count - ones;
    }
    if (out >= ONE_IN_MORE || in == 0 || out == 0) return;
    report_paragraph(to->out, to->section, "%.*s: %s0.1 %% FPR needs at least 1,000 items that were not in the "
                                           "training data; there are %zu: not decided.", (int)of->name.len,
                     of->name.at, out >= ONE_IN_MANY ? "" : "1 % FPR needs at least 100 and ", out);
}

static int benchmark_flush(struct tables *to, struct benchmark *of, struct err *err)
{
    int rc = of->series_count ? series_adjust(of, err) : 0;

    for (size_t s = 0; s < of->series_count && rc == 0; s++) {
        rc = separation_add(to, of, &of->series[s], err);
        if (rc == 0) rc = rates_add(to, of, &of->series[s], err);
    }
    if (rc == 0 && of->series_count) rc = comparisons_add(to, of, err);
    if (rc == 0) needs_add(to, of);
    free(of->a);
    free(of->b);
    free(of->both);
    of->a = of->b = NULL;
    of->both = NULL;
    of->series_count = of->count = 0;
    return rc;
}

static int series_begin(struct report_document *out, struct benchmark *of, sqlite3_stmt *query, struct err *err)
{
    struct series *s;

    if (ARRAY_GROW(of->series, of->series_room, of->series_count) < 0) return err_memory(err, 64, "a ranking");
    s = &of->series[of->series_count++];
    *s = (struct series){ .first = of->count };
    if (pool_copy(&out->pool, graph_text(query, 0), &of->name) < 0 ||
        pool_copy(&out->pool, graph_text(query, 1), &s->model) < 0 ||
        pool_copy(&out->pool, graph_text(query, 2), &s->metric) < 0) return err_memory(err, 64, "the report");
    s->sign = sign_of(s->metric);
    return 0;
}

static int score_take(struct tables *to, struct benchmark *of, sqlite3_stmt *query, struct err *err)
{
    const bool     same = of->series_count && slice_equal(of->name, graph_text(query, 0));
    struct series *s = same ? &of->series[of->series_count - 1] : NULL;
    int            rc = same ? 0 : benchmark_flush(to, of, err);

    if (rc == 0 && !(s && slice_equal(s->model, graph_text(query, 1)) && slice_equal(s->metric, graph_text(query, 2))))
        rc = series_begin(to->out, of, query, err);
    if (rc < 0) return rc;
    if (ARRAY_GROW(of->snippet, of->snippet_room, of->count) < 0 ||
        ARRAY_GROW(of->value, of->value_room, of->count) < 0 || ARRAY_GROW(of->truth, of->truth_room, of->count) < 0)
        return err_memory(err, of->count * sizeof *of->value, "a ranking");
    s = &of->series[of->series_count - 1];
    of->snippet[of->count] = graph_number(query, 3);
    of->truth[of->count] = graph_number(query, 4) != 0;
    of->value[of->count++] = s->sign * graph_real(query, 5);
    s->count++;
    return 0;
}

static int scores_read(struct tables *to, sqlite3 *db, struct err *err)
{
    struct benchmark of = { .count = 0 };
    sqlite3_stmt    *query;
    int              rc = graph_prepare(db, &query, "SELECT benchmark, model, metric, snippet, truth, value FROM "
                                                    "probe_scores", err);

    while (rc == 0 && (rc = graph_step(query, err)) == 1) rc = score_take(to, &of, query, err);
    graph_finish(query);
    if (rc == 0) rc = benchmark_flush(to, &of, err);
    free(of.series);
    free(of.snippet);
    free(of.value);
    free(of.truth);
    return rc;
}

/* What the intervals and chances are computed of: the areas below the curves, and how they differ. */
#define AREAS_SQL "SELECT benchmark, model, metric, members, others, auc FROM probe_curves WHERE within = 1"
static const char areas_sql[] = AREAS_SQL;
static const char differences_sql[] =
    "WITH areas AS (" AREAS_SQL ") SELECT a.benchmark, a.model, a.metric, b.model, b.metric, a.auc - b.auc FROM areas "
    "AS a JOIN areas AS b ON b.benchmark = a.benchmark AND (b.model = a.model OR b.metric = a.metric)";

/* Tables are filled together, a benchmark after the other; what is said of each stands in front of it. */
static int tables_add(struct tables *to, uint64_t classes, sqlite3 *db, struct err *err)
{
    report_paragraph(to->out, to->section, "How well each metric tells items that were in the training data from "
        "others: AUC is how often an item that was ranks above one that was not (0.5: as by chance; values are turned "
        "so that above 0.5 is the expected direction), with its interval of 95 %%; p is the chance of such an AUC or a "
        "larger one where nothing is known, Holm's the same for all that was asked of the benchmark together; "
        "precision is the share of such items among the first 10 and 100, equal values in the mean of all orders.%s",
        classes < 2 ? " All items are of one kind here, so there is nothing to tell apart." : "");
    to->separation = report_table(to->out, to->section, "separation", COLUMNS(separation_columns));
    report_sql(to->out, to->separation, slice_of(areas_sql));
    if (classes < 2) return scores_read(to, db, err);
    report_paragraph(to->out, to->section, "What is found of the training data at few false alarms: the share of its "
        "items that reach a threshold which at most 1 %% and 0.1 %% of the others reach, with an interval of 95 %%.");
    to->rates = report_table(to->out, to->section, "rates", COLUMNS(rate_columns));
    report_paragraph(to->out, to->section, "Which does better on the same items: each metric against the model's first "
        "one, and each model against the first; the AUC of the former less that of the latter.");
    to->comparisons = report_table(to->out, to->section, "comparisons", COLUMNS(comparison_columns));
    report_sql(to->out, to->comparisons, slice_of(differences_sql));
    return scores_read(to, db, err);
}

int members_add(struct report_document *out, struct report_node *section, sqlite3 *db, struct err *err)
{
    struct tables to = { .out = out, .section = section };
    uint64_t      classes = 0, values = 0;
    int           rc = graph_count(db, "SELECT count(DISTINCT truth) FROM probe_items", &classes, err);

    if (rc == 0) rc = graph_count(db, "SELECT EXISTS (SELECT 1 FROM probes WHERE metric <> 'tokens')", &values, err);
    if (rc < 0 || !values) return rc;
    if (classes) return tables_add(&to, classes, db, err);
    report_paragraph(out, section, "Nobody said which items were in the training data, so there is nothing to rank "
        "the metrics against. probe.truth: near takes what near_duplicates finds in a corpus that a model was trained "
        "on, probe.truth: field NAME what the records say. Both kinds of items are needed, at least 100 that were not "
        "there for a rate at 1 %% false alarms, 1,000 at 0.1 %%.");
    return 0;
}
