/* compliance/likeness.h -- texts that have a neighbour among others by MinHash and bands: the filter by which LiCoEval
 * (Xu et al., ICSE 2025, section III) tells functions that a model has not seen, as the script of BigCode does it that
 * they ran (bigcode-dataset, near_deduplication/minhash_deduplication.py).
 *
 * Words are what stands between characters outside of [A-Za-z_0-9], empty ones too; items are runs of five.  Signatures
 * are those of similarity/datasketch.h drawn from seed 42; bands and rows are those of 256 slots whose errors, weighed
 * alike, are least.  Two texts are neighbours when they share a band; texts of fewer than five words all are.  Nothing
 * is verified: it is a filter that shall leave out too much rather than too little. */
#ifndef LEAKGRAPH_COMPLIANCE_LIKENESS_H
#define LEAKGRAPH_COMPLIANCE_LIKENESS_H

#include "base/err.h"
#include "base/slice.h"

#include <stdint.h>

/* Of so many slots the bands and rows for which the area of false positives below the threshold, 0 to 1, and of false
 * negatives above it is least. */
struct likeness_bands { uint32_t bands, rows; };
struct likeness_bands likeness_bands_of(double threshold, uint32_t slots);

struct likeness;
int  likeness_open(struct likeness **out, double threshold, struct err *err);          /* 0, or -ENOMEM with err set */
void likeness_close(struct likeness *likeness);             /* accepts NULL */

/* Adds one of the others, about 8 bytes a band.  0, or -ENOMEM with err set. */
int  likeness_add(struct likeness *likeness, struct slice text, struct err *err);
/* Has it a neighbour among those that were added?  1, 0, or -ENOMEM with err set. */
int  likeness_ask(struct likeness *likeness, struct slice text, struct err *err);

#endif
