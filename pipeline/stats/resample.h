/* stats/resample.h -- what chance alone would give, and how much a number would vary, by drawing again from what there
 * is.
 *
 * Every round has random numbers of its own, from the seed and its number: results are the same, bit by bit, for any
 * number of threads.  threads: at most so many; 0 counts as 1. */
#ifndef LEAKGRAPH_STATS_RESAMPLE_H
#define LEAKGRAPH_STATS_RESAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- permutations ---- */

/* Is the difference of means, x's less y's, more than the numbers would give however they were dealt to the two groups?
 * p: the share of deals with a difference at least as far from 0; greater: at least as large.  exact: over all deals,
 * which is done where there are at most `rounds`; else `rounds` random ones and the one at hand, (1 + hits) / (1 +
 * rounds).  Sources: Fisher, The Design of Experiments, 1935, section 21; Phipson and Smyth, Permutation P-values
 * Should Never Be Zero, 2010. */
struct permutation { double difference, p, greater; uint64_t rounds; bool exact; };

/* Neither may be NaN.  Of an empty group all is NaN.  0, or -ENOMEM. */
int permutation_means(const double *x, size_t x_count, const double *y, size_t y_count, uint64_t rounds, uint64_t seed,
                      int threads, struct permutation *out);

/* ---- bootstrap ---- */

/* A number that says something of a sample, as its mean; called from several threads at once, so `with` is only read.
 * What is drawn are doubles: those of what has no numbers are their places, 0 .. n-1. NaN: not defined. */
typedef double statistic(const double *value, size_t count, const void *with);

double statistic_mean(const double *value, size_t count, const void *unused);      /* NaN of nothing */

/* level: the share of cases in which the interval is to hold the truth, above 0 and below 1. */
struct bootstrap_options { uint64_t rounds, seed; double level; int threads; };
#define BOOTSTRAP_DEFAULTS (struct bootstrap_options){ .rounds = 9999, .seed = 1, .level = 0.95, .threads = 1 }

/* value: of the numbers themselves; low, high: the interval by BCa, bias corrected and accelerated (Efron, Better
 * Bootstrap Confidence Intervals, 1987; Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 14);
 * error: the standard deviation of the resamples; rounds: resamples in which the statistic was a number, which alone
 * count.  The interval and error are NaN where value is, where a group has fewer than two numbers, or with fewer than
 * two such resamples.  Above
 * BOOTSTRAP_PARTS numbers the acceleration is had by leaving out as many parts, and not each number. */
enum { BOOTSTRAP_PARTS = 2000 };
struct bootstrap { double value, low, high, error; uint64_t rounds; };

/* Of one sample; of two, the statistic of x less that of y, each group being drawn from by itself.  0, -EINVAL for a
 * level that is none, or -ENOMEM. */
int bootstrap_one(const double *x, size_t count, statistic *of, const void *with,
                  const struct bootstrap_options *options, struct bootstrap *out);
int bootstrap_two(const double *x, size_t x_count, const double *y, size_t y_count, statistic *of, const void *with,
                  const struct bootstrap_options *options, struct bootstrap *out);

/* The interval from `rounds` values of resamples, which are put in order, and the acceleration. */
void bootstrap_range(double *resample, size_t rounds, double value, double acceleration, double level, double *low,
                     double *high);

#endif
