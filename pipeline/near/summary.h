/* near/summary.h -- what a run says of pass near at its end. */
#ifndef LEAKGRAPH_NEAR_SUMMARY_H
#define LEAKGRAPH_NEAR_SUMMARY_H

#include "base/err.h"
#include "graph/graph.h"

/* The table of whole datasets, and of those of their splits that share something, on standard output.  contained: its
 * column is shown even when it is 0 everywhere.  0, or -ENOMEM with err set. */
int summary_table(const struct graph *graph, bool contained, struct err *err);

#endif
