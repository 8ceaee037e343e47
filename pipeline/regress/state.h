/* regress/state.h -- for the files of this room: the data as the fits want them, and what they find. */
#ifndef LEAKGRAPH_REGRESS_STATE_H
#define LEAKGRAPH_REGRESS_STATE_H

#include "regress/orthogonal.h"
#include "regress/regression.h"

/* Rows in the order of the groups of the first of equations.term, columns orthonormal. */
struct regression_state {
    const struct regression_data *data;
    struct orthogonal             columns;
    struct penalised              equations;
    size_t                        term_of[REGRESS_TERMS];   /* data->term of each of the equations' */
    double                       *y, *trials;
    double                        theta[REGRESS_TERMS];     /* standard deviations; those of numbers by the residual
                                                             * one's */
    double                       *beta, *root;              /* of the orthonormal columns [fixed]; their covariance is
                                                             * root root' [fixed * fixed] */
    double                        log_likelihood, residual;
};

/* Each fills theta, beta, root, log_likelihood and residual.  As regression_fit. */
int regression_fit_numbers(struct regression_state *s, struct err *err);
int regression_fit_hits(struct regression_state *s, struct err *err);

/* The root of the inverse of what the equations, as factored last, have left for the fixed part, times `scale`. */
void regression_root(struct regression_state *s, double scale);

/* theta [terms], where to begin: the best of a grid, one number after the other.  The value's context is f's. */
struct minimised;
void regression_begin(const struct minimised *f, double *theta, double *unit);

/* Those of the first `terms` numbers of x that might as well be 0 become 0. */
void regression_settle(const struct minimised *f, size_t terms, double *x, double value);

#endif
