/* regress/hits.c -- logistic regression and its like, with groups by Laplace's approximation.
 *
 * The mode of u for given theta and b is found by penalised reweighted least squares; Laplace's likelihood is then
 * minimised over theta and b together, from where b and u were taken together (Bates et al. 2015 have this for numbers;
 * lme4's nAGQ = 1 is the same likelihood).  The determinant has the expected weights of Fisher's scoring: for the logit
 * these are the observed ones, for the log link they are what others take, too.  Errors come from the curvature of the
 * likelihood in theta and b. */
#include "regress/minimise.h"
#include "regress/state.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 500, HALVINGS = 40 };

/* What the last step has gained, when it was the last: Newton's square what is left, Fisher's scoring does not.  Where
 * there is no end to come to, as where a column separates hits from misses, the first is met while there are digits. */
static const double SETTLED_NEWTON = 1e-10, SETTLED_SCORING = 1e-16;
/* Variance of a number that has no end, of one trial a row.  The search ends where what is left to gain is fewer hits
 * than a millionth, so that with any number of trials it is above 1e5; of sound data, whose rates may be as small as
 * they like, it is one over the expected hits. */
static const double SEPARATED = 1e8, SEPARATED_TRIALS = 1e3;
static const double CERTAIN = 1e-7;                         /* of a chance that the log link has let come to 1 */

struct hits {
    struct regression_state *s;
    enum regression_link     link;
    double *base, *eta, *tried;                             /* [rows]: of given b; all; of a step */
    double *score, *expected, *observed;                    /* derivatives of the log-likelihood by eta */
    double *mode, *step, *moved;                            /* [unknowns] */
    double *beta;                                           /* [fixed] of the second search */
    double *point, *scale;                                  /* [terms + fixed] */
    double  constant;                                       /* log p of the shares, and of orders of hits */
    double  value;                                          /* of the mode: -2 log p + |u|^2, less that of the shares */
};

/* ---- rows ---- */

/* count log(count / expected) + expected - count, where trials * chance are expected: next to nothing where both are
 * nearly the same, and told to its last digits there (Loader 2000). */
static double apart(double count, double trials, double chance, double log_chance)
{
    const double expected = trials * chance, off = count - expected, v = off / (count + expected);
    double       sum = off * v, part = 2 * count * v, before;

    if (!(fabs(off) < 0.1 * (count + expected)))
        return expected - count + (count > 0 ? count * (log(count / trials) - log_chance) : 0);
    for (int j = 3;; j += 2) {
        part *= v * v;
        before = sum;
        sum += part / j;
        if (!(sum > before || sum < before)) return sum;
    }
}

/* The log-likelihood of the shares themselves less that of chances that eta says. */
static double row_apart(enum regression_link link, double eta, double hits, double trials)
{
    if (link == LINK_LOGIT)
        return apart(hits, trials, 1 / (1 + exp(-eta)), eta > 0 ? -log1p(exp(-eta)) : eta - log1p(exp(eta))) +
               apart(trials - hits, trials, 1 / (1 + exp(eta)), eta > 0 ? -eta - log1p(exp(-eta)) : -log1p(exp(eta)));
    if (!(eta < 0)) return INFINITY;
    return apart(hits, trials, exp(eta), eta) + apart(trials - hits, trials, -expm1(eta), log(-expm1(eta)));
}

/* -2 log p of numbers eta, less that of the shares: of many trials it has digits that log p has not. */
static double badness(const struct hits *h, const double *eta)
{
    double sum = 0;

    for (size_t i = 0; i < h->s->equations.rows; i++)
        sum += 2 * row_apart(h->link, eta[i], h->s->y[i], h->s->trials[i]);
    return sum;
}

static void derive(struct hits *h)
{
    for (size_t i = 0; i < h->s->equations.rows; i++) {
        const double hits = h->s->y[i], trials = h->s->trials[i], eta = h->eta[i];

        if (h->link == LINK_LOGIT) {
            const double chance = 1 / (1 + exp(-eta));

            h->score[i] = hits - trials * chance;
            h->expected[i] = h->observed[i] = trials * chance / (1 + exp(eta));
        } else {
            const double odds = 1 / expm1(-eta);            /* mu / (1 - mu) */

            h->score[i] = hits - (trials - hits) * odds;
            h->expected[i] = trials * odds;
            h->observed[i] = (trials - hits) * odds * (1 + odds);
        }
    }
}

