/* stats/summary.h -- what a column of numbers looks like. */
#ifndef LEAKGRAPH_STATS_SUMMARY_H
#define LEAKGRAPH_STATS_SUMMARY_H

#include <stddef.h>

/* deviation: of the numbers themselves (divided by n, as NumPy's std), variance: of what they are a sample of (by n -
 * 1).  NaN without numbers; variance with one. */
struct summary { size_t count; double least, median, mean, most, deviation, variance; };

/* The median of an even count is the mean of the middle two.  0, or -ENOMEM. */
int summary_take(const double *value, size_t count, struct summary *out);

#endif
