/* stats/ranking.h -- what stands at the head of a ranking.  Areas under curves: roc.h. */
#ifndef LEAKGRAPH_STATS_RANKING_H
#define LEAKGRAPH_STATS_RANKING_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* Share of class 1 among the first n by descending value, NaN last.  Equals have no order: those at the n-th place fill
 * the places that are left with their own share of class 1, which is the mean over all their orders.  n above count is
 * count; NaN for n 0.  0 or -ENOMEM. */
int precision_at(const double *value, const uint8_t *truth, size_t count, size_t n, double *out, struct err *err);

#endif
