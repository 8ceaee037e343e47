/* repository/tables.h -- what was found of the benchmarks' repositories, put into the graph of a run. */
#ifndef LEAKGRAPH_REPOSITORY_TABLES_H
#define LEAKGRAPH_REPOSITORY_TABLES_H

#include "graph/build.h"
#include "repository/result.h"

/* Adds the repositories and their copies.  The graph points into result and its index, which must outlive it.  0, or
 * -ENOMEM with err set. */
int graph_add_repositories(struct graph_build *build, const struct repository_result *result, struct err *err);

#endif