/* ---- the mode ---- */

static double size_of_u(const struct hits *h, const double *vector)
{
    double sum = 0;

    for (size_t i = 0; i < h->s->equations.offset[h->s->equations.terms]; i++) sum += vector[i] * vector[i];
    return sum;
}

static double value_at(struct hits *h, const double *vector, double *eta)
{
    penalised_spread(&h->s->equations, vector, eta);
    for (size_t i = 0; i < h->s->equations.rows; i++) eta[i] += h->base[i];
    return badness(h, eta) + size_of_u(h, vector);
}

/* Moves the mode a step, or a part of it that leads down; what the whole would gain, <0: nowhere. */
static double move(struct hits *h, const double *weight)
{
    struct penalised *e = &h->s->equations;
    const size_t      count = e->offset[e->terms] + (e->with_fixed ? e->fixed : 0);
    double            gain = 0, part = 1;

    derive(h);
    if (!penalised_factor(e, weight)) return -1;
    penalised_gather(e, h->score, h->step);
    for (size_t i = 0; i < e->offset[e->terms]; i++) h->step[i] -= h->mode[i];
    memcpy(h->moved, h->step, count * sizeof *h->moved);
    penalised_solve(e, h->step);
    for (size_t i = 0; i < count; i++) gain += h->moved[i] * h->step[i];
    if (!isfinite(gain)) return -1;
    for (int i = 0; i < HALVINGS; i++, part /= 2) {
        double value;

        for (size_t k = 0; k < count; k++) h->moved[k] = h->mode[k] + part * h->step[k];
        value = value_at(h, h->moved, h->tried);
        /* a gain below the last digits of the value is taken on trust */
        if (!(value <= h->value || (gain < 1e-8 && value < h->value + 1e-8))) continue;
        memcpy(h->mode, h->moved, count * sizeof *h->mode);
        memcpy(h->eta, h->tried, e->rows * sizeof *h->eta);
        h->value = value;
        return gain;
    }
    return gain < 1e-6 ? 0 : -1;
}

/* With b among the unknowns (joint), or in h->base.  Begins at the last mode, or at u = 0 where there is no value.
 * False: there is no mode. */
static bool find_mode(struct hits *h, const double *theta, bool joint)
{
    struct penalised *e = &h->s->equations;
    const bool        newton = h->link == LINK_LOGIT || !joint;
    const double      settled = newton ? SETTLED_NEWTON : SETTLED_SCORING;
    double            gain = 1;

    penalised_choose(e, theta, joint);
    h->value = value_at(h, h->mode, h->eta);
    if (!isfinite(h->value)) {
        memset(h->mode, 0, e->offset[e->terms] * sizeof *h->mode);
        h->value = value_at(h, h->mode, h->eta);
    }
    if (!isfinite(h->value)) return false;
    for (int round = 0; round < ROUNDS && gain > settled; round++) {
        /* without a penalty observed weights may be 0 */
        gain = move(h, newton ? h->observed : h->expected);
        if (gain < 0) return false;
    }
    derive(h);
    return gain <= settled && penalised_factor(e, h->expected);
}

/* ---- the searches ---- */

static double joint_deviance(void *context, const double *theta)
{
    struct hits *h = context;

    memset(h->base, 0, h->s->equations.rows * sizeof *h->base);
    return find_mode(h, theta, true) ? h->value + h->s->equations.log_groups : INFINITY;
}

/* point: theta, then b in units of its root as the first search has left it. */
static double laplace_deviance(void *context, const double *point)
{
    struct hits            *h = context;
    const struct penalised *e = &h->s->equations;
    double                 *beta = h->step;                 /* which the search for the mode has no use for before */

    for (size_t k = 0; k < e->fixed; k++) {
        beta[k] = h->beta[k];
        for (size_t j = k; j < e->fixed; j++) beta[k] += h->s->root[k * e->fixed + j] * point[e->terms + j];
    }
    for (size_t i = 0; i < e->rows; i++) {
        const double *x = e->x + i * e->fixed;

        h->base[i] = 0;
        for (size_t k = 0; k < e->fixed; k++) h->base[i] += x[k] * beta[k];
    }
    return find_mode(h, point, false) ? h->value + e->log_groups : INFINITY;
}

