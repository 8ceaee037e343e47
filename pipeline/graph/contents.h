/* graph/contents.h -- digests of all tables: the run's digest leaves out what differs between machines, and what
 * are no integers, but fsck is to know of every value whether it is the one that was written. */
#ifndef LEAKGRAPH_GRAPH_CONTENTS_H
#define LEAKGRAPH_GRAPH_CONTENTS_H

#include "base/err.h"
#include "graph/table.h"

#include <sqlite3.h>

/* xxh3-128 over the rows of a table in their order, as 32 hex digits and NUL: of each value its type (one byte, as
 * SQLite numbers them), then 8 bytes of a number, lowest first, or the length in 8 bytes and the bytes of a text.
 * *rows may be NULL.  0, or <0 with err set. */
int contents_digest(sqlite3 *db, const struct graph_table *table, char out[33], uint64_t *rows, struct err *err);

/* Adds a row `contents.TABLE` to table run for each of its own tables and of `tables`, which end with NULL, for the
 * schema, and at last for run itself; `digest.TABLE` for each of `tables` that has rows and no lines in the run's
 * digest.  0, or <0 with err set. */
int contents_tell(sqlite3 *db, const struct graph_table *const *tables, struct err *err);

/* Do these rows tell what the tables hold?  -EBADMSG that names the first that does not, 0, or <0 with err set.  Where
 * run does not say what is in run, as versions before did not, only what it says is checked. */
int contents_check(sqlite3 *db, const struct graph_table *const *tables, struct err *err);

#endif
