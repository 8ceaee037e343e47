/* probe/report.c -- see report.h. */
#include "probe/report.h"

#include "graph/read.h"
#include "probe/members.h"
#include "probe/probe.h"
#include "probe/scores.h"
#include "probe/seen.h"
#include "report/query_table.h"

#include <math.h>
#include <stdlib.h>

static const struct query_column model_columns[] = {
    { "model", "model", CELL_NAME }, { "backend", "backend", CELL_TEXT }, { "context", "context", CELL_TEXT },
    { "vocabulary", "vocabulary", CELL_TEXT }, { "parameters", "parameters", CELL_TEXT },
    { "items", "items answered", CELL_COUNT },
};
static const struct query_table models = { "models", "probe_models", model_columns, 6, 0, NULL };

static const struct query_column gap_columns[] = {
    { "model", "model", CELL_NAME }, { "metric", "metric", CELL_PART }, { "items", "items", CELL_COUNT },
    { "reason", "of the first, because", CELL_TEXT },
};
static const struct query_table gaps = { "gaps", "probe_missing", gap_columns, 4, 0, NULL };

static const struct query_column shown_columns[] = {
    { "snippet", "snippet", CELL_ID }, { "benchmark", "benchmark", CELL_NAME }, { "source_id", "id", CELL_NAME },
    { "model", "model", CELL_NAME }, { "accuracy", "n-gram accuracy", CELL_SHARE }, { "nll", "NLL", CELL_SHARE },
    { "matches", "matches", CELL_COUNT },
};
static const struct query_table shown = { "shown", "probe_members LIMIT 20", shown_columns, 7, 0, NULL };
_Static_assert(PROBES_SHOWN == 20, "the limit above says so");

/* ---- matrices of means ---- */

/* Rows models, columns benchmarks; NaN: there is no value. */
struct means {
    struct report_column *column;
    struct slice model[PROBE_MODELS], benchmark[PROBES_BENCHMARKS];
    size_t benchmarks, models;
    double at[PROBE_MODELS][PROBES_BENCHMARKS];
};

static size_t name_find(const struct slice *name, size_t count, struct slice wanted)
{
    size_t i = 0;

    while (i < count && !slice_equal(name[i], wanted)) i++;
    return i;
}

static int names_read(struct report_document *out, struct means *means, sqlite3 *db, struct err *err)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(db, &query, "SELECT DISTINCT d.id FROM probe_items AS i JOIN snippets AS s ON "
                                                 "s.id = i.snippet JOIN datasets AS d ON d.id = s.dataset ORDER BY "
                                                 "d.rowid", err);

    means->column = pool_take(&out->pool, (PROBES_BENCHMARKS + 1) * sizeof *means->column);
    if (rc == 0 && !means->column) rc = err_memory(err, PROBES_BENCHMARKS * sizeof *means->column, "the report");
    if (rc == 0) means->column[0] = (struct report_column){ "model", "model" };
    while (rc == 0 && means->benchmarks < PROBES_BENCHMARKS && (rc = graph_step(query, err)) == 1) {
        const size_t b = means->benchmarks++;

        means->column[b + 1] = report_column_named(out, means->column, b + 1, graph_text(query, 0));
        rc = pool_copy(&out->pool, graph_text(query, 0), &means->benchmark[b]) < 0
            ? err_memory(err, 64, "the report") : 0;
    }
    graph_finish(query);
    query = NULL;
    if (rc == 0) rc = graph_prepare(db, &query, "SELECT name FROM models ORDER BY id", err);
    while (rc == 0 && means->models < PROBE_MODELS && (rc = graph_step(query, err)) == 1)
        rc = pool_copy(&out->pool, graph_text(query, 0), &means->model[means->models++]) < 0
            ? err_memory(err, 64, "the report") : 0;
    graph_finish(query);
    return rc < 0 ? rc : 0;
}

static int means_read(struct means *means, sqlite3 *db, const char *metric, struct err *err)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(db, &query, "SELECT model, dataset, mean FROM probe_benchmarks WHERE "
                                                 "metric = ?1", err);

    for (size_t m = 0; m < PROBE_MODELS; m++)
        for (size_t b = 0; b < PROBES_BENCHMARKS; b++) means->at[m][b] = NAN;
    if (rc == 0) rc = graph_bind_text(query, 1, slice_of(metric), err);
    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        size_t model = name_find(means->model, means->models, graph_text(query, 0)),
            benchmark = name_find(means->benchmark, means->benchmarks, graph_text(query, 1));

        if (model < means->models && benchmark < means->benchmarks) means->at[model][benchmark] = graph_real(query, 2);
        rc = 0;
    }
    graph_finish(query);
    return rc;
}