static int none_found(const struct hits *h, struct err *err)
{
    return err_set(err, -EDOM, "the search for the coefficients did not converge%s",
                   h->link == LINK_LOG ? "; with the log link a chance may have come to 1: --link logit has no such end"
                                       : "");
}

/* ---- without groups ---- */

/* The log link begins at the share of hits, which some combination of the columns has to say. */
static int begin(struct hits *h, struct err *err)
{
    const struct penalised *e = &h->s->equations;
    double                 *b = h->mode + e->offset[e->terms], hits = 0, trials = 0, off = 0, level;

    if (h->link == LINK_LOGIT) return 0;
    for (size_t i = 0; i < e->rows; i++) {
        hits += h->s->y[i];
        trials += h->s->trials[i];
    }
    level = log(hits / trials);
    for (size_t k = 0; k < e->fixed; k++)
        for (size_t i = 0; i < e->rows; i++) b[k] += level * e->x[i * e->fixed + k];
    for (size_t i = 0; i < e->rows; i++) {
        double sum = -level;

        for (size_t k = 0; k < e->fixed; k++) sum += b[k] * e->x[i * e->fixed + k];
        off = fmax(off, fabs(sum));
    }
    return off < -1e-6 * level ? 0
        : err_set(err, -EDOM, "the log link needs an intercept, or texts of which every row has one");
}

static bool reaches_one(const struct hits *h)
{
    bool reached = false;

    for (size_t i = 0; i < h->s->equations.rows; i++) reached |= h->eta[i] > -CERTAIN;
    return reached && h->link == LINK_LOG;
}

static double range_of(const struct regression_data *d, size_t column)
{
    double least = INFINITY, most = -INFINITY;

    for (size_t i = 0; i < d->rows; i++) {
        least = fmin(least, d->x[i * d->columns + column]);
        most = fmax(most, d->x[i * d->columns + column]);
    }
    return most - least;
}

/* Of the columns whose variance (of beta) is near the largest the one that moves the odds most: all are without end
 * where hits and misses are wholly apart.  The intercept moves none. */
static size_t separating(struct hits *h, double most)
{
    const struct penalised *e = &h->s->equations;
    double                 *b = h->step, farthest = -1;
    size_t                  of = 0;

    memcpy(b, h->mode + e->offset[e->terms], e->fixed * sizeof *b);
    orthogonal_undo(&h->s->columns, b);
    for (size_t k = 0; k < e->fixed; k++) {
        const double moves = fabs(b[k]) * range_of(h->s->data, h->s->columns.column[k]);

        if (h->beta[k] < most * 1e-4 || moves <= farthest) continue;
        farthest = moves;
        of = k;
    }
    return of;
}

/* Has a coefficient's variance no end? */
static int check_separation(struct hits *h, struct err *err)
{
    const struct penalised *e = &h->s->equations;
    double                  most = 0, trials = 0, *vector = h->step;

    regression_root(h->s, 1);
    memset(h->beta, 0, e->fixed * sizeof *h->beta);
    for (size_t i = 0; i < e->rows; i++) trials += h->s->trials[i] / (double)e->rows;
    trials = fmin(trials, SEPARATED_TRIALS);
    for (size_t j = 0; j < e->fixed; j++) {
        for (size_t i = 0; i < e->fixed; i++) vector[i] = h->s->root[i * e->fixed + j];
        orthogonal_undo(&h->s->columns, vector);
        for (size_t i = 0; i < e->fixed; i++) {
            const double size = vector[i] * h->s->columns.r[i * e->fixed + i];

            h->beta[i] += size * size * trials;
        }
    }
    for (size_t i = 0; i < e->fixed; i++) most = fmax(most, h->beta[i]);
    return most < SEPARATED ? 0
        : err_set(err, -EDOM, "`%s` separates hits from misses, alone or with other columns: the likelihood "
                              "grows without end, and there is no estimate.  Leave it out, or join its rare texts",
                  h->s->data->name[h->s->columns.column[separating(h, most)]]);
}

