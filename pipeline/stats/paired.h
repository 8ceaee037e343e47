/* stats/paired.h -- do two measurements of the same things differ?  Worked examples: docs/definitions.md, "Statistics".
 * x and y of one thing stand at the same place; neither may be NaN.  Tests of one sample against 0: y NULL. */
#ifndef LEAKGRAPH_STATS_PAIRED_H
#define LEAKGRAPH_STATS_PAIRED_H

#include "stats/two_sample.h"

/* Wilcoxon's signed ranks of x - y: the sums of the ranks that sizes of differences above and below 0 have, equal sizes
 * sharing the average of theirs, differences of 0 left out ("wilcox"); used: how many are left.  p: of differences that
 * lie alike around 0, two-sided; greater: of their not lying above.  By RANK_AUTO exact where at most WILCOXON_SMALL
 * are used, none was left out and no two sizes are equal; by RANK_EXACT by counting all signs of the ranks at hand, up
 * to WILCOXON_MOST used; else normal, corrected for ties, not for continuity.  Source: Wilcoxon, Individual Comparisons
 * by Ranking Methods, 1945. */
struct wilcoxon { double above, below, p, greater; size_t used; bool exact; };
enum { WILCOXON_SMALL = 50, WILCOXON_MOST = 500 };

/* Without pairs all is NaN; where all differences are 0, p and greater are 1.  0, or -ENOMEM. */
int wilcoxon(const double *x, const double *y, size_t count, enum rank_method method, struct wilcoxon *out);

/* Student's t of the differences, with count - 1 degrees of freedom; NaN with fewer than two; t and p where
 * all are equal.  0, or -ENOMEM. */
int paired_t(const double *x, const double *y, size_t count, struct t_test *out);

#endif
