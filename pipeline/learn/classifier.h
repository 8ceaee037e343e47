/* learn/classifier.h -- one face for forests, boosting and support vector machines. */
#ifndef LEAKGRAPH_LEARN_CLASSIFIER_H
#define LEAKGRAPH_LEARN_CLASSIFIER_H

#include "learn/boost.h"
#include "learn/forest.h"
#include "learn/score.h"
#include "learn/svm.h"

#include <stdbool.h>

enum classifier_kind { CLASSIFIER_FOREST, CLASSIFIER_BOOST, CLASSIFIER_SVM };
extern const char *const classifier_names[CLASSIFIER_SVM + 1];              /* forest, boosting, svm */

struct classifier_options {
    enum classifier_kind kind;
    union { struct forest_options forest; struct boost_options boost; struct svm_options svm; } of;
};

struct classifier {
    enum classifier_kind kind;
    union { struct forest forest; struct boost boost; struct svm svm; } of;
};

/* Learns; a forest in so many threads.  As the fit of its kind. */
int  classifier_fit(const struct learn_data *data, const struct classifier_options *options, int threads,
                    struct classifier *out, struct err *err);
void classifier_free(struct classifier *c);                 /* a zeroed one too */

/* The probability of class 1, or for an SVM the decision value: the larger the surer.  Whether it says 1. */
double classifier_value(const struct classifier *c, const double *row);
bool   classifier_says(const struct classifier *c, const double *row);

/* What classifier_says of all rows is worth. */
struct learn_scores classifier_scores(const struct classifier *c, const struct learn_data *data);

size_t             classifier_columns(const struct classifier *c);
const char *const *classifier_column_names(const struct classifier *c);     /* NULL: they have none; the classifier's */

/* Permutation importance (Breiman 2001): how much accuracy on `data` is lost when a column's values are exchanged among
 * the rows at random; mean and standard deviation (of a population) over `repeats` orders.  mean and deviation have
 * room for data->columns.  0, or -ENOMEM with err set. */
int classifier_permute(const struct classifier *c, const struct learn_data *data, uint32_t repeats, uint64_t seed,
                       double *mean, double *deviation, struct err *err);

/* The file of its kind, as its write and read; which kind a file holds is told by its member `format`. */
int classifier_write(const struct classifier *c, const char *path, struct err *err);
int classifier_read(const char *path, struct classifier *out, struct err *err);

#endif
