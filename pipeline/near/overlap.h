/* near/overlap.h -- inter-dataset duplication: which share of one dataset has a duplicate in another.
 * Source: Hernandez Lopez et al., On Inter-dataset Code Duplication, TSE 2025 (IDD); their measure is `transitive`, as
 * their graph holds the cliques of transitive clusters (docs/definitions.md, "Pairs, clusters, counts"). */
#ifndef LEAKGRAPH_NEAR_OVERLAP_H
#define LEAKGRAPH_NEAR_OVERLAP_H

#include "near/classes.h"
#include "graph/graph.h"

/* Rows for every ordered pair of datasets that were compared, and of two splits of one dataset: per split and language
 * and in all.  Sorted by source, target, split, target split, language.  *out owned by the caller; its slices point
 * into the result's cells. */
int overlap_compute(const struct classes *classes, struct graph_overlap **out, size_t *count, struct err *err);

#endif
