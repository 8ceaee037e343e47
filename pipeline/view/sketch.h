/* view/sketch.h -- the smallest features of a document, by which documents that are as similar as a threshold are told
 * from nearly all others without a look at the rest.
 *
 * Features are hashes, so the k smallest ones of the union of two sets are a sample of it, and those of them that both
 * sets have are among the k smallest of each (Broder, On the resemblance and containment of documents, 1997, section
 * 2).  Of two sets with a Jaccard index j, so many are shared as k draws without replacement from the union hit what
 * is shared: fewer than `least`, which is below the mean, with a probability below that of k draws with replacement
 * (Uhlmann, Vergleich der hypergeometrischen mit der Binomial-Verteilung, 1966), which for j at the threshold is
 * SKETCH_MISSED at most. */
#ifndef LEAKGRAPH_VIEW_SKETCH_H
#define LEAKGRAPH_VIEW_SKETCH_H

#include "base/ratio.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SKETCH_MISSED 1e-9
enum { SKETCH_MOST = 256 };                                 /* features of a sketch */

/* size 0: no sketch of SKETCH_MOST features tells documents of this threshold from others. */
struct sketch_plan { uint32_t size, least; };
struct sketch_plan sketch_plan(struct ratio threshold);

/* May two sets reach the threshold?  x, y: their features, ascending and distinct, of larger sets than the plan's size
 * as many as that.  False for a pair that does with a probability of SKETCH_MISSED at most, and never where the union
 * of both is smaller than the plan's size. */
bool sketch_may_match(struct sketch_plan plan, const uint64_t *x, size_t nx, const uint64_t *y, size_t ny);

#endif
