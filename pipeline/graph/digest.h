/* graph/digest.h -- the run's digest, made while others read the same graph. */
#ifndef LEAKGRAPH_GRAPH_DIGEST_H
#define LEAKGRAPH_GRAPH_DIGEST_H

#include "graph/graph.h"

#include <stdbool.h>

struct digest_making;

/* Begins graph_digest; beside: on a thread of its own, where the system gives one.  The graph stays as it is until the
 * end; its documents are made before this returns, and from then on only their ids are asked for.  0 or -ENOMEM with
 * err set. */
int digest_begin(const struct graph *graph, bool beside, struct digest_making **out, struct err *err);

/* Waits for it.  out NULL: nobody wants it any more, and it ends soon.  What graph_digest returns; of NULL 0. */
int digest_end(struct digest_making *making, char out[33], struct err *err);

#endif
