/* regress/numbers.c -- linear mixed models: the likelihood is a function of the groups' standard deviations alone, all
 * else follows from them (Bates et al. 2015, section 3.4). */
#include "regress/minimise.h"
#include "regress/state.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double THETA_MOST = 1e4;                       /* no more is left than rounding */

struct numbers {
    struct regression_state *s;
    double *vector, *fitted;                                /* [unknowns], [rows] */
    double  left;                                           /* squares of residuals and of u, as evaluated last */
};

/* Twice the negative log-likelihood, but for log |R|. */
static double deviance(void *context, const double *theta)
{
    struct numbers   *n = context;
    struct penalised *e = &n->s->equations;
    const bool        reml = !n->s->data->ml && e->terms;
    const double      freedom = (double)(e->rows - (reml ? e->fixed : 0));

    penalised_choose(e, theta, true);
    if (!penalised_factor(e, NULL)) return INFINITY;
    penalised_gather(e, n->s->y, n->vector);
    penalised_solve(e, n->vector);
    penalised_spread(e, n->vector, n->fitted);
    n->left = 0;
    for (size_t i = 0; i < e->rows; i++) n->left += (n->s->y[i] - n->fitted[i]) * (n->s->y[i] - n->fitted[i]);
    for (size_t i = 0; i < e->offset[e->terms]; i++) n->left += n->vector[i] * n->vector[i];
    if (!(n->left > 0)) return INFINITY;
    return e->log_groups + (reml ? e->log_fixed : 0) + freedom * (1 + log(2 * acos(-1) * n->left / freedom));
}

static int choose_theta(struct numbers *n, struct err *err)
{
    const size_t     terms = n->s->equations.terms;
    struct minimised f = { deviance, n, terms };
    double           unit[REGRESS_TERMS], value;
    int              rc;

    regression_begin(&f, n->s->theta, unit);
    rc = minimise(&f, n->s->theta, unit, &value);
    if (rc == -ENOMEM) return err_memory(err, terms, "a regression");
    for (size_t t = 0; t < terms; t++)
        if (fabs(n->s->theta[t]) > THETA_MOST)
            return err_set(err, -EDOM, "rows of the same `%s` differ by nothing but the columns: no residual is left "
                                       "to compare the groups with", n->s->data->term_name[n->s->term_of[t]]);
    if (rc < 0) return err_set(err, -EDOM, "the variances of the groups did not converge");
    regression_settle(&f, terms, n->s->theta, value);
    return 0;
}

/* The response beside what the columns say of it: then the equations lose no digits to its mean. */
static int take_out_columns(struct regression_state *s, double *share, struct err *err)
{
    struct penalised *e = &s->equations;
    double            all = 0, left = 0;

    for (size_t i = 0; i < e->rows; i++) all += s->y[i] * s->y[i];
    for (int again = 0; again < 2; again++)
        for (size_t k = 0; k < e->fixed; k++) {
            double sum = 0;

            for (size_t i = 0; i < e->rows; i++) sum += s->y[i] * e->x[i * e->fixed + k];
            for (size_t i = 0; i < e->rows; i++) s->y[i] -= sum * e->x[i * e->fixed + k];
            share[k] += sum;
        }
    for (size_t i = 0; i < e->rows; i++) left += s->y[i] * s->y[i];
    return left > all * 1e-20 ? 0
        : err_set(err, -EDOM, "the columns say the response to its last digit: there is no residual, and no error to "
                              "tell");
}

static int fit(struct numbers *n, struct err *err)
{
    struct regression_state *s = n->s;
    struct penalised        *e = &s->equations;
    const double             free = (double)(e->rows - e->fixed);
    const bool               restricted = e->terms == 0 || !s->data->ml;
    double                   value;
    int                      rc = take_out_columns(s, s->beta, err);

    if (rc == 0 && e->terms) rc = choose_theta(n, err);
    if (rc < 0) return rc;
    value = deviance(n, s->theta) + (e->terms && !s->data->ml ? 2 * orthogonal_log(&s->columns) : 0);
    s->log_likelihood = -value / 2;
    s->residual = n->left / (restricted ? free : (double)e->rows);
    for (size_t k = 0; k < e->fixed; k++) s->beta[k] += n->vector[e->offset[e->terms] + k];
    regression_root(s, sqrt(s->residual));
    return 0;
}

int regression_fit_numbers(struct regression_state *s, struct err *err)
{
    struct numbers n = { .s = s, .vector = malloc((penalised_unknowns(&s->equations) + 1) * sizeof(double)),
                         .fitted = malloc((s->equations.rows + 1) * sizeof(double)) };
    int            rc = n.vector && n.fitted ? 0 : err_memory(err, s->equations.rows * sizeof(double), "a regression");

    if (rc == 0) rc = fit(&n, err);
    free(n.vector);
    free(n.fitted);
    return rc;
}
