/* learn/tree.h -- binary decision trees over columns of numbers, as forests and boosting use them.
 *
 * A tree is an array of nodes, its root first, each before its children.  A row goes left where its value is at most
 * the threshold, and the value of the leaf that it ends in is the answer.
 *
 * One grower makes both kinds.  A row has a weight w and a sum s; of a node only W = sum of w and S = sum of s count:
 *   gini, entropy    w how often the row was drawn, s = w * label.  A node's score is -W * impurity(S/W) and a leaf's
 *                    value S/W.  Source: Breiman et al., Classification and Regression Trees, 1984.
 *   second order     w the second derivative of the loss, s minus the first.  Score S^2 / (W + lambda), value
 *                    S / (W + lambda).  Source: Chen, Guestrin, XGBoost, KDD 2016, (5) and (7).
 * A split gains score(left) + score(right) - score(node); the best is taken, of equals the one seen first: columns in
 * the order in which they are tried, thresholds ascending.  A threshold lies halfway between neighbouring values. */
#ifndef LEAKGRAPH_LEARN_TREE_H
#define LEAKGRAPH_LEARN_TREE_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/random.h"
#include "learn/data.h"

#include <cjson/cJSON.h>
#include <stdint.h>

struct tree_node {
    double   threshold;                                     /* 0 in leaves */
    double   value;                                         /* of leaves the answer; of others what it would be */
    double   gain;                                          /* of the split; 0 in leaves */
    double   weight;                                        /* W */
    uint32_t rows;                                          /* different rows of the data */
    int32_t  column;                                        /* -1: a leaf */
    uint32_t left, right;                                   /* places in the array, above this one's; 0 in leaves */
};

struct learn_tree { struct tree_node *node; uint32_t count; };    /* owned; a zeroed struct is none */

enum tree_split { TREE_GINI, TREE_ENTROPY, TREE_SECOND_ORDER };

struct tree_options {
    enum tree_split split;
    uint32_t        max_depth;                              /* of leaves below the root; 0: no limit */
    uint32_t        min_rows_split, min_rows_leaf;          /* different rows; 2 and 1 are no limits */
    size_t          max_columns;                            /* tried at a split, drawn anew; 0: all, in order */
    double          lambda, min_weight, min_gain;           /* second order: min_weight of both sides; gain above it */
};

/* The data as the grower reads it: by column, with the order of the rows by each.  Made once for any number of
 * trees. */
struct tree_data {
    size_t    rows, columns;
    double   *value;                                        /* columns * rows */
    uint32_t *order;                                        /* columns * rows: rows by value, then by number */
};

int  learn_tree_data_make(const struct learn_data *from, struct tree_data *out, struct err *err);     /* 0 or -ENOMEM */
void learn_tree_data_free(struct tree_data *d);

/* What a tree learns: weight and sum by row, rows of weight 0 are not there; its columns (NULL: all). */
struct tree_target {
    const double   *weight, *sum;
    const uint32_t *column;
    size_t          columns;
};

/* Grows a tree; some row has a weight above 0.  random is asked only where max_columns is above 0:
 * columns are drawn one by one until max_columns were looked at and one of them was not the same for all rows.  0, or
 * -ENOMEM with err set. */
int  learn_tree_grow(const struct tree_data *data, const struct tree_target *target, const struct tree_options *options,
               struct random *random, struct learn_tree *out, struct err *err);
void learn_tree_free(struct learn_tree *t);

double learn_tree_value(const struct learn_tree *t, const double *row); /* the value of the row's leaf */

/* Adds the gains of each column's splits, divided by the root's weight, to gain[columns]. */
void learn_tree_add_gains(const struct learn_tree *t, double *gain);

/* Appends the tree as an object of JSON, a list for each member of its nodes; numbers are written so that the same bits
 * are read.  0 or -ENOMEM. */
int learn_tree_json(const struct learn_tree *t, struct bytes *out);

/* Reads one; whatever stands there, what is accepted is a tree over so many columns with finite numbers.  0, or
 * -EBADMSG or -ENOMEM with err set; then *out is empty. */
int learn_tree_parse(const cJSON *json, size_t columns, struct learn_tree *out, struct err *err);

/* The trees of a model.  learn_trees_json appends them as a member `trees`; learn_trees_parse reads it: *out and its
 * trees are the caller's, on failure *out is NULL and *count 0.  learn_trees_free takes NULL too. */
enum { TREES_MAX = 1 << 20 };
int  learn_trees_json(const struct learn_tree *t, uint32_t count, struct bytes *out);
int  learn_trees_parse(const cJSON *json, size_t columns, struct learn_tree **out, uint32_t *count, struct err *err);
void learn_trees_free(struct learn_tree *t, uint32_t count);

#endif
