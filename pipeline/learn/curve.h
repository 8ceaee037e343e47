/* learn/curve.h -- how probabilities and values stand to the truth: calibration and ROC.  The area under the latter:
 * roc_measure of stats/roc.h. */
#ifndef LEAKGRAPH_LEARN_CURVE_H
#define LEAKGRAPH_LEARN_CURVE_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

struct calibration_bin {
    double   low, high;                                     /* probabilities above low, up to high; at first from 0 */
    uint64_t count;
    double   mean, share;                                   /* mean probability, share of class 1; NaN when empty */
};

/* `bins` bins of equal width over 0 .. 1, and Brier's score, the mean of (probability - truth)^2 (NaN without items).
 * Probabilities are in 0 .. 1. */
void calibration_curve(const double *probability, const uint8_t *truth, size_t count, size_t bins,
                       struct calibration_bin *out, double *brier);

struct roc_point { double threshold, false_share, true_share; };

/* The points of the ROC curve: said 1 where value >= threshold, thresholds descending, the first +infinity with both
 * shares 0, then each value that is there.  Items with NaN are left out; a share of an empty class is NaN.  *out is the
 * caller's.  0 or -ENOMEM. */
int roc_curve(const double *value, const uint8_t *truth, size_t count, struct roc_point **out, size_t *points,
              struct err *err);

#endif
