/* report/query_table.h -- tables of a report that are made straight from a query: a row a row. */
#ifndef LEAKGRAPH_REPORT_QUERY_TABLE_H
#define LEAKGRAPH_REPORT_QUERY_TABLE_H

#include "base/err.h"
#include "report/document.h"

#include <sqlite3.h>

/* How a column of the query becomes a cell.  CELL_PERCENT takes two: part and whole.  CELL_SHARE: NULL is nothing. */
enum query_cell { CELL_NAME, CELL_PART, CELL_TEXT, CELL_COUNT, CELL_BYTES, CELL_FLAG, CELL_PERCENT, CELL_SHARE };

/* key: in JSON; label: its heading. */
struct query_column { const char *key, *label; enum query_cell cell; };

/* hides: the query's last column is 0 in rows that have nothing to tell; they are for scripts only. */
struct query_table {
    const char                *key, *sql;
    const struct query_column  *columns;
    size_t                     count;
    bool                       hides;
};

enum { QUERY_COLUMNS_MAX = 16 };                            /* the most that a table may have */

struct query_rows { size_t all, hidden; };

/* Adds the table with the rows that its query gives, and counts them.  Without rows there is an empty table.  0 or <0
 * with err set. */
int query_table_add(struct report_document *out, struct report_node *parent, sqlite3 *db,
                    const struct query_table *table, struct query_rows *rows,
                    struct err *err);

#endif
