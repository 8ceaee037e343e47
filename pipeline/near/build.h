/* near/build.h -- the graph of pass near: documents, pairs, clusters, overlap. */
#ifndef LEAKGRAPH_NEAR_BUILD_H
#define LEAKGRAPH_NEAR_BUILD_H

#include "graph/build.h"
#include "near/result.h"

/* The graph points into result and job, which must outlive it; what only classes and pairs are made of is given back
 * (class_of, unless it is kept; copy_of, same).  settings stay empty.  0, or -ENOMEM, -EIO, -EOVERFLOW with err set. */
int near_build(struct graph_build *out, const struct near_job *job, struct near_result *result, struct err *err);

#endif
