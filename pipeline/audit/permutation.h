/* audit/permutation.h -- a verdict without training data: does the model give back more of a repository than of files
 * that it cannot have been trained on (label 0: newer than the model, say)?
 *
 * A file's excess is the share of its elements given back that goes beyond what the files at hand, the repository's and
 * the clean ones together, have for elements of its categories:  the sum over these of total (hits - rate of the
 * category), divided by the sum of totals.  As the rates are those of all files at hand, excesses do not depend on
 * whose a file is, and if files of both are alike, every choice of as many of them as the repository has is as likely
 * as the repository: permutation test, one-sided (Good, Permutation, Parametric and Bootstrap Tests of Hypotheses,
 * 2005).
 *
 * Files of a repository are like each other also where a model never saw them, which that test takes for knowledge.
 * So there is a second number, from whole repositories: the rank of the repository's mean excess among the clean ones'
 * (as p-values of conformal prediction: Vovk et al., Algorithmic Learning in a Random World, 2005), which few clean
 * ones leave large.  The third takes their means for draws of one normal distribution, and the repository's for one
 * more: (mean - clean mean) / (s * sqrt(1 + 1/n)) as Student's t with n - 1 degrees of freedom, one-sided (prediction
 * of one further observation: Hahn and Meeker, Statistical Intervals, 1991).  And each clean repository is tested
 * against the others, which measures how often a number is small without cause.
 *
 * Against a reference model, of the same files: what counts are differences of hits, and signs of the files' mean
 * differences are exchanged at random. */
#ifndef LEAKGRAPH_AUDIT_PERMUTATION_H
#define LEAKGRAPH_AUDIT_PERMUTATION_H

#include "audit/repository.h"

struct audit_permutation_options { uint32_t draws; uint64_t seed; };

struct audit_suspect {
    bool   clean;                                           /* a repository without a file of label 1, with one of 0 */
    size_t files;                                           /* with elements (and with a row of the reference) */
    size_t against_files, against;                          /* clean ones, and their repositories */
    double rate, against_rate;                              /* hits per element */
    double excess;                                          /* mean of its files' less that of the clean ones */
    double p, p_rank;                                       /* NaN without files on either side */
    double p_spread;                                        /* NaN too with fewer than two clean ones, or equal ones */
    double gain, p_gain;                                    /* mean difference to the reference; NaN without one */
    double by[AUDIT_CATEGORIES]  ;                          /* rate less the clean ones'; NaN without elements */
};

/* Tests every repository; out has room for r->count.  reference: rows of another model, or NULL: none; one of the same
 * file has its name, and its repository where both tell them, and the same place among those that have both.
 * Without totals every category of a file counts as one element.  0 or -ENOMEM. */
int audit_permutation(const struct audit_features *f, const struct audit_repositories *r,
                      const struct audit_features *reference, const struct audit_permutation_options *options,
                      struct audit_suspect *out, struct err *err);

#endif
