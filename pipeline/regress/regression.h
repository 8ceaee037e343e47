/* regress/regression.h -- how a response goes with others: least squares, logistic regression, and both with random
 * intercepts of groups.
 *
 * Responses are numbers with normal errors, or hits of trials whose chance is mu: logit(mu), or log(mu), is linear in
 * the columns.  Each grouping factor adds to the rows of a level a normal number of that level; several may be crossed
 * or nested.  Likelihoods: exact for numbers, maximal (ML) or of what is left beside the fixed part (REML), Laplace's
 * for hits.  Source: Bates, Maechler, Bolker and Walker 2015, Fitting Linear Mixed-Effects Models Using lme4, for
 * numbers; for hits the same in each step of penalised reweighted least squares.  Formulas: docs/definitions.md,
 * "Regressions". */
#ifndef LEAKGRAPH_REGRESS_REGRESSION_H
#define LEAKGRAPH_REGRESS_REGRESSION_H

#include "base/err.h"
#include "regress/penalised.h"

enum regression_link { LINK_IDENTITY, LINK_LOGIT, LINK_LOG };
extern const char *const regression_link_names[];           /* up to NULL */

/* trials: NULL: y are numbers, and the link is the identity; else y of so many, whole numbers. x: rows x columns, row
 * by row.  name [columns], term_name [terms]: for messages.  All is borrowed. */
struct regression_data {
    size_t             rows, columns, terms;
    const double      *x, *y, *trials;
    struct grouping    term[REGRESS_TERMS];
    const char *const *name, *const *term_name;
    enum regression_link link;
    bool               ml;                                  /* of numbers with groups: not REML */
};

/* p: two-sided, of estimate / error by the normal distribution; of least squares without groups by Student's t with
 * `freedom` degrees of freedom.  low, high: the 95 % interval by the same.  left_out: the columns before it make it up;
 * all numbers are NaN. */
struct coefficient { double estimate, error, statistic, p, low, high; bool left_out; };

enum regression_method { METHOD_OLS, METHOD_ML, METHOD_REML, METHOD_GLM, METHOD_LAPLACE };

struct regression {
    struct coefficient    *coefficient;                     /* [columns] */
    size_t                 columns, kept, parameters;       /* parameters: kept, variances, and the residual one */
    enum regression_method method;
    size_t                 terms;
    double                 variance[REGRESS_TERMS];         /* of each grouping factor; exactly 0 where singular */
    bool                   singular;                        /* one is 0 */
    double                 residual;                        /* variance; NaN of hits */
    double                 freedom;                         /* INFINITY: the normal distribution */
    double                 log_likelihood, aic, bic;        /* of REML: of the restricted likelihood */
};

/* 0; -EDOM with the reason in words where the data have no answer: a response that is all the same, a group with one
 * level or with as many as rows, a column that separates hits from misses, no convergence; -E2BIG where crossed groups
 * are too many; -ENOMEM.  Free accepts a zeroed struct. */
int  regression_fit(const struct regression_data *data, struct regression *out, struct err *err);
void regression_free(struct regression *r);

#endif