static struct report_cell cell_of(double value)
{
    return isfinite(value) ? report_cell_share(value) : (struct report_cell){ .kind = REPORT_NOTHING };
}

static const struct report_chart means_chart = { CHART_GRID, "Mean over items, by model and benchmark", { NULL }, NULL,
                                                 { NULL } };

/* A row of the query is a cell of the table. */
static int means_tell(struct report_document *out, struct report_node *table, const char *metric, struct err *err)
{
    char *sql = sqlite3_mprintf("SELECT model, dataset, mean FROM probe_benchmarks WHERE metric = %Q", metric);

    if (!sql) return err_memory(err, 64, "the report");
    report_sql(out, table, slice_of(sql));
    sqlite3_free(sql);
    return 0;
}

static int means_add(struct report_document *out, struct report_node *section, struct means *means, sqlite3 *db,
                     const char *metric, const char *what, struct err *err)
{
    struct report_cell  cell[PROBES_BENCHMARKS + 1];
    struct report_node *table;
    bool                any = false;
    int                 rc = means_read(means, db, metric, err);

    for (size_t m = 0; m < means->models; m++)
        for (size_t b = 0; b < means->benchmarks; b++) any |= isfinite(means->at[m][b]);
    if (rc < 0 || !any) return rc;
    report_paragraph(out, section, "%s", what);
    table = report_table(out, section, metric, means->column, means->benchmarks + 1);
    report_chart(table, &means_chart);
    rc = means_tell(out, table, metric, err);
    for (size_t m = 0; m < means->models; m++) {
        cell[0] = report_cell_name(means->model[m]);
        for (size_t b = 0; b < means->benchmarks; b++) cell[b + 1] = cell_of(means->at[m][b]);
        report_row(out, table, cell);
    }
    return rc;
}

/* Of what means holds now: each benchmark's mean over each other's, by model. */
static int relative_add(struct report_document *out, struct report_node *section, const struct means *means,
                        struct err *err)
{
    struct report_column *column = pool_take(&out->pool, (PROBES_BENCHMARKS + 1) * sizeof *column);
    struct report_cell    cell[PROBES_BENCHMARKS + 1];
    struct report_node   *list;
    bool                  any = false;

    for (size_t m = 0; m < means->models; m++)
        for (size_t b = 0; b < means->benchmarks; b++) any |= isfinite(means->at[m][b]);
    if (!any) return 0;
    if (!column) return err_memory(err, PROBES_BENCHMARKS * sizeof *column, "the report");
    column[0] = (struct report_column){ "benchmark", "over that of:" };
    for (size_t b = 0; b < means->benchmarks; b++)
        column[b + 1] = report_column_named(out, column, b + 1, means->benchmark[b]);
    report_paragraph(out, section, "Mean NLL of the benchmark of the column over that of the row: below 1, the model "
                                   "finds the column's the more familiar.");
    list = report_list(out, section, "relative_nll");
    for (size_t m = 0; m < means->models; m++) {
        struct report_node *table = report_table(out, report_section(out, list, NULL, means->model[m]), "matrix",
                                                 column, means->benchmarks + 1);
        char               *sql = sqlite3_mprintf("SELECT r.dataset, c.dataset, c.mean / r.mean FROM "
                                                  "probe_benchmarks AS r JOIN probe_benchmarks AS c USING (model, "
                                                  "metric) WHERE metric = 'nll' AND model = '%.*q'",
                                                  (int)means->model[m].len, means->model[m].at);

        if (!sql) return err_memory(err, 256, "the report");
        report_sql(out, table, slice_of(sql));
        sqlite3_free(sql);
        for (size_t r = 0; r < means->benchmarks; r++) {
            cell[0] = report_cell_name(means->benchmark[r]);
            for (size_t c = 0; c < means->benchmarks; c++) cell[c + 1] = cell_of(means->at[m][c] / means->at[m][r]);
            report_row(out, table, cell);
        }
    }
    return 0;
}

/* ---- the section ---- */

