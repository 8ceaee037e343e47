/* graph/tables.h -- the tables that every graph has. */
#ifndef LEAKGRAPH_GRAPH_TABLES_H
#define LEAKGRAPH_GRAPH_TABLES_H

#include "graph/graph.h"

extern const struct graph_table table_datasets, table_snippets, table_edges, table_clusters, table_overlap,
    table_splits, table_shards, table_skipped, table_rejects, table_gates, table_run;

extern const struct graph_table *const graph_tables[];      /* all of them; ends with NULL */

#endif
