/* graph/build_repositories.h -- what was found of the benchmarks' repositories, put into the graph of a run. */
#ifndef LEAKGRAPH_GRAPH_BUILD_REPOSITORIES_H
#define LEAKGRAPH_GRAPH_BUILD_REPOSITORIES_H

#include "graph/build.h"
#include "scan/repository_result.h"

/* Adds the repositories and their copies.  The graph points into result and its index, which must outlive it.  0, or
 * -ENOMEM with err set. */
int graph_add_repositories(struct graph_build *build, const struct repository_result *result, struct err *err);

#endif
