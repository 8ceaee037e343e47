/* learn/svm.h -- support vector machines: C-SVC with linear and Gaussian kernel, learned by libsvm.
 *
 * A row's decision value is the sum of coefficient * K(vector, row) over the support vectors, minus rho; class 1 is
 * said where it is above 0.  K is x.y, or exp(-gamma |x - y|^2).  Values are added in libsvm's order, so they are its
 * numbers.  Columns are taken as they are: what should count alike is to be brought to one scale before.  Source:
 * Chang, Lin, LIBSVM, ACM TIST 2, 2011. */
#ifndef LEAKGRAPH_LEARN_SVM_H
#define LEAKGRAPH_LEARN_SVM_H

#include "learn/data.h"

#include <stdbool.h>

enum svm_kernel { SVM_LINEAR, SVM_RBF };

struct svm_options {
    enum svm_kernel kernel;
    double          cost;                                   /* C, above 0 */
    double          gamma;                                  /* of SVM_RBF; 0: 1 / columns, as libsvm */
    double          tolerance;                              /* where the optimizer stops, above 0 */
};

#define SVM_DEFAULTS ((struct svm_options){ .kernel = SVM_RBF, .cost = 1, .tolerance = 0.001 })

struct svm {
    struct svm_options options;                             /* gamma as it was used */
    size_t             columns, vectors;
    char             **name;                                /* columns, or NULL */
    double            *vector, *coefficient, rho;           /* vectors * columns; vectors */
};

bool svm_available(void);                                   /* whether the program was built with libsvm */

/* Learns; needs rows of both classes.  0, or <0 with err set (-EINVAL: data or options that cannot be; -ENOSYS: built
 * without libsvm); then *out is empty. */
int  svm_fit(const struct learn_data *data, const struct svm_options *options, struct svm *out, struct err *err);
void svm_free(struct svm *s);

double svm_decision(const struct svm *s, const double *row);

/* A file of JSON; as forest_write and forest_read.  Read also without libsvm. */
#define SVM_FORMAT "leakgraph support vectors"
int svm_write(const struct svm *s, const char *path, struct err *err);
int svm_read(const char *path, struct svm *out, struct err *err);

#endif
