/* near/expand.h -- from classes and links to pairs of documents. */
#ifndef LEAKGRAPH_NEAR_EXPAND_H
#define LEAKGRAPH_NEAR_EXPAND_H

#include "near/classes.h"
#include "graph/pairs.h"

/* All pairs that belong in `edges`, a and b documents of the result, are added to out (pairs_options), which is ended.
 * Inside a class of more than STAR_LIMIT documents the pairs form a star (to its first document; to its first benchmark
 * document where streamed ones are in it, as those are compared with benchmarks only), unless options->pairs_all.  Of a
 * benchmark item's pairs the options->max_matches best are kept; a pair of two items stays when either keeps it.  Best:
 * exact, then by kind, set similarity, multiset similarity, then document order.  0, or <0 as runs_add says, with err
 * set. */
int expand_pairs(const struct classes *classes, struct runs *out, struct err *err);

/* [document_count] how many documents each has an exact or near pair with, all counted. */
int expand_matches(const struct classes *classes, uint32_t **out, struct err *err);

#endif
