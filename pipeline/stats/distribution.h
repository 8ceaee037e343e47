/* stats/distribution.h -- tails of the distributions that tests of significance ask. */
#ifndef LEAKGRAPH_STATS_DISTRIBUTION_H
#define LEAKGRAPH_STATS_DISTRIBUTION_H

/* The regularised incomplete beta function I_x(a, b); a, b > 0, x in 0 .. 1. */
double beta_incomplete(double a, double b, double x);

double normal_above(double z);                              /* P(Z >= z) of the standard normal distribution */

/* P(|T| >= |t|) of Student's t with `freedom` degrees of freedom, which need not be whole. */
double student_beyond(double t, double freedom);

#endif
