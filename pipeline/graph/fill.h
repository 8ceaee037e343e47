/* graph/fill.h -- an empty file filled with a graph's tables, by two threads where there is much.
 *
 * A database has one writer, and no row of it can be made twice as fast by two.  So a second thread fills the smaller
 * half of the tables, with their indices, in a database of its own, whose records SQLite then copies as they are: for
 * less than half of what it takes to make them. */
#ifndef LEAKGRAPH_GRAPH_FILL_H
#define LEAKGRAPH_GRAPH_FILL_H

#include "graph/contents.h"
#include "graph/graph.h"

struct fill {
    const struct graph              *graph;
    const struct graph_table *const *tables;                /* of the capabilities; ends with NULL */
    bool                             edges_aside;           /* table edges stays empty */
    /* Values that the smaller half must have to be made aside; UINT64_MAX: it never is.  Where the disk was full while
     * it was, it is set to that. */
    uint64_t                         aside_from;
};

/* Opens the empty file at `path` and fills it: schema, rows, indices.  *db is in a transaction, of which the caller
 * makes the end, and to be closed, also after an error.  The second file is made in `folder` and gone at the end.
 * given: zeroed; is told every value.  0, or <0 with err set as rows_fill says. */
int fill_database(struct fill *fill, const char *folder, const char *path, struct contents *given, sqlite3 **db,
                  struct err *err);

int fill_execute(sqlite3 *db, const char *sql, struct err *err);

#endif
