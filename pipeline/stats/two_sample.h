/* stats/two_sample.h -- do two groups of numbers differ, and by how much?  Worked examples: docs/definitions.md,
 * "Statistics". */
#ifndef LEAKGRAPH_STATS_TWO_SAMPLE_H
#define LEAKGRAPH_STATS_TWO_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Mann-Whitney's U of x: pairs in which x is larger, ties a half.  p: of no difference, two-sided; greater: of x not
 * being the larger.  exact: by counting orders, where the smaller group has at most 8 numbers, none is there twice and
 * the larger has at most MANN_WHITNEY_MOST; else by the normal distribution, corrected for ties and continuity.
 * delta: Cliff's, pairs in which x is larger less those in which y is, of all. */
struct mann_whitney { double u, p, greater, delta; bool exact; };
enum { MANN_WHITNEY_SMALL = 8, MANN_WHITNEY_MOST = 100000 };

/* Neither may be NaN.  Of an empty group all is NaN.  0, or -ENOMEM. */
int mann_whitney(const double *x, size_t x_count, const double *y, size_t y_count, struct mann_whitney *out);

/* "negligible" below 0.147, "small" below 0.33, "medium" below 0.474, "large" (Romano et al. 2006); NaN: "". */
const char *cliff_level(double delta);

/* Cohen's d, how many standard deviations the means are apart, NaN where a variance is not known or both are 0.  plain:
 * the difference's size by the root of the mean of both variances; pooled: with its sign, variances weighed by their
 * degrees of freedom. */
struct cohen { double plain, pooled; };
int cohen(const double *x, size_t x_count, const double *y, size_t y_count, struct cohen *out);    /* 0, or -ENOMEM */

/* Means apart, by t with so many degrees of freedom; p two-sided.  NaN as above. */
struct t_test { double t, freedom, p; };
struct t_tests { struct t_test student, welch; };           /* of equal variances; of any */
int t_tests(const double *x, size_t x_count, const double *y, size_t y_count, struct t_tests *out);    /* likewise */

/* How many of a population have to be looked at for a share that is at most 5 points off in 95 of 100 samples (Cochran
 * 1977, with the correction for finite populations); 0: of any population. */
uint64_t sample_size(uint64_t population);

#endif
