/* near/expand.h -- from classes and links to pairs of documents. */
#ifndef LEAKGRAPH_NEAR_EXPAND_H
#define LEAKGRAPH_NEAR_EXPAND_H

#include "near/classes.h"
#include "graph/graph.h"

/* All pairs that belong in `edges`, a and b being documents of the result, sorted by (a, b), each once.  Inside a class
 * of more than STAR_LIMIT documents the pairs form a star (to its first document; to its first benchmark document where
 * streamed ones are in it, as those are compared with benchmarks only), unless options->pairs_all.  Of a benchmark
 * item's pairs the options->max_matches best are kept; a pair of two items stays when either keeps it.  Best: exact,
 * then by kind, set similarity, multiset similarity, then document order. *out is owned by the caller.  0, or -ENOMEM
 * with err set. */
int expand_pairs(const struct classes *classes, struct graph_edge **out, size_t *count, struct err *err);

/* [document_count] how many documents each has an exact or near pair with, all counted. */
int expand_matches(const struct classes *classes, uint64_t **out, struct err *err);

#endif
