/* stats/correlation.h -- do two measurements of the same things go together?  Worked example: docs/definitions.md,
 * "Statistics".  Neither x nor y may have a NaN. */
#ifndef LEAKGRAPH_STATS_CORRELATION_H
#define LEAKGRAPH_STATS_CORRELATION_H

#include <stddef.h>

/* r in -1 .. 1 and its two-sided p, from t = r sqrt((n - 2) / (1 - r^2)) with n - 2 degrees of freedom.  r is NaN where
 * it is not defined: with fewer than two things, or when x or y is the same for all; p is NaN then, and with two
 * things. */
struct correlation { double r, p; };

struct correlation pearson(const double *x, const double *y, size_t n);

/* Pearson's of the ranks; equal values share the average of theirs.  p by counting all orders where neither has equal
 * values and n is 3 to SPEARMAN_SMALL, as t is far off for so few.  0, or -ENOMEM. */
enum { SPEARMAN_SMALL = 9 };
int spearman(const double *x, const double *y, size_t n, struct correlation *out);

/* Kendall's tau-b, pairs in the same order less those in the other, by the roots of how many pairs x and y tell apart;
 * p by counting orders where neither has equal values and n is at most KENDALL_SMALL or all pairs but one agree, else
 * normal, corrected for ties.  r is NaN as above, p where r is.  0, or -ENOMEM.  Sources: Kendall, The Treatment of
 * Ties in Ranking Problems, 1945; Knight, A Computer Method for Calculating Kendall's Tau with Ungrouped Data, 1966. */
enum { KENDALL_SMALL = 33 };
int kendall(const double *x, const double *y, size_t n, struct correlation *out);

/* rank[i] of value[i], from 1; equal values share the average of theirs.  0, or -ENOMEM. */
int ranks_average(const double *value, size_t n, double *rank);

#endif
