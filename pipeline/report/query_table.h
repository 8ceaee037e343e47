/* report/query_table.h -- tables of a report that are made straight from a query: a row a row. */
#ifndef LEAKGRAPH_REPORT_QUERY_TABLE_H
#define LEAKGRAPH_REPORT_QUERY_TABLE_H

#include "base/err.h"
#include "report/document.h"

#include <sqlite3.h>

/* How a column of the query becomes a cell.  COLUMN_PERCENT takes two: part and whole.  COLUMN_SHARE: NULL is nothing.
 */
enum query_column { COLUMN_NAME, COLUMN_PART, COLUMN_TEXT, COLUMN_COUNT, COLUMN_BYTES, COLUMN_FLAG, COLUMN_PERCENT,
                    COLUMN_SHARE };

/* hides: the query's last column is 0 in rows that have nothing to tell; they are for scripts only. */
struct query_table {
    const char                 *key, *sql;
    const struct report_column *columns;
    const enum query_column    *types;
    size_t                      count;
    bool                        hides;
};

enum { QUERY_COLUMNS_MAX = 16 };                            /* the most that a table may have */

struct query_rows { size_t all, hidden; };

/* Adds the table with the rows that its query gives, and counts them.  Without rows there is an empty table.  0 or <0
 * with err set. */
int query_table_add(struct report_document *out, struct report_node *parent, sqlite3 *db,
                    const struct query_table *table, struct query_rows *rows,
                    struct err *err);

#endif
