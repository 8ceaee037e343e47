/* graph/build_clones.h -- what line clones found, put into the graph of a run. */
#ifndef LEAKGRAPH_GRAPH_BUILD_CLONES_H
#define LEAKGRAPH_GRAPH_BUILD_CLONES_H

#include "graph/build.h"
#include "scan/clone_result.h"

/* Adds blocks, places and documents.  The graph points into result, which must outlive it.  0, or -ENOMEM with err set.
 */
int graph_add_clones(struct graph_build *build, const struct clone_job *job, const struct clone_result *result,
                     struct err *err);

#endif
