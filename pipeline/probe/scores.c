/* probe/scores.c -- see scores.h.  Either view is read once, side by side, as both are in the order of benchmark, model
 * and metric; each table is told the query that gives its rows alone. */
#include "probe/scores.h"

#include "graph/read.h"

#include <stdio.h>
#include <string.h>

static const struct report_column curve_columns[] = {
    { "metric", "metric" }, { "auc", "AUC" }, { "within", "FPR within" }, { "fpr", "FPR" }, { "tpr", "TPR" },
    { "threshold", "threshold" }, { "members", "in training" }, { "others", "of the others" },
};
enum { CURVE_COLUMNS = sizeof curve_columns / sizeof *curve_columns };

/* Of a metric; the first label is made for it.  Where there is no truth, the first three. */
static const struct report_column bin_columns[] = {
    { "low", "from" }, { "high", "to" }, { "items", "items" }, { "members", "in training" },
    { "others", "not in training" }, { "members_percent", "in training, %" },
    { "others_percent", "not in training, %" },
};
enum { BIN_COLUMNS = sizeof bin_columns / sizeof *bin_columns, BIN_COLUMNS_PLAIN = 3 };

static const struct report_chart curve_chart = {
    CHART_CURVES, "ROC curves, with the area under each", { "metric", "auc" }, "fpr", { "tpr" },
};

static const char curves_sql[] = "SELECT benchmark, model, metric, auc, within, fpr, tpr, threshold, members, others "
                                 "FROM probe_curves";
static const char bins_sql[] = "SELECT benchmark, model, metric, low, high, items, members, others, members_percent, "
                               "others_percent FROM probe_distribution";
enum { AT_BENCHMARK, AT_MODEL, AT_METRIC, AT_NUMBERS };     /* columns of both */

/* What is being read.  curve, bin: whether the query stands at a row that is not taken. */
struct scores {
    struct report_document *out;
    struct report_node     *benchmarks, *models, *metrics, *table;
    sqlite3_stmt           *curves, *bins;
    bool                    curve, bin;
    struct slice            benchmark, model, metric;
    size_t                  pairs, count;                   /* count: metrics of the pair */
    bool                    left;                           /* there were more */
};

static int step(sqlite3_stmt *query, bool *row, struct err *err)
{
    const int rc = graph_step(query, err);

    *row = rc == 1;
    return rc < 0 ? rc : 0;
}

static int keep(struct scores *s, struct slice text, struct slice *out, struct err *err)
{
    return pool_copy(&s->out->pool, text, out) < 0 ? err_memory(err, text.len, "the report") : 0;
}

static bool is_pair(const struct scores *s, sqlite3_stmt *query)
{
    return slice_equal(graph_text(query, AT_BENCHMARK), s->benchmark) &&
        slice_equal(graph_text(query, AT_MODEL), s->model);
}

static struct report_cell real_of(sqlite3_stmt *query, int column,
                                  struct report_cell (*cell)(double number))
{
    if (sqlite3_column_type(query, column) == SQLITE_NULL) return (struct report_cell){ .kind = REPORT_NOTHING };
    return cell(graph_real(query, column));
}

/* The query of a table, as a person would ask it: names may hold any letter. */
static int tell_sql(struct scores *s, struct report_node *table, const char *columns, const char *view,
                    const char *metric, struct err *err)
{
    char *rest = metric ? sqlite3_mprintf(" AND metric = %Q", metric) : sqlite3_mprintf("");
    char *sql = sqlite3_mprintf("SELECT %s FROM %s WHERE benchmark = %Q AND model = %Q%s", columns, view,
                                s->benchmark.at, s->model.at, rest);

    if (rest && sql) report_sql(s->out, table, slice_of(sql));
    sqlite3_free(sql);
    sqlite3_free(rest);
    return rest && sql ? 0 : err_memory(err, s->benchmark.len, "the report");
}

/* ---- curves ---- */