/* Which items the models show most of, among those that were in the training data. */
static int shown_add(struct report_document *out, struct report_node *section, sqlite3 *db, struct err *err)
{
    struct query_rows rows;
    uint64_t          known = 0, any = 0;
    int               rc = graph_count(db, "SELECT count(truth) FROM probe_items", &known, err);

    if (rc < 0 || known == 0) return rc;
    rc = graph_count(db, "SELECT EXISTS (SELECT 1 FROM probe_items AS i JOIN probes AS p ON p.snippet = i.snippet "
                         "WHERE i.truth = 1 AND p.metric IN ('accuracy', 'nll'))", &any, err);
    if (rc == 0 && any)
        report_paragraph(out, section, "Items that were in the training data, and that the models show most of:");
    return rc < 0 ? rc : query_table_add(out, section, db, &shown, &rows, err);
}

int probes_add(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct means       *means = NULL;
    struct report_node *section;
    struct query_rows   rows;
    uint64_t            asked = 0;
    size_t              orders;
    int                 rc = graph_count(db, "SELECT count(*) FROM models", &asked, err);

    if (rc < 0 || !asked) return rc;
    means = calloc(1, sizeof *means);
    if (!means) return err_memory(err, sizeof *means, "the report");
    section = report_section(out, out->root, "probes", SLICE("What language models know of the benchmarks"));
    rc = query_table_add(out, section, db, &models, &rows, err);
    if (rc == 0) rc = names_read(out, means, db, err);
    if (rc == 0)
        rc = means_add(out, section, means, db, "accuracy", "N-gram accuracy, mean over items: how often the model "
                                                            "goes on with exactly the tokens that follow:", err);
    if (rc == 0)
        rc = means_add(out, section, means, db, "nll", "Negative log-likelihood of a token, mean over items (only "
                                                       "models with the same tokens can be compared):", err);
    if (rc == 0 && means->benchmarks > 1) rc = relative_add(out, section, means, err);
    if (rc == 0 && means->benchmarks == PROBES_BENCHMARKS)
        report_paragraph(out, section, "The tables above have room for %d benchmarks; the view probe_benchmarks of "
                                       "graph.db has all.", PROBES_BENCHMARKS);
    if (rc == 0) rc = members_add(out, section, db, err);
    if (rc == 0) rc = scores_add(out, section, db, err);
    if (rc == 0) rc = seen_add(out, section, db, &orders, err);
    if (rc == 0) rc = shown_add(out, section, db, err);
    if (rc == 0) rc = graph_count(db, "SELECT count(*) FROM probe_gaps", &asked, err);
    if (rc == 0) report_paragraph(out, section, asked ? "Values that are missing, and why:" : "No value is missing.");
    if (rc == 0) rc = query_table_add(out, section, db, &gaps, &rows, err);
    free(means);
    return rc;
}

/* ---- warnings ---- */

static const char truth_query[] =
    "SELECT printf('probe.truth: none of %d items says whether it was in the training data: the metrics are not "
    "ranked', count(*)) FROM probe_items "
    "WHERE EXISTS (SELECT 1 FROM run WHERE key = 'probe.truth' AND value <> 'none') HAVING count(*) > 0 AND "
    "count(truth) = 0";

/* An item longer than a window: else the stride says nothing. Where metrics leave `tokens` out, any item may be. */
static const char stride_query[] =
    "SELECT printf('probe.stride is %s, above the %d tokens that model %s takes: it counts as %d, and no window has "
    "tokens before those that it scores', r.value, m.context, m.name, m.context) FROM run AS r JOIN models AS m "
    "WHERE r.key = 'probe.stride' AND CAST(r.value AS INTEGER) > m.context AND EXISTS (SELECT 1 FROM probes "
    "WHERE model = m.id AND metric <> 'tokens') AND (SELECT ifnull(max(value) > m.context, 1) FROM probes "
    "WHERE model = m.id AND metric = 'tokens') ORDER BY m.id";

int probes_advise(sqlite3 *db, const struct advice_listener *to, struct err *err)
{
    int rc = advice_query(db, truth_query, to, err);

    return rc < 0 ? rc : advice_query(db, stride_query, to, err);
}

static const char mute_query[] =
    "SELECT printf('model %s gave no value of any of %d items: %s', m.name, (SELECT count(*) FROM probe_items), "
    "(SELECT reason FROM probe_gaps WHERE model = m.id ORDER BY items DESC LIMIT 1)) FROM models AS m "
    "WHERE EXISTS (SELECT 1 FROM probe_gaps WHERE model = m.id) AND NOT EXISTS (SELECT 1 FROM probes WHERE model = "
    "m.id AND metric <> 'tokens') AND NOT EXISTS (SELECT 1 FROM probe_orders WHERE model = m.id) ORDER BY m.id LIMIT 1";

int probes_check(sqlite3 *db, struct err *err) { return advice_refuse(db, mute_query, err); }
