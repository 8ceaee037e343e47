/* near/build.h -- the graph of pass near: documents, pairs, clusters, overlap. */
#ifndef LEAKGRAPH_NEAR_BUILD_H
#define LEAKGRAPH_NEAR_BUILD_H

#include "graph/build.h"
#include "near/result.h"

/* The graph points into result and job, which must outlive it.  settings stay empty.  0, or -ENOMEM with err set. */
int near_build(struct graph_build *out, const struct near_job *job, const struct near_result *result, struct err *err);

#endif