/* For a person: some points of each curve, not where it begins. */
static bool curve_shown(sqlite3_stmt *query)
{
    static const double shown[] = { 0.001, 0.01, 0.1, 0.5 };
    const double        within = graph_real(query, AT_NUMBERS + 1);

    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (within == shown[i]) return true;
    return false;
}

static int curves_take(struct scores *s, struct report_node *section, struct err *err)
{
    struct report_node *table;
    int                 rc;

    if (!s->curve || !is_pair(s, s->curves)) return 0;
    table = report_table(s->out, section, "curve", curve_columns, CURVE_COLUMNS);
    report_chart(table, &curve_chart);
    rc = tell_sql(s, table, "metric, auc, within, fpr, tpr, threshold, members, others", "probe_curves", NULL, err);
    while (rc == 0 && s->curve && is_pair(s, s->curves)) {
        report_row(s->out, table, (const struct report_cell[]){
            report_cell_text(graph_text(s->curves, AT_METRIC)), real_of(s->curves, AT_NUMBERS, report_cell_share),
            real_of(s->curves, AT_NUMBERS + 1, report_cell_share),
            real_of(s->curves, AT_NUMBERS + 2, report_cell_share),
            real_of(s->curves, AT_NUMBERS + 3, report_cell_share),
            real_of(s->curves, AT_NUMBERS + 4, report_cell_number),
            report_cell_count(graph_number(s->curves, AT_NUMBERS + 5)),
            report_cell_count(graph_number(s->curves, AT_NUMBERS + 6)) });
        if (!curve_shown(s->curves)) report_hide_row(table);
        rc = step(s->curves, &s->curve, err);
    }
    return rc;
}

/* ---- bins ---- */

static bool is_known(sqlite3_stmt *query, int column) { return sqlite3_column_type(query, column) != SQLITE_NULL; }

/* What is drawn: shares of either kind of items, so that few are seen beside many; else all. */
static void bin_chart(sqlite3_stmt *bins, const char *title, struct report_chart *out)
{
    size_t y = 0;

    *out = (struct report_chart){ CHART_HISTOGRAM, title, { NULL }, "low", { "items" } };
    if (is_known(bins, AT_NUMBERS + 5)) out->y[y++] = "members_percent";
    if (is_known(bins, AT_NUMBERS + 6)) out->y[y++] = "others_percent";
}

/* Its table has a heading and a picture of its own, that name it. */
static int metric_begin(struct scores *s, struct err *err)
{
    const bool            truth = is_known(s->bins, AT_NUMBERS + 5) || is_known(s->bins, AT_NUMBERS + 6);
    const struct slice    shown = report_copy(s->out, s->metric);           /* with names of models in it */
    const size_t          room = shown.len + sizeof "Items by ";
    struct report_column *column = pool_take(&s->out->pool, sizeof bin_columns);
    struct report_chart  *chart = pool_take(&s->out->pool, sizeof *chart);
    char                 *text = pool_take(&s->out->pool, 2 * room);

    if (!column || !chart || !text) return err_memory(err, room, "the report");
    snprintf(text, room, "Items by %s", shown.at);
    snprintf(text + room, room, "%s from", shown.at);
    memcpy(column, bin_columns, sizeof bin_columns);
    column[0].label = text + room;
    bin_chart(s->bins, text, chart);
    s->table = report_table(s->out, report_section(s->out, s->metrics, NULL, s->metric), "bins", column,
                            truth ? BIN_COLUMNS : BIN_COLUMNS_PLAIN);
    report_chart(s->table, chart);
    return tell_sql(s, s->table, truth ? "low, high, items, members, others, members_percent, others_percent"
                    : "low, high, items", "probe_distribution", s->metric.at, err);
}