static int fit_plain(struct hits *h, struct err *err)
{
    const double none[REGRESS_TERMS] = { 0 };
    double       value;
    int          rc = begin(h, err);

    if (rc < 0) return rc;
    value = joint_deviance(h, none);
    if (reaches_one(h))
        return err_set(err, -EDOM, "with the log link a chance comes to 1, where it ends: it does not hold for these "
                                   "data; --link logit does");
    if (!isfinite(value)) return none_found(h, err);
    return check_separation(h, err);
}

/* ---- with groups ---- */

/* Both searches: theta with b and u together, then theta and b. */
static int search(struct hits *h, double *value, struct err *err)
{
    const struct penalised *e = &h->s->equations;
    struct minimised        rough = { joint_deviance, h, e->terms },
                            fine = { laplace_deviance, h, e->terms + e->fixed };
    int                     rc;

    regression_begin(&rough, h->point, h->scale);
    if (minimise(&rough, h->point, h->scale, value) == -ENOMEM) return err_memory(err, e->rows, "a regression");
    for (size_t t = 0; t < e->terms; t++) h->point[t] = fmax(fabs(h->point[t]), 1e-2);
    if (!isfinite(joint_deviance(h, h->point))) return none_found(h, err);
    memcpy(h->beta, h->mode + e->offset[e->terms], e->fixed * sizeof *h->beta);
    regression_root(h->s, 1);
    for (size_t k = 0; k < e->fixed; k++) {
        h->point[e->terms + k] = 0;
        h->scale[e->terms + k] = 1;
    }
    rc = minimise(&fine, h->point, h->scale, value);
    if (rc == -ENOMEM) return err_memory(err, e->rows, "a regression");
    if (rc < 0) return none_found(h, err);
    regression_settle(&fine, e->terms, h->point, *value);
    *value = laplace_deviance(h, h->point);
    return 0;
}

/* The root of b's part of the inverse curvature, `of` numbers of which the last are b's: with L L' the curvature these
 * are the last rows of L'^-1, as no number before them comes into them. */
static int root_of_curvature(struct hits *h, const double *curvature, size_t of, struct err *err)
{
    const size_t    fixed = h->s->equations.fixed, before = of - fixed;
    struct envelope e;
    double         *part = calloc(of * of + of + 1, sizeof *part);
    size_t         *first = calloc(of + 1, sizeof *first);
    int             rc = part && first ? envelope_open(&e, of, first) : -ENOMEM;

    free(first);
    if (rc < 0) {
        free(part);
        return err_memory(err, of * of * sizeof *part, "curvatures");
    }
    for (size_t i = 0; i < of; i++)
        for (size_t j = 0; j <= i; j++) *envelope_at(&e, i, j) = curvature[i * of + j] / 2;
    if (!envelope_factor(&e, of))
        rc = err_set(err, -EDOM, "the likelihood has no peak where the search ended: the data do not tell all of these "
                                 "coefficients and variances");
    for (size_t k = 0; k < fixed && rc == 0; k++) {
        double *unit = part + k * of;                       /* column k of the root, in units of the first search */

        unit[before + k] = 1;
        envelope_back(&e, of, unit);
    }
    for (size_t i = 0; i < fixed && rc == 0; i++)
        for (size_t k = 0; k < fixed; k++) {
            double sum = 0;

            for (size_t j = i; j < fixed; j++) sum += h->s->root[i * fixed + j] * part[k * of + before + j];
            part[of * of + k] = sum;
            if (k + 1 == fixed) memcpy(h->s->root + i * fixed, part + of * of, fixed * sizeof *part);
        }
    envelope_close(&e);
    free(part);
    return rc;
}

/* Of numbers that are 0 the likelihood is level, whatever the others are: they are left out. */
struct without { struct hits *h; size_t count; size_t place[REGRESS_TERMS]; double *full; };

