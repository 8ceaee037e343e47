/* learn/forest.h -- random forests.  Source: Breiman, Random Forests, Machine Learning 45, 2001.
 *
 * Each tree learns from as many rows as there are, drawn with replacement; a split looks at a few columns, drawn anew.
 *  The forest's probability of class 1 is the mean of the leaves' shares.  A tree's random numbers depend on the
 * seed and the tree's number alone: the forest is the same, bit by bit, for any number of threads.  Where it differs
 * from scikit-learn's: docs/definitions.md, "Classifiers". */
#ifndef LEAKGRAPH_LEARN_FOREST_H
#define LEAKGRAPH_LEARN_FOREST_H

#include "learn/tree.h"

enum forest_columns { FOREST_SQRT, FOREST_LOG2, FOREST_ALL };               /* columns looked at for a split */

struct forest_options {
    uint32_t            trees;
    enum tree_split     criterion;                          /* TREE_GINI or TREE_ENTROPY */
    enum forest_columns max_columns;                        /* sqrt or log2 rounded down, 1 at least */
    uint32_t            max_depth;                          /* 0: no limit */
    uint32_t            min_rows_split, min_rows_leaf;      /* different rows of a sample */
    uint64_t            seed;                               /* below 2^53, as files say it in JSON */
};

/* scikit-learn's defaults. */
#define FOREST_DEFAULTS ((struct forest_options){ .trees = 100, .criterion = TREE_GINI, .max_columns = FOREST_SQRT, \
                                                  .min_rows_split = 2, .min_rows_leaf = 1 })

struct forest {
    struct forest_options options;
    size_t                columns;
    char                **name;                             /* columns, or NULL */
    struct learn_tree    *tree;                             /* options.trees */
};

/* Learns.  0, or <0 with err set (-EINVAL: data that learn_data_check refuses, or options without sense); then *out is
 * empty. */
int  forest_fit(const struct learn_data *data, const struct forest_options *options, int threads, struct forest *out,
                struct err *err);
void forest_free(struct forest *f);

/* The probability of class 1 for a row of f->columns numbers; the forest says 1 where it is above 0.5. */
double forest_probability(const struct forest *f, const double *row);

/* What each column's splits took from the impurity (mean decrease in impurity): the mean over trees of the tree's
 * shares, of sum 1; all 0 when no tree has a split.  importance has room for f->columns.  0 or -ENOMEM. */
int forest_importance(const struct forest *f, double *importance, struct err *err);

/* A file of JSON.  0, or <0 with err set, which names the file; what is read answers
 * as what was written, bit by bit. */
#define FOREST_FORMAT "leakgraph random forest"
int forest_write(const struct forest *f, const char *path, struct err *err);
int forest_read(const char *path, struct forest *out, struct err *err);

#endif
