/* documents/tables.h -- the documents of benchmarks in a graph without the near-duplicate join. */
#ifndef LEAKGRAPH_DOCUMENTS_TABLES_H
#define LEAKGRAPH_DOCUMENTS_TABLES_H

#include "graph/build.h"
#include "pass/item.h"

/* After graph_build_counts; the graph points into the result.  0, or -ENOMEM, -EOVERFLOW with err set. */
int graph_add_items(struct graph_build *build, const struct item_result *result, const struct scan_counts *counts,
                    struct err *err);

#endif
