/* history/report.c -- see report.h. */
#include "history/report.h"

#include "graph/read.h"
#include "graph/reader.h"
#include "history/tell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the tables have ---- */

struct told {
    struct history_run *run;
    size_t              runs;
    struct changes      changes;
    bool                asked;
};

static int told_read(struct told *told, sqlite3 *db, struct err *err)
{
    const struct graph none = { 0 };
    bool               asked;
    void              *rows = NULL;
    int                rc = graph_run_says(db, "history.runs", &asked, err);

    *told = (struct told){ .asked = asked };
    if (rc < 0 || !asked) return rc;
    rc = reader_all(db, &table_history_runs, &none, &told->changes.pool, &rows, &told->runs, err);
    told->run = rows, rows = NULL;
    if (rc == 0) rc = reader_all(db, &table_changes, &none, &told->changes.pool, &rows, &told->changes.count, err);
    told->changes.at = rows, rows = NULL;
    if (rc == 0)
        rc = reader_all(db, &table_changed_items, &none, &told->changes.pool, &rows, &told->changes.item_count, err);
    told->changes.item = rows;
    return rc;
}

static void told_free(struct told *told)
{
    free(told->run);
    changes_free(&told->changes);
}

/* NULL: there is none. */
static const struct history_run *told_last(const struct told *told)
{
    for (size_t i = 0; i < told->runs; i++)
        if (told->run[i].compared) return &told->run[i];
    return NULL;
}

/* ---- the trend ---- */

static const struct report_column point_columns[] = {
    { "started", "run of" }, { "version", "version" }, { "gates", "gates" }, { "documents", "documents" },
    { "direct_percent", "direct %" }, { "contained_percent", "contained %" }, { "transitive_percent", "transitive %" },
};

/* A pair of datasets as it is told: the older runs are for scripts. */
struct trend { struct report_node *list, *table; struct bytes pair; size_t pairs, runs, row; };

static const struct report_chart trend_chart = {
    .kind = CHART_LINES, .title = "Leakage in percent, run by run", .x = "started",
    .y = { "direct_percent", "contained_percent", "transitive_percent" },
};

static void trend_begin(struct trend *trend, struct slice source, struct slice target, struct report_document *out,
                        struct err *err, int *rc)
{
    struct report_node *section;

    trend->pair.len = 0;
    if (bytes_printf(&trend->pair, "%.*s in %.*s", (int)source.len, source.at, (int)target.len, target.at) < 0) {
        *rc = err_memory(err, source.len + target.len, "a pair");
        return;
    }
    section = report_section(out, trend->list, NULL, bytes_slice(&trend->pair));
    trend->table = report_table(out, section, "points", point_columns, 7);
    report_chart(trend->table, &trend_chart);
    trend->row = 0;
    trend->pairs++;
}

static double percent_at(sqlite3_stmt *query, int column)
{
    return sqlite3_column_type(query, column) == SQLITE_NULL ? NAN : graph_real(query, column);
}

static void point_add(struct trend *trend, sqlite3_stmt *query, uint64_t run, struct report_document *out)
{
    const struct report_cell cell[] = {
        report_cell_text(graph_text(query, 3)), report_cell_text(graph_text(query, 4)),
        report_cell_text(graph_text(query, 5)), report_cell_count(graph_number(query, 6)),
        report_cell_percentage(percent_at(query, 7)), report_cell_percentage(percent_at(query, 8)),
        report_cell_percentage(percent_at(query, 9)),
    };

    report_row(out, trend->table, cell);
    if (run + HISTORY_TREND_RUNS <= trend->runs) report_hide_row(trend->table);
}

/* Pairs in which anything was ever found. */
static const char trend_sql[] =
    "SELECT source, target, run, started, version, gates, documents, direct_percent, contained_percent, "
    "transitive_percent FROM history_trend AS t WHERE split = '' AND EXISTS (SELECT 1 FROM history_leakage AS l WHERE "
    "l.source = t.source AND l.target = t.target AND l.direct + l.contained + l.copies + l.transitive > 0) ORDER BY "
    "source, target, run";

