/* report/terminal.h -- the answer of a run on a terminal: a short table, straight from a query. */
#ifndef LEAKGRAPH_REPORT_TERMINAL_H
#define LEAKGRAPH_REPORT_TERMINAL_H

#include "base/err.h"

#include <sqlite3.h>
#include <stdio.h>

enum { TERMINAL_ROWS = 40 };                                /* more than so many are counted only */

/* A table: its first line, the query, whose names of columns are the headings, and what is said instead when it gives
 * no row (NULL: nothing).  view: where all rows are. */
struct terminal_table { const char *title, *sql, *view, *none; };

/* Prints the table to `out`: columns as wide as they need to be, numbers to the right, whole ones as they are, others
 * with two digits (four below 1), NULL as `-`.  Text is made harmless and cut at 32 bytes.  A blank
 * line ends it.  0, or <0 with err set. */
int terminal_print(FILE *out, sqlite3 *db, const struct terminal_table *table, struct err *err);

#endif
