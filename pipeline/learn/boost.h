/* learn/boost.h -- gradient boosting of the log-likelihood of two classes, as XGBoost's `binary:logistic` with exact
 * splits.  Source: Chen, Guestrin, XGBoost, KDD 2016.
 *
 * A row's margin is the sum of its leaves' values, from 0 on; its probability of class 1 is p = 1 / (1 + e^-margin).
 * Each round grows one tree of second order (tree.h) from g = p - label and h = p (1 - p), and adds its leaf values,
 * times the learning rate.  Where it differs from XGBoost: docs/definitions.md, "Classifiers". */
#ifndef LEAKGRAPH_LEARN_BOOST_H
#define LEAKGRAPH_LEARN_BOOST_H

#include "learn/tree.h"

struct boost_options {
    uint32_t rounds;
    uint32_t max_depth;                                     /* 0: no limit */
    double   learning_rate;                                 /* above 0, up to 1 */
    double   lambda;                                        /* 0 or more */
    double   min_weight;                                    /* sum of h on either side of a split, at least */
    double   rows_share, columns_share;                     /* above 0, up to 1: of each tree */
    uint64_t seed;                                          /* below 2^53; asked where a share is below 1 */
};

/* XGBoost's defaults. */
#define BOOST_DEFAULTS ((struct boost_options){ .rounds = 100, .max_depth = 6, .learning_rate = 0.3, .lambda = 1, \
                                                .min_weight = 1, .rows_share = 1, .columns_share = 1 })

struct boost {
    struct boost_options options;
    size_t               columns;
    char               **name;                              /* columns, or NULL */
    struct learn_tree   *tree;                              /* options.rounds; values are times the learning rate */
};

/* Learns.  0, or <0 with err set (-EINVAL: data that learn_data_check refuses, or options out of range); then *out is
 * empty. */
int  boost_fit(const struct learn_data *data, const struct boost_options *options, struct boost *out, struct err *err);
void boost_free(struct boost *b);

/* For a row of b->columns numbers; class 1 is said where the probability is above 0.5. */
double boost_margin(const struct boost *b, const double *row);
double boost_probability(const struct boost *b, const double *row);

/* The mean gain of each column's splits, of sum 1 (XGBoost's "gain"); all 0 without a split.  0 or -ENOMEM. */
int boost_importance(const struct boost *b, double *importance, struct err *err);

/* A file of JSON; as forest_write and forest_read. */
#define BOOST_FORMAT "leakgraph gradient boosting"
int boost_write(const struct boost *b, const char *path, struct err *err);
int boost_read(const char *path, struct boost *out, struct err *err);

#endif
