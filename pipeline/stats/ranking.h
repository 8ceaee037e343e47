/* stats/ranking.h -- how well a number tells two classes of texts apart. */
#ifndef LEAKGRAPH_STATS_RANKING_H
#define LEAKGRAPH_STATS_RANKING_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* Area under the ROC curve: how often an item of class 1 (truth not 0) has a larger value than one of class 0, ties a
 * half.  Items with NaN are left out; NaN where a class is empty.  0 or -ENOMEM. */
int roc_auc(const double *value, const uint8_t *truth, size_t count, double *out, struct err *err);
/* Share of class 1 among the first n by descending value (NaN last, of equals the earlier one first); n above count is
 * count; NaN for n 0.  0 or -ENOMEM. */
int precision_at(const double *value, const uint8_t *truth, size_t count, size_t n, double *out, struct err *err);

#endif
