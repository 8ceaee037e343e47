/* stats/adjust.h -- p-values of several tests at once. */
#ifndef LEAKGRAPH_STATS_ADJUST_H
#define LEAKGRAPH_STATS_ADJUST_H

#include <stddef.h>

/* Holm's step-down: where those of a family that are at most a level are taken, the chance to take a wrong one is at
 * most that level, however the tests depend on each other.  out[i]: of p[i], the i-th smallest of n that are numbers:
 * the largest of (n - j + 1) times the j-th smallest for j <= i, at most 1.  NaN where p is, which does not count.  0
 * or -ENOMEM.  Source: Holm, A Simple Sequentially Rejective Multiple Test Procedure, 1979. */
int holm_adjust(const double *p, size_t count, double *out);

/* Benjamini and Hochberg's step-up: of those taken at a level, the share of wrong ones is at most that level in the
 * mean, where the tests do not depend on each other or do so positively.  out[i]: of p[i], the i-th smallest of n that
 * are numbers: the least of n / j times the j-th smallest for j >= i, at most 1.  NaN and return value as above.
 * Source: Benjamini and Hochberg, Controlling the False Discovery Rate, 1995. */
int benjamini_hochberg(const double *p, size_t count, double *out);

#endif
