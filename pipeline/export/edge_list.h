/* export/edge_list.h -- the pairs of a run that has too many for graph.db, read from their list (graph/edges.h) as if
 * they were table edges, so that whoever asks view pairs need not know where they are.
 *
 * A virtual table of SQLite: the list is decoded from front to back as rows are asked for, and again for each query. */
#ifndef LEAKGRAPH_EXPORT_EDGE_LIST_H
#define LEAKGRAPH_EXPORT_EDGE_LIST_H

#include "base/err.h"

#include <sqlite3.h>

/* Puts the list at path behind `edges` and `pairs` of this connection, once.  0, or <0 with err set; what is wrong with
 * the list is told by the query that reads it. */
int edge_list_attach(sqlite3 *db, const char *path, struct err *err);

#endif
