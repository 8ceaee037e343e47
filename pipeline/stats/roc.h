/* stats/roc.h -- how surely a number tells two classes of texts apart: the area under its ROC curve with an interval,
 * two of them on the same items, and what is found at few false alarms.
 *
 * An item of class 1 wins against each of class 0 below it, ties a half.  What share of them it beats is its placement,
 * which one walk over the sorted values gives; the variance of an area is that of the placements of either class.
 * Sources: DeLong, DeLong, Clarke-Pearson 1988, Comparing the Areas under Two or More Correlated ROC Curves; Sun, Xu
 * 2014, Fast Implementation of DeLong's Algorithm (by mid-ranks).  Worked example: docs/definitions.md,
 * "Statistics". */
#ifndef LEAKGRAPH_STATS_ROC_H
#define LEAKGRAPH_STATS_ROC_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Everywhere below: class 1 is truth not 0; items with NaN are left out. */

/* auc: how often an item of class 1 has a larger value than one of class 0; NaN where a class is empty, and the rest
 * with it.  variance: DeLong's; NaN where a class has one item.  low, high: of 95 %, by the logit of the area (Pepe
 * 2003, 5.2), which stays within 0 and 1; where the variance is 0 or not known, as of classes that do not overlap, by
 * Newcombe's method 5 (2006, Confidence Intervals for an Effect Size Measure Based on the Mann-Whitney Statistic 2). */
struct roc { double auc, variance, low, high; size_t ones, zeros; };
int roc_measure(const double *value, const uint8_t *truth, size_t count, struct roc *out, struct err *err);

/* Two numbers of the same items, of which those count that have both: areas, the first less the second, its standard
 * error, and two-sided p of no difference by the normal distribution.  NaN: a class with fewer than two items; p also
 * where the error is 0 but the difference is not. */
struct roc_pair { double auc[2], difference, error, p; size_t ones, zeros; };
int roc_compare(const double *a, const double *b, const uint8_t *truth, size_t count, struct roc_pair *out,
                struct err *err);

/* At a threshold that at most one in `one_in` items of class 0 reaches: `hits` of the `ones` of class 1 reach it, and
 * `alarms` of the `zeros` of class 0.  Of equal values all reach it or none: where all would be too many alarms, none.
 *  decided: there are one_in items of class 0 at least, without which the first alarm is one too many, and one of
 * class 1 at least. */
struct roc_rate { size_t hits, ones, alarms, zeros; bool decided; };
int roc_rate(const double *value, const uint8_t *truth, size_t count, size_t one_in, struct roc_rate *out,
             struct err *err);

#endif
