/* stats/two_sample.h -- do two groups of numbers differ, and by how much?  Worked examples: docs/definitions.md,
 * "Statistics". */
#ifndef LEAKGRAPH_STATS_TWO_SAMPLE_H
#define LEAKGRAPH_STATS_TWO_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How p-values of ranks are had: by what each test says of itself; by counting also where numbers are equal, if there
 * are few; by the normal distribution. */
enum rank_method { RANK_AUTO, RANK_EXACT, RANK_NORMAL };

/* Mann-Whitney's U of x: pairs in which x is larger, ties a half.  p: of no difference, two-sided; greater: of x not
 * being the larger.  exact: by counting orders, where the smaller group has at most 8 numbers, none is there twice and
 * the larger has at most MANN_WHITNEY_MOST; by RANK_EXACT also where both have at most MANN_WHITNEY_COUNTED together,
 * by counting choices of their average ranks, and p is then of a U as far from its mean; else by the normal
 * distribution, corrected for ties and continuity.  delta: Cliff's, pairs in which x is larger less those in which y
 * is, of all. */
struct mann_whitney { double u, p, greater, delta; bool exact; };
enum { MANN_WHITNEY_SMALL = 8, MANN_WHITNEY_MOST = 100000, MANN_WHITNEY_COUNTED = 100 };

/* Neither may be NaN.  Of an empty group all is NaN.  0, or -ENOMEM.  The first is by RANK_AUTO. */
int mann_whitney(const double *x, size_t x_count, const double *y, size_t y_count, struct mann_whitney *out);
int mann_whitney_by(enum rank_method method, const double *x, size_t x_count, const double *y, size_t y_count,
                    struct mann_whitney *out);

/* Cliff's delta with its 95 % interval, by the consistent estimate of its variance and the asymmetric formula (Cliff,
 * Ordinal Methods for Behavioral Data Analysis, 1996; Feng and Cliff, Monte Carlo Evaluation of Ordinal d with Improved
 * Confidence Interval, 2004).  Where one group lies above the other as a whole, which leaves no variance, the inner end
 * is (n - z^2) / (n + z^2) of the smaller group's n.  Neither may be NaN.  Of an empty group all is NaN, of a group of
 * one the interval.  0, or -ENOMEM. */
struct cliff { double delta, low, high; };
int cliff_delta(const double *x, size_t x_count, const double *y, size_t y_count, struct cliff *out);

/* "negligible" below 0.147, "small" below 0.33, "medium" below 0.474, "large" (Romano et al. 2006); NaN: "". */
const char *cliff_level(double delta);

/* Cohen's d, how many standard deviations the means are apart, NaN where a variance is not known or both are 0.  plain:
 * the difference's size by the root of the mean of both variances; pooled: with its sign, variances weighed by their
 * degrees of freedom; hedges: g, pooled times gamma(m / 2) / (sqrt(m / 2) gamma((m - 1) / 2)) for m degrees of freedom,
 * which is right in the mean however few numbers there are (Hedges, Distribution Theory for Glass's Estimator of Effect
 * Size, 1981). */
struct cohen { double plain, pooled, hedges; };
int cohen(const double *x, size_t x_count, const double *y, size_t y_count, struct cohen *out);    /* 0, or -ENOMEM */

/* Means apart, by t with so many degrees of freedom; p two-sided.  NaN as above. */
struct t_test { double t, freedom, p; };
struct t_tests { struct t_test student, welch; };           /* of equal variances; of any */
int t_tests(const double *x, size_t x_count, const double *y, size_t y_count, struct t_tests *out);    /* likewise */

/* How many of a population have to be looked at for a share that is at most 5 points off in 95 of 100 samples (Cochran
 * 1977, with the correction for finite populations); 0: of any population. */
uint64_t sample_size(uint64_t population);

#endif
