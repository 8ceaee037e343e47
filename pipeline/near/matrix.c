/* near/matrix.c -- see matrix.h. */
#include "near/matrix.h"

#include "graph/read.h"

#include <errno.h>

static const char datasets_sql[] =
    "SELECT id FROM datasets WHERE id IN (SELECT source FROM leakage_within) ORDER BY rowid";

static const char splits_sql[] =
    "SELECT split FROM overlap WHERE source = ?1 AND target = ?1 AND language = '' GROUP BY split ORDER BY min(rowid)";

static const char cells_sql[] =
    "SELECT split, target_split, direct, documents FROM leakage_within WHERE source = ?1";

/* The splits of a dataset as graph.db names them, and the table's columns, of which the first is the split of a row. */
struct splits { size_t count; struct slice name[MATRIX_SPLITS + 1]; struct report_column *column; };

/* count > MATRIX_SPLITS: so many that there is no room. */
static int splits_read(struct report_document *out, sqlite3 *db, struct slice dataset, struct splits *splits,
                       struct err *err)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(db, &query, splits_sql, err);

    splits->count = 0;
    splits->column[0] = (struct report_column){ "split", "of these, in:" };
    if (rc == 0) rc = graph_bind_text(query, 1, dataset, err);
    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        const struct slice name = graph_text(query, 0);

        rc = 0;
        if (splits->count++ == MATRIX_SPLITS) break;
        splits->column[splits->count] = report_column_named(out, splits->column, splits->count, name);
        if (pool_copy(&out->pool, name, &splits->name[splits->count]) < 0) rc = err_memory(err, name.len, "the report");
    }
    graph_finish(query);
    return rc;
}

static size_t split_find(const struct splits *splits, struct slice name)
{
    size_t s = 1;

    while (s <= splits->count && !slice_equal(splits->name[s], name)) s++;
    return s;
}

static const struct report_chart chart = { CHART_GRID, "Of the row's split, direct in the column's", { NULL }, NULL,
                                           { NULL } };

/* A row of the query is a cell of the table.  dataset: with a NUL behind it. */
static int matrix_tell(struct report_document *out, struct report_node *table, struct slice dataset, struct err *err)
{
    char *sql = sqlite3_mprintf("SELECT split, target_split, direct_percent FROM leakage_within WHERE source = %Q",
                                dataset.at);

    if (!sql) return err_memory(err, dataset.len, "the report");
    report_sql(out, table, slice_of(sql));
    sqlite3_free(sql);
    return 0;
}

static int dataset_add(struct report_document *out, struct report_node *list, sqlite3 *db, struct slice dataset,
                       struct err *err)
{
    struct splits       splits = { .column = pool_take(&out->pool, (MATRIX_SPLITS + 1) * sizeof *splits.column) };
    struct report_cell  cell[MATRIX_SPLITS + 1][MATRIX_SPLITS + 1];
    struct report_node *section, *table;
    sqlite3_stmt       *query = NULL;
    int                 rc = splits.column ? splits_read(out, db, dataset, &splits, err)
        : err_memory(err, sizeof cell, "the report");

    if (rc < 0 || splits.count > MATRIX_SPLITS) return rc;
    for (size_t i = 1; i <= splits.count; i++) {
        for (size_t j = 1; j <= splits.count; j++) cell[i][j] = (struct report_cell){ .kind = REPORT_NOTHING };
        cell[i][0] = report_cell_name(splits.name[i]);
    }
    rc = graph_prepare(db, &query, cells_sql, err);
    if (rc == 0) rc = graph_bind_text(query, 1, dataset, err);
    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        size_t i = split_find(&splits, graph_text(query, 0)), j = split_find(&splits, graph_text(query, 1));

        rc = 0;
        if (i <= splits.count && j <= splits.count)
            cell[i][j] = report_cell_percent(graph_number(query, 2), graph_number(query, 3));
    }
    graph_finish(query);
    section = report_section(out, list, NULL, dataset);
    table = report_table(out, section, "direct_percent", splits.column, splits.count + 1);
    report_chart(table, &chart);
    for (size_t i = 1; i <= splits.count; i++) report_row(out, table, cell[i]);
    return rc < 0 ? rc : matrix_tell(out, table, dataset, err);
}

int matrix_add(struct report_document *out, struct report_node *section, sqlite3 *db, struct err *err)
{
    struct report_node *list = report_list(out, section, "matrix");
    sqlite3_stmt       *query;
    int                 rc = graph_prepare(db, &query, datasets_sql, err);

    while (rc == 0 && (rc = graph_step(query, err)) == 1) rc = dataset_add(out, list, db, graph_text(query, 0), err);
    graph_finish(query);
    return rc;
}
