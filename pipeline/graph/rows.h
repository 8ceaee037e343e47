/* graph/rows.h -- a graph's arrays as rows of the database's tables. */
#ifndef LEAKGRAPH_GRAPH_ROWS_H
#define LEAKGRAPH_GRAPH_ROWS_H

#include "graph/contents.h"
#include "graph/graph.h"

#include <sqlite3.h>

/* The rows in two halves, of which two threads may fill a database each: documents and what tells of the datasets;
 * pairs, clusters and the capabilities' tables. */
enum rows_half { ROWS_DOCUMENTS, ROWS_PAIRS, ROWS_HALVES };
enum rows_half rows_half_of(const struct graph_table *table);

/* How much there is of a half, in values. */
uint64_t rows_values(const struct graph *graph, enum rows_half half, bool edges_aside);

/* Fills the half's tables, which are there and empty, within the caller's transaction.  edges_aside: table edges stays
 * empty.  given: is told every value, may be NULL.  0, -ENOMEM, -ENOSPC, -EIO, -EFBIG (a text beyond SQLite's limit)
 * with err set. */
int rows_fill(sqlite3 *db, const struct graph *graph, enum rows_half half, bool edges_aside, struct contents *given,
              struct err *err);

/* Adds rows to a table of a database that rows_fill has filled.  As above. */
int rows_add(sqlite3 *db, const struct graph *graph, const struct graph_rows *of, struct contents *given,
             struct err *err);

/* err from the last failure of db (may be NULL: out of memory); returns its code: -ENOMEM, -ENOSPC, -EFBIG or -EIO. */
int rows_fail(sqlite3 *db, const char *what, struct err *err);

#endif
