/* graph/load.h -- the whole graph back from graph.db, without its texts: what the digest and the checks need. */
#ifndef LEAKGRAPH_GRAPH_LOAD_H
#define LEAKGRAPH_GRAPH_LOAD_H

#include "graph/edges.h"
#include "graph/pool.h"

/* Datasets, documents, edges (from edges_file when run names one) and clusters of all passes, overlaps, and the tables
 * of capabilities that have lines in the digest; of each the columns that their descriptions say are read back, sorted
 * as graph.h says. */
struct graph_copy {
    struct graph           graph;                           /* points into what follows */
    struct edge_list       edges[GRAPH_PASSES];
    uint32_t              *cluster[GRAPH_PASSES];
    struct graph_rows     *rows;
    struct pool            pool;
};

/* 0, or -ENOENT, -EIO, -EBADMSG (what is wrong where), -ENOMEM with err set.  *out is to be freed either way. */
int  graph_load(struct graph_copy *out, const char *path, const struct graph_table *const *tables, struct err *err);
void graph_copy_free(struct graph_copy *copy);

#endif
