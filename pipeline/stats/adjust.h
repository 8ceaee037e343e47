/* stats/adjust.h -- p-values of several tests at once, by Holm's step-down: where those of a family that are at most a
 * level are taken, the chance to take a wrong one is at most that level, however the tests depend on each other.
 * Source: Holm, A Simple Sequentially Rejective Multiple Test Procedure, 1979. */
#ifndef LEAKGRAPH_STATS_ADJUST_H
#define LEAKGRAPH_STATS_ADJUST_H

#include <stddef.h>

/* out[i]: of p[i], the i-th smallest of n that are numbers: the largest of (n - j + 1) times the j-th smallest for
 * j <= i, at most 1.  NaN where p is, which does not count.  0 or -ENOMEM. */
int holm_adjust(const double *p, size_t count, double *out);

#endif
