/* learn/split.h -- rows to learn from and rows to be tested with, with the same shares of both classes. */
#ifndef LEAKGRAPH_LEARN_SPLIT_H
#define LEAKGRAPH_LEARN_SPLIT_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The fold (0 .. folds-1) in which each row is tested, as scikit-learn's StratifiedKFold deals them: each class is
 * dealt in runs, in the order of the rows; with `shuffle` in an order drawn from seed.  0, or <0 with err set (-EINVAL:
 * fewer than two folds, or more than the larger class has rows). */
int split_folds(const uint8_t *label, size_t rows, uint32_t folds, bool shuffle, uint64_t seed, uint32_t *fold,
                struct err *err);

/* Deals rows at random: row[0 .. *train-1] to learn from, the others for the test, of which there are test_share of
 * all, rounded up, with as near as can be the shares of classes of all.  Both parts stand in random order.  row has
 * room for `rows`.  0, or <0 with err set (-EINVAL: a class has fewer than two rows, or a part would). */
int split_train_test(const uint8_t *label, size_t rows, double test_share, uint64_t seed, size_t *row, size_t *train,
                     struct err *err);

#endif
