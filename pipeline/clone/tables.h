/* clone/tables.h -- what line clones found, put into the graph of a run. */
#ifndef LEAKGRAPH_CLONE_TABLES_H
#define LEAKGRAPH_CLONE_TABLES_H

#include "graph/build.h"
#include "clone/result.h"

/* Adds blocks, places and documents.  The graph points into result, which must outlive it.  0, or -ENOMEM with err set.
 */
int graph_add_clones(struct graph_build *build, const struct clone_job *job, const struct clone_result *result,
                     struct err *err);

#endif
