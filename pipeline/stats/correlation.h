/* stats/correlation.h -- do two measurements of the same things go together?  Worked example: docs/definitions.md,
 * "Statistics". */
#ifndef LEAKGRAPH_STATS_CORRELATION_H
#define LEAKGRAPH_STATS_CORRELATION_H

#include <stddef.h>

/* r in -1 .. 1 and its two-sided p, from t = r sqrt((n - 2) / (1 - r^2)) with n - 2 degrees of freedom.  r is NaN where
 * it is not defined: with fewer than two things, or when x or y is the same for all; p is NaN then, and with two
 * things. */
struct correlation { double r, p; };

struct correlation pearson(const double *x, const double *y, size_t n);

/* Pearson's of the ranks; equal values share the average of theirs.  0, or -ENOMEM. */
int spearman(const double *x, const double *y, size_t n, struct correlation *out);

/* rank[i] of value[i], from 1; equal values share the average of theirs.  0, or -ENOMEM. */
int ranks_average(const double *value, size_t n, double *rank);

#endif
