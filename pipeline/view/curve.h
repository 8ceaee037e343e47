/* view/curve.h -- what bands and rows catch: the S-curve of LSH (Leskovec, Rajaraman, Ullman, Mining of Massive
 * Datasets, 3.4). */
#ifndef LEAKGRAPH_VIEW_CURVE_H
#define LEAKGRAPH_VIEW_CURVE_H

#include "base/err.h"

#include <stdint.h>

/* Probability that two documents of this Jaccard index share a band: 1 - (1 - j^rows)^bands, without loss of digits
 * near 0 and 1. */
double curve_candidate(double jaccard, uint32_t bands, uint32_t rows);

double curve_knee(uint32_t bands, uint32_t rows);           /* the index at which that is 1/2 */

/* Bands and rows that catch pairs exactly at the threshold with at least this probability, with bands * rows <= hashes.
 * Of all that do, the cheapest by records written, lanes computed and false candidates to verify (the rule stands in
 * curve.c).  -ERANGE with err set, saying the best that can be had, when none does. */
int  curve_choose(double threshold, double recall, uint32_t hashes, uint32_t *bands, uint32_t *rows, struct err *err);

/* What is to be said of a user's own setting: hashes given but not used by bands * rows, share of pairs at the
 * threshold that are missed. */
/* misses_much: more than 5 % at the threshold */
struct curve_verdict { double recall; uint32_t wasted_hashes; int misses_much; };
struct curve_verdict curve_judge(double threshold, uint32_t hashes, uint32_t bands, uint32_t rows);

#endif
