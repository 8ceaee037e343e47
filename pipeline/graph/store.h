/* graph/store.h -- what graph_write is made of, for the tests of its rare ways. */
#ifndef LEAKGRAPH_GRAPH_STORE_H
#define LEAKGRAPH_GRAPH_STORE_H

#include "graph/graph.h"

/* SQLite's application_id ("LKGR") and user_version */
enum { STORE_APPLICATION = 0x4C4B4752, STORE_VERSION = 18 };

/* KiB of cache with which a graph.db is asked. */
#define STORE_CACHE_ASKED "65536"

/* graph_write with another limit than GRAPH_EDGE_LIMIT; of two threads or more each fills a half of the tables, however
 * few rows these have. */
int store_write(const struct graph *graph, const struct graph_table *const *tables, const char *path, char digest[33],
                uint64_t edge_limit, int threads, struct err *err);

#endif
