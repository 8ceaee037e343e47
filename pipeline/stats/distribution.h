/* stats/distribution.h -- tails of the distributions that tests of significance ask, and their inverse. */
#ifndef LEAKGRAPH_STATS_DISTRIBUTION_H
#define LEAKGRAPH_STATS_DISTRIBUTION_H

/* The regularised incomplete beta function I_x(a, b); a, b > 0, x in 0 .. 1. */
double beta_incomplete(double a, double b, double x);

#define NORMAL_95 1.959963984540054                         /* 97.5 % of the normal distribution lie below */

double normal_above(double z);                              /* P(Z >= z) of the standard normal distribution */
double normal_quantile(double share);                       /* z with P(Z <= z) = share; -inf of 0, inf of 1 */

/* P(|T| >= |t|) of Student's t with `freedom` degrees of freedom, which need not be whole. */
double student_beyond(double t, double freedom);

/* t >= 0 with P(|T| >= t) = share, above 0 and at most 1; NaN for others, or without freedom. */
double student_quantile(double share, double freedom);

#endif