static int trend_add(struct report_document *out, struct report_node *parent, sqlite3 *db, size_t runs, struct err *err)
{
    struct trend  trend = { .list = report_list(out, parent, "trend"), .runs = runs };
    struct bytes  pair = { 0 };
    sqlite3_stmt *query;
    int           rc = graph_prepare(db, &query, trend_sql, err);

    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        const struct slice source = graph_text(query, 0), target = graph_text(query, 1);

        rc = 0;
        pair.len = 0;
        if (bytes_printf(&pair, "%.*s in %.*s", (int)source.len, source.at, (int)target.len, target.at) < 0)
            rc = err_memory(err, source.len, "a pair");
        if (rc == 0 && (!trend.pairs || !slice_equal(bytes_slice(&pair), bytes_slice(&trend.pair)))) {
            if (trend.pairs == HISTORY_TREND_PAIRS) break;
            trend_begin(&trend, source, target, out, err, &rc);
        }
        if (rc == 0) point_add(&trend, query, graph_number(query, 2), out);
    }
    if (rc == 1) rc = 0;
    graph_finish(query);
    bytes_free(&pair);
    bytes_free(&trend.pair);
    if (rc == 0 && trend.pairs)
        report_paragraph(out, parent, "View history_trend of graph.db has every run, pair and split.");
    return rc;
}

/* ---- the section ---- */

/* Rows of table run about folders that were named and are no runs to compare with. */
static const struct { const char *key, *what; } lefts[] = {
    { "history.unfinished", "without a finished run" }, { "history.unreadable", "that cannot be read" },
    { "history.unusable", "with a dataset of which no record could be used" },
    { "history.others", "of other benchmarks" },
};

static int lefts_tell(struct report_document *out, struct report_node *section, sqlite3 *db, struct err *err)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(db, &query, "SELECT value, (SELECT value FROM run WHERE key = 'history.reason') "
                                     "FROM run WHERE key = ?1", err);

    for (size_t i = 0; i < sizeof lefts / sizeof *lefts && rc == 0; i++) {
        rc = graph_bind_text(query, 1, slice_of(lefts[i].key), err);
        if (rc == 0 && (rc = graph_step(query, err)) == 1) {
            const struct slice reason = i == 1 ? graph_text(query, 1) : SLICE("");

            if (graph_number(query, 0))
                report_paragraph(out, section, "Folders %s: %llu%s%.*s.", lefts[i].what,
                                 (unsigned long long)graph_number(query, 0), reason.len ? ", as " : "", (int)reason.len,
                                 reason.at);
            rc = 0;
        }
        if (rc == 0) sqlite3_reset(query);
    }
    graph_finish(query);
    return rc;
}

int history_summarise(struct report_document *out, struct report_node *found, sqlite3 *db, struct err *err)
{
    struct told               told;
    int                       rc = told_read(&told, db, err);
    const struct history_run *last = rc == 0 ? told_last(&told) : NULL;

    if (last && changes_any(&told.changes)) {
        const uint64_t leaks = changes_new_leaks(&told.changes);

        report_paragraph(out, found, "Since the run of %.*s: %llu item%s of benchmarks leak%s that did not%s.",
                         (int)last->started.len, last->started.at, (unsigned long long)leaks, leaks == 1 ? "" : "s",
                         leaks == 1 ? "s" : "",
                         changes_lack_items(&told.changes) ? ", as far as they could be compared" : "");
    }
    if (last && !changes_any(&told.changes))
        report_paragraph(out, found, "Nothing changed since the run of %.*s.", (int)last->started.len,
                         last->started.at);
    told_free(&told);
    return rc;
}

int history_add(struct report_document *out, sqlite3 *db, struct err *err)
{
    const struct history_wish wish = { HISTORY_LINES, "report.json has those of tables changes and changed_items" };
    const struct history_run *last;
    struct report_node       *section;
    struct bytes              title = { 0 };
    struct told               told;
    int                       rc = told_read(&told, db, err);

    if (rc < 0 || !told.asked) {
        told_free(&told);
        return rc;
    }
    last = told_last(&told);
    rc = last ? bytes_printf(&title, "What changed since %.*s", (int)last->started.len, last->started.at)
        : bytes_printf(&title, "What changed");
    if (rc < 0) rc = err_memory(err, 64, "a title");
    section = report_section(out, out->root, "history", bytes_slice(&title));
    if (!last) report_paragraph(out, section, "There is no earlier run to compare with.");
    if (rc == 0) rc = lefts_tell(out, section, db, err);
    if (rc == 0 && last) {
        history_tell_runs(last, &told.run[told.runs - 1], out, section);
        changes_tell(&told.changes, &wish, out, section);
    }
    if (rc == 0 && told.runs > 1) rc = trend_add(out, section, db, told.runs, err);
    bytes_free(&title);
    told_free(&told);
    return rc;
}
