/* graph/read.h -- graph.db asked: queries, one row at a time.
 *
 * The file may have been made by anybody: numbers are checked before they become indices, text is made valid UTF-8 by
 * whoever prints it. */
#ifndef LEAKGRAPH_GRAPH_READ_H
#define LEAKGRAPH_GRAPH_READ_H

#include "base/err.h"
#include "base/slice.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

struct graph_table;

/* Opens a graph.db for reading, without locks (the file is never changed in place).  0, -ENOENT, -EIO, -EBADMSG (no
 * graph of ours, or of a version that is not read), -ENOMEM with err set; then *db is NULL. */
int  graph_open(sqlite3 **db, const char *path, struct err *err);

/* Makes, for this connection, the views of every graph and of `tables` (up to NULL) from their descriptions: what is
 * asked of them is then what this program asks, whatever the file has by their names: one from elsewhere may have none,
 * or anything.  Where the file has just these, they stay.  Once a connection.  0 or <0 with err set. */
int  graph_define_views(sqlite3 *db, const struct graph_table *const *tables, struct err *err);
/* Are there so many documents that the views are read in sooner than they are counted again?  0 or <0 with err set. */
int  graph_is_large(sqlite3 *db, bool *out, struct err *err);
/* After them, where the graph is large: what views asked often (table.h) give is kept for this connection, and
 * the others are asked of that.  They give the same rows in the same order.  0 or <0 with err set. */
int  graph_settle_views(sqlite3 *db, const struct graph_table *const *tables, struct err *err);
void graph_close(sqlite3 *db);                              /* accepts NULL */

/* A statement with its first parameters, if any, bound to texts and integers by graph_bind_*.  finish accepts NULL. */
int  graph_prepare(sqlite3 *db, sqlite3_stmt **query, const char *sql, struct err *err);
/* text is borrowed until finish or step 0 */
int  graph_bind_text(sqlite3_stmt *query, int parameter, struct slice text, struct err *err);
int  graph_bind_number(sqlite3_stmt *query, int parameter, int64_t value, struct err *err);
/* 1 row, 0 end (ready to be bound and stepped again), <0 with err set */
int  graph_step(sqlite3_stmt *query, struct err *err);
void graph_finish(sqlite3_stmt *query);

struct slice graph_text(sqlite3_stmt *query, int column);   /* valid until the next step; NULL is empty */
uint64_t     graph_number(sqlite3_stmt *query, int column); /* negative numbers are 0 */
double       graph_real(sqlite3_stmt *query, int column);

/* The first column of the first row as a number; 0 rows: 0. */
int  graph_count(sqlite3 *db, const char *sql, uint64_t *out, struct err *err);
/* Is there a row of table run with this key, whatever its value?  So says `edges_file` that the pairs are not here
 * (edges.h), and a stage's first setting that the stage ran. */
int  graph_run_says(sqlite3 *db, const char *key, bool *out, struct err *err);

#endif