/* For a person: those of the first metric; the page draws all. */
static void bin_add(struct scores *s)
{
    report_row(s->out, s->table, (const struct report_cell[]){
        real_of(s->bins, AT_NUMBERS, report_cell_number), real_of(s->bins, AT_NUMBERS + 1, report_cell_number),
        report_cell_count(graph_number(s->bins, AT_NUMBERS + 2)),
        report_cell_count(graph_number(s->bins, AT_NUMBERS + 3)),
        report_cell_count(graph_number(s->bins, AT_NUMBERS + 4)),
        real_of(s->bins, AT_NUMBERS + 5, report_cell_percentage),
        real_of(s->bins, AT_NUMBERS + 6, report_cell_percentage) });
    if (s->count > 1) report_hide_row(s->table);
}

/* ---- both ---- */

/* The benchmark and the model at hand, and its curves; what is one too many is passed over. */
static int pair_begin(struct scores *s, struct err *err)
{
    const bool          same = s->pairs && slice_equal(graph_text(s->bins, AT_BENCHMARK), s->benchmark);
    struct report_node *section;
    int                 rc = keep(s, graph_text(s->bins, AT_BENCHMARK), &s->benchmark, err);

    if (rc == 0) rc = keep(s, graph_text(s->bins, AT_MODEL), &s->model, err);
    s->metric = (struct slice){ NULL, 0 };
    s->count = 0;
    if (rc < 0) return rc;
    if (++s->pairs > SCORES_PAIRS) {
        s->left = true;
        return 0;
    }
    if (!same)
        s->models = report_list(s->out, report_section(s->out, s->benchmarks, NULL, s->benchmark), "models");
    section = report_section(s->out, s->models, NULL, s->model);
    rc = curves_take(s, section, err);
    s->metrics = report_list(s->out, section, "metrics");
    return rc;
}

static int bin_take(struct scores *s, struct err *err)
{
    int rc = s->pairs && is_pair(s, s->bins) ? 0 : pair_begin(s, err);

    if (rc < 0 || s->pairs > SCORES_PAIRS) return rc;
    if (!s->metric.at || !slice_equal(graph_text(s->bins, AT_METRIC), s->metric)) {
        s->left |= ++s->count > SCORES_METRICS;
        rc = keep(s, graph_text(s->bins, AT_METRIC), &s->metric, err);
        if (rc == 0 && s->count <= SCORES_METRICS) rc = metric_begin(s, err);
    }
    if (rc == 0 && s->count <= SCORES_METRICS) bin_add(s);
    return rc;
}

static int scores_read(struct scores *s, sqlite3 *db, struct err *err)
{
    int rc = graph_prepare(db, &s->curves, curves_sql, err);

    if (rc == 0) rc = graph_prepare(db, &s->bins, bins_sql, err);
    if (rc == 0) rc = step(s->curves, &s->curve, err);
    if (rc == 0) rc = step(s->bins, &s->bin, err);
    while (rc == 0 && s->bin && s->pairs <= SCORES_PAIRS) {
        rc = bin_take(s, err);
        if (rc == 0) rc = step(s->bins, &s->bin, err);
    }
    graph_finish(s->curves);
    graph_finish(s->bins);
    return rc;
}

int scores_add(struct report_document *out, struct report_node *section, sqlite3 *db, struct err *err)
{
    struct scores s = { .out = out };
    uint64_t      values = 0;
    int           rc = graph_count(db, "SELECT EXISTS (SELECT 1 FROM probes WHERE metric <> 'tokens')", &values, err);

    if (rc < 0 || !values) return rc;
    report_paragraph(out, section, "What each model says of the items, by benchmark. Where it is known which items "
        "were in the training data, a ROC curve has the share of them that reaches a threshold (TPR) over that of the "
        "others (FPR), for every threshold; the diagonal is what chance gives. Below it, how the values are "
        "distributed, in 20 bins between the least and the largest.");
    s.benchmarks = report_list(out, section, "scores");
    rc = scores_read(&s, db, err);
    if (rc == 0 && s.left)
        report_paragraph(out, section, "There are more than %d benchmarks and models, or %d metrics of one: the views "
            "probe_curves and probe_distribution of graph.db have all.", SCORES_PAIRS, SCORES_METRICS);
    return rc;
}
