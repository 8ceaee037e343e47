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

/* column[0] is the split of a row; more than MATRIX_SPLITS: so many that there is no room. */
static int splits_read(struct report_document *out, sqlite3 *db, struct slice dataset, struct report_column *column,
                       size_t *count, struct err *err)
{
    sqlite3_stmt *query;
    struct slice  name;
    int           rc = graph_prepare(db, &query, splits_sql, err);

    *count = 0;
    column[0] = (struct report_column){ "split", "of these, in:" };
    if (rc == 0) rc = graph_bind_text(query, 1, dataset, err);
    while (rc == 0 && *count <= MATRIX_SPLITS && (rc = graph_step(query, err)) == 1) {
        rc = pool_copy(&out->pool, graph_text(query, 0), &name) < 0 ? err_memory(err, 64, "the report") : 0;
        if (rc == 0 && ++*count <= MATRIX_SPLITS) column[*count] = (struct report_column){ name.at, name.at };
    }
    graph_finish(query);
    return rc;
}

static size_t split_find(const struct report_column *column, size_t count, struct slice name)
{
    size_t s = 1;

    while (s <= count && !slice_equal(slice_of(column[s].key), name)) s++;
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
    struct report_column *column = pool_take(&out->pool, (MATRIX_SPLITS + 1) * sizeof *column);
    struct report_cell    cell[MATRIX_SPLITS + 1][MATRIX_SPLITS + 1];
    struct report_node   *section, *table;
    sqlite3_stmt         *query = NULL;
    size_t                count = 0;
    int                   rc = column ? splits_read(out, db, dataset, column, &count, err)
        : err_memory(err, sizeof cell, "the report");

    if (rc < 0 || count > MATRIX_SPLITS) return rc;
    for (size_t i = 1; i <= count; i++) {
        for (size_t j = 1; j <= count; j++) cell[i][j] = (struct report_cell){ .kind = REPORT_NOTHING };
        cell[i][0] = report_cell_name(slice_of(column[i].key));
    }
    rc = graph_prepare(db, &query, cells_sql, err);
    if (rc == 0) rc = graph_bind_text(query, 1, dataset, err);
    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        size_t i = split_find(column, count, graph_text(query, 0)), j = split_find(column, count, graph_text(query, 1));

        if (i <= count && j <= count) cell[i][j] = report_cell_percent(graph_number(query, 2), graph_number(query, 3));
        rc = 0;
    }
    graph_finish(query);
    section = report_section(out, list, NULL, dataset);
    table = report_table(out, section, "direct_percent", column, count + 1);
    report_chart(table, &chart);
    for (size_t i = 1; i <= count; i++) report_row(out, table, cell[i]);
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
