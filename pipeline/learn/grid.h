/* learn/grid.h -- the best of a list of settings, by cross-validation. */
#ifndef LEAKGRAPH_LEARN_GRID_H
#define LEAKGRAPH_LEARN_GRID_H

#include "learn/classifier.h"

struct grid_score { double mean, deviation; };              /* of F1 over the folds; deviation of a population */

/* Learns with each of the settings on all folds but one and scores F1 of class 1 on that one (0 where it is not
 * defined), in folds that are dealt unshuffled (split_folds).  score[count] gets what each has reached, *best the place
 * of the highest mean, of equals the first.  *refit (NULL: none) learns with those settings from all rows, and is the
 * caller's.  The same for any number of threads.  0, or <0 with err set (-EINVAL: no settings, or as the fits and
 * split_folds say). */
int grid_search(const struct learn_data *data, const struct classifier_options *options, size_t count, uint32_t folds,
                int threads, struct grid_score *score, size_t *best, struct classifier *refit, struct err *err);

enum { GRID_FOLDS = 5, GRID_MAX = 243 };

/* The settings that TraWiC tries for a kind, in the order in which scikit-learn's GridSearchCV does (names of
 * parameters sorted, the last changes fastest): 36 of forests, 243 of boosting, 32 of SVMs.  How many were put into
 * out, which has room for GRID_MAX. */
size_t grid_published(enum classifier_kind kind, uint64_t seed, struct classifier_options *out);

#endif