static double deviance_without(void *context, const double *point)
{
    struct without *w = context;
    const size_t    terms = w->h->s->equations.terms, fixed = w->h->s->equations.fixed;

    for (size_t t = 0; t < terms; t++) w->full[t] = 0;
    for (size_t i = 0; i < w->count; i++) w->full[w->place[i]] = point[i];
    memcpy(w->full + terms, point + w->count, fixed * sizeof *w->full);
    return laplace_deviance(w->h, w->full);
}

static int errors_of(struct hits *h, struct err *err)
{
    const struct penalised *e = &h->s->equations;
    const size_t            most = e->terms + e->fixed;
    double                 *room = calloc(most * most + 3 * most + 1, sizeof *room);
    struct without          w = { .h = h, .full = room };
    double                 *at = room + most, *unit = at + most, *curvature = unit + most;
    struct minimised        f = { deviance_without, &w, 0 };
    int                     rc = room ? 0 : -ENOMEM;

    for (size_t t = 0; t < e->terms && rc == 0; t++)
        if (h->point[t] > 0) {
            at[w.count] = h->point[t];
            /* beside 0 the likelihood is level in the middle, and steep around it */
            unit[w.count] = fmin(h->scale[t], 10 * h->point[t]);
            w.place[w.count++] = t;
        }
    if (rc == 0) {
        memcpy(at + w.count, h->point + e->terms, e->fixed * sizeof *at);
        memcpy(unit + w.count, h->scale + e->terms, e->fixed * sizeof *unit);
        f.count = w.count + e->fixed;
        rc = minimise_curvature(&f, at, unit, curvature);
    }
    rc = rc < 0 ? err_memory(err, most * most * sizeof *room, "curvatures")
        : root_of_curvature(h, curvature, f.count, err);
    free(room);
    return rc;
}

static int fit_groups(struct hits *h, double *value, struct err *err)
{
    struct regression_state *s = h->s;
    const struct penalised  *e = &s->equations;
    int                      rc = search(h, value, err);

    if (rc < 0) return rc;
    for (size_t t = 0; t < e->terms; t++) s->theta[t] = h->point[t];
    for (size_t k = 0; k < e->fixed; k++) {
        s->beta[k] = h->beta[k];
        for (size_t j = k; j < e->fixed; j++) s->beta[k] += s->root[k * e->fixed + j] * h->point[e->terms + j];
    }
    return errors_of(h, err);
}

/* ---- all ---- */

static int open_hits(struct hits *h, double **room)
{
    const struct penalised *e = &h->s->equations;
    const size_t            unknowns = penalised_unknowns(e), most = e->terms + e->fixed;
    double                 *at = *room = calloc(6 * e->rows + 3 * unknowns + e->fixed + 2 * most + 1, sizeof *at);
    double                **rows[] = { &h->base, &h->eta, &h->tried, &h->score, &h->expected, &h->observed },
                          **others[] = { &h->mode, &h->step, &h->moved };

    if (!at) return -ENOMEM;
    for (size_t i = 0; i < 6; i++, at += e->rows) *rows[i] = at;
    for (size_t i = 0; i < 3; i++, at += unknowns) *others[i] = at;
    h->beta = at;
    h->point = h->beta + e->fixed;
    h->scale = h->point + most;
    for (size_t i = 0; i < e->rows; i++) {
        const double hits = h->s->y[i], trials = h->s->trials[i], misses = trials - hits;

        h->constant += lgamma(trials + 1) - lgamma(hits + 1) - lgamma(misses + 1);
        if (hits > 0 && misses > 0) h->constant += hits * log(hits / trials) + misses * log(misses / trials);
    }
    return 0;
}

int regression_fit_hits(struct regression_state *s, struct err *err)
{
    struct hits h = { .s = s, .link = s->data->link };
    double     *room, value = 0;
    int         rc = open_hits(&h, &room) < 0 ? err_memory(err, s->equations.rows * sizeof *room, "a regression")
                                              : fit_plain(&h, err);

    if (rc == 0 && s->equations.terms) rc = fit_groups(&h, &value, err);
    else if (rc == 0) {
        value = h.value;
        memcpy(s->beta, h.mode, s->equations.fixed * sizeof *s->beta);
    }
    s->log_likelihood = h.constant - value / 2;
    free(room);
    return rc;
}
