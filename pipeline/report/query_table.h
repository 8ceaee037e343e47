/* report/query_table.h -- tables of a report that are made straight from a view of graph.db: a row a row. */
#ifndef LEAKGRAPH_REPORT_QUERY_TABLE_H
#define LEAKGRAPH_REPORT_QUERY_TABLE_H

#include "base/err.h"
#include "report/document.h"

#include <sqlite3.h>

/* How a column of the view becomes a cell.  CELL_PERCENT, CELL_SHARE: NULL is nothing. */
enum query_cell {
    CELL_NAME, CELL_PART, CELL_TEXT, CELL_COUNT, CELL_ID, CELL_BYTES, CELL_FLAG, CELL_PERCENT, CELL_SHARE,
    CELL_OUTCOME,
};

/* key: in JSON, and the column's name in the view; label: its heading. */
struct query_column { const char *key, *label; enum query_cell cell; };

/* from: the view, or a table, in its order, with what limits it ("ngram_runs LIMIT 20").  Rows that tell a person
 * nothing are for scripts only: those behind the first `most`, and those where `shows`, an expression, is 0. */
struct query_table {
    const char                *key, *from;
    const struct query_column *columns;
    size_t                     count, most;                 /* most 0: no such number */
    const char                *shows;                       /* or NULL */
};

/* Datasets by datasets, or places of items, are more than a person reads, or memory holds: a table has so many rows at
 * most, here and in JSON.  What it leaves out is told below it, with the view that has all, and in JSON as the facts
 * `KEY_rows`. */
enum { QUERY_ROWS_MOST = 10000 };

enum { QUERY_COLUMNS_MAX = 16 };                            /* the most that a table may have */

/* all: of the view; hidden: of those in the report, for scripts only; table: the node, for report_chart. */
struct query_rows { size_t all, hidden; struct report_node *table; };

/* Adds the table with the rows that its view gives, and counts them.  Without rows there is an empty table.  0 or <0
 * with err set. */
int query_table_add(struct report_document *out, struct report_node *parent, sqlite3 *db,
                    const struct query_table *table, struct query_rows *rows,
                    struct err *err);

/* The same; of too many rows those that stand first when they are ordered so: ORDER BY `largest`. */
int query_table_add_largest(struct report_document *out, struct report_node *parent, sqlite3 *db,
                            const struct query_table *table, const char *largest, struct query_rows *rows,
                            struct err *err);

#endif
