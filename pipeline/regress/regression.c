/* regress/regression.c -- see regression.h: the data are put in order, fitted, and told of as they were given. */
#include "regress/regression.h"

#include "regress/minimise.h"
#include "regress/state.h"
#include "stats/distribution.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const regression_link_names[] = { "identity", "logit", "log", NULL };

/* ---- what the fits share ---- */

void regression_root(struct regression_state *s, double scale)
{
    const size_t n = s->equations.fixed;
    double      *unit = s->root;                            /* row k: a column of the root, transposed at the end */

    memset(unit, 0, n * n * sizeof *unit);
    for (size_t k = 0; k < n; k++) {
        unit[k * n + k] = scale;
        penalised_root(&s->equations, unit + k * n);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            const double swapped = unit[i * n + j];

            unit[i * n + j] = unit[j * n + i];
            unit[j * n + i] = swapped;
        }
}

void regression_begin(const struct minimised *f, double *theta, double *unit)
{
    static const double grid[] = { 0.03, 0.1, 0.3, 1, 3, 10, 100 };
    double              least;

    for (size_t t = 0; t < f->count; t++) theta[t] = 1;
    least = f->at(f->context, theta);
    for (int sweep = 0; sweep < 2; sweep++)
        for (size_t t = 0; t < f->count; t++) {
            double best = theta[t];

            for (size_t g = 0; g < sizeof grid / sizeof *grid; g++) {
                double value;

                theta[t] = grid[g];
                value = f->at(f->context, theta);
                if (!(value < least)) continue;
                least = value;
                best = grid[g];
            }
            theta[t] = best;
        }
    for (size_t t = 0; t < f->count; t++) unit[t] = 0.3 * theta[t];
}

/* The likelihood is the same for theta and -theta, so that it is level at 0: a search that ends beside it has no more
 * to gain there. */
void regression_settle(const struct minimised *f, size_t terms, double *x, double value)
{
    static const double small = 1e-2, same = 1e-7;

    for (size_t t = 0; t < terms; t++) {
        const double found = x[t] = fabs(x[t]);

        if (!(found < small)) continue;
        x[t] = 0;
        if (!(f->at(f->context, x) <= value + same)) x[t] = found;
    }
}

/* ---- the data in order ---- */

static void order_terms(struct regression_state *s)
{
    const struct regression_data *d = s->data;

    for (size_t t = 0; t < d->terms; t++) {
        size_t to = t;

        for (; to > 0 && d->term[s->term_of[to - 1]].levels < d->term[t].levels; to--)
            s->term_of[to] = s->term_of[to - 1];
        s->term_of[to] = t;
    }
}

/* order[i]: the row that stands i-th: by levels of the first term, as given within one. */
static int order_rows(const struct regression_state *s, size_t *order)
{
    const struct regression_data *d = s->data;
    const struct grouping         first = d->terms ? d->term[s->term_of[0]] : (struct grouping){ .levels = 0 };
    size_t                       *next = calloc(first.levels + 2, sizeof *next);

    if (!next) return -ENOMEM;
    for (size_t i = 0; i < d->rows && d->terms; i++) next[first.of[i] + 1]++;
    for (size_t level = 1; level < first.levels; level++) next[level] += next[level - 1];
    for (size_t i = 0; i < d->rows; i++) order[d->terms ? next[first.of[i]]++ : i] = i;
    free(next);
    return 0;
}

/* The state's own copies: of levels in *levels, of columns in *x. */
struct copies { double *x; uint32_t *levels[REGRESS_TERMS]; size_t *order; };

static int copy_rows(struct regression_state *s, struct copies *c)
{
    const struct regression_data *d = s->data;
    struct penalised             *e = &s->equations;

    for (size_t t = 0; t < d->terms; t++)
        if (!(c->levels[t] = malloc((d->rows + 1) * sizeof(uint32_t)))) return -ENOMEM;
    c->order = malloc((d->rows + 1) * sizeof *c->order);
    c->x = malloc((d->rows * d->columns + 1) * sizeof *c->x);
    s->y = malloc((d->rows + 1) * sizeof *s->y);
    s->trials = malloc((d->rows + 1) * sizeof *s->trials);
    if (!c->order || !c->x || !s->y || !s->trials || order_rows(s, c->order) < 0) return -ENOMEM;
    for (size_t i = 0; i < d->rows; i++) {
        const size_t from = c->order[i];

        memcpy(c->x + i * d->columns, d->x + from * d->columns, d->columns * sizeof *c->x);
        s->y[i] = d->y[from];
        s->trials[i] = d->trials ? d->trials[from] : 1;
        for (size_t t = 0; t < d->terms; t++) c->levels[t][i] = d->term[s->term_of[t]].of[from];
    }
    for (size_t t = 0; t < d->terms; t++)
        e->term[t] = (struct grouping){ d->term[s->term_of[t]].levels, c->levels[t] };
    return orthogonal_make(&s->columns, c->x, d->rows, d->columns);
}

static int open_equations(struct regression_state *s, struct copies *c, struct err *err)
{
    struct penalised *e = &s->equations;
    int               rc = copy_rows(s, c);

    if (rc == 0) {
        e->rows = s->data->rows;
        e->fixed = s->columns.of;
        e->terms = s->data->terms;
        e->x = c->x;
        s->beta = calloc(e->fixed + 1, sizeof *s->beta);
        s->root = calloc(e->fixed * e->fixed + 1, sizeof *s->root);
        rc = s->beta && s->root ? penalised_open(e) : -ENOMEM;
    }
    if (rc == -E2BIG)
        return err_set(err, rc, "`%s` has %zu levels, the most after the largest grouping factor: crossed with it, "
                                "more than 4,000 would take longer than some minutes",
                       s->data->term_name[s->term_of[1]], e->term[1].levels);
    return rc < 0 ? err_memory(err, s->data->rows * s->data->columns * sizeof(double), "a regression") : 0;
}

static void close_equations(struct regression_state *s, struct copies *c)
{
    penalised_close(&s->equations);
    orthogonal_free(&s->columns);
    for (size_t t = 0; t < REGRESS_TERMS; t++) free(c->levels[t]);
    free(c->order);
    free(c->x);
    free(s->y);
    free(s->trials);
    free(s->beta);
    free(s->root);
}

/* ---- data without an answer ---- */

static int check_response(const struct regression_data *d, struct err *err)
{
    double trials = 0, hits = 0;
    bool   same = true;

    for (size_t i = 0; i < d->rows; i++) {
        same &= !(d->y[i] < d->y[0] || d->y[i] > d->y[0]);
        hits += d->y[i];
        trials += d->trials ? d->trials[i] : 0;
    }
    if (d->trials && (!(hits > 0) || !(hits < trials)))
        return err_set(err, -EDOM, "%s of the %.0f trials is a hit: there is nothing to explain",
                       hits > 0 ? "each" : "none", trials);
    return d->trials || !same ? 0 : err_set(err, -EDOM, "the response is the same in all %zu rows", d->rows);
}

/* Squares of numbers have to be numbers. */
static int check_sizes(const struct regression_data *d, struct err *err)
{
    static const double most = 1e100;

    for (size_t k = 0; k <= d->columns; k++) {
        double size = 0;

        for (size_t i = 0; i < d->rows; i++) {
            const double value = fabs(k < d->columns ? d->x[i * d->columns + k] : d->y[i]);

            size = isnan(size) || value <= size ? size : value;
        }
        if (size <= most && (size >= 1 / most || size <= 0)) continue;
        return err_set(err, -EDOM, "%s%s%s has numbers as large as %g, of which there are no squares: give them in "
                                   "another unit", k < d->columns ? "`" : "", k < d->columns ? d->name[k]
                                   : "the response", k < d->columns ? "`" : "", size);
    }
    return 0;
}

static int check_groups(const struct regression_data *d, struct err *err)
{
    bool single = true;

    for (size_t i = 0; i < d->rows && d->trials; i++) single &= d->trials[i] <= 1;
    for (size_t t = 0; t < d->terms; t++) {
        if (d->term[t].levels < 2)
            return err_set(err, -EDOM, "`%s` is the same in all rows: a grouping factor needs two levels, and rather "
                                       "many", d->term_name[t]);
        if (d->term[t].levels >= d->rows && single)
            return err_set(err, -EDOM, "`%s` is another in each row: what is of the group cannot be told from what is "
                                       "of the row", d->term_name[t]);
    }
    return 0;
}

/* ---- what is told ---- */

static int tell_coefficients(struct regression_state *s, struct regression *out)
{
    const size_t n = s->equations.fixed;
    const double free_rows = out->freedom;
    /* half a 95 % interval, in errors */
    const double wide = isfinite(free_rows) ? student_quantile(0.05, free_rows) : NORMAL_95;
    double      *vector = malloc((n + 1) * sizeof *vector);

    if (!vector) return -ENOMEM;
    orthogonal_undo(&s->columns, s->beta);
    for (size_t k = 0; k < n; k++) out->coefficient[s->columns.column[k]].error = 0;
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < n; i++) vector[i] = s->root[i * n + j];
        orthogonal_undo(&s->columns, vector);
        for (size_t i = 0; i < n; i++) out->coefficient[s->columns.column[i]].error += vector[i] * vector[i];
    }
    free(vector);
    for (size_t k = 0; k < n; k++) {
        struct coefficient *c = &out->coefficient[s->columns.column[k]];

        c->left_out = false;
        c->estimate = s->beta[k];
        c->error = sqrt(c->error);
        c->statistic = c->estimate / c->error;
        c->p = isfinite(free_rows) ? student_beyond(c->statistic, free_rows) : 2 * normal_above(fabs(c->statistic));
        c->low = c->estimate - wide * c->error;
        c->high = c->estimate + wide * c->error;
    }
    return 0;
}

static int tell(struct regression_state *s, struct regression *out)
{
    const struct regression_data *d = s->data;
    const double                  rows = (double)d->rows;

    out->kept = s->equations.fixed;
    out->terms = d->terms;
    out->method = d->trials ? d->terms ? METHOD_LAPLACE : METHOD_GLM
        : !d->terms ? METHOD_OLS : d->ml ? METHOD_ML : METHOD_REML;
    out->freedom = out->method == METHOD_OLS ? rows - (double)out->kept : INFINITY;
    out->residual = d->trials ? NAN : s->residual;
    for (size_t t = 0; t < d->terms; t++) {
        out->variance[s->term_of[t]] = s->theta[t] * s->theta[t] * (d->trials ? 1 : s->residual);
        out->singular |= s->theta[t] <= 0;
    }
    out->parameters = out->kept + out->terms + (d->trials ? 0 : 1);
    out->log_likelihood = s->log_likelihood;
    out->aic = -2 * s->log_likelihood + 2 * (double)out->parameters;
    out->bic = -2 * s->log_likelihood + log(rows) * (double)out->parameters;
    return tell_coefficients(s, out);
}

int regression_fit(const struct regression_data *data, struct regression *out, struct err *err)
{
    struct regression_state s = { .data = data };
    struct copies           c = { .x = NULL };
    int                     rc;

    *out = (struct regression){ .columns = data->columns,
                                .coefficient = malloc((data->columns + 1) * sizeof *out->coefficient) };
    if (!out->coefficient) return err_memory(err, data->columns * sizeof *out->coefficient, "coefficients");
    for (size_t i = 0; i < data->columns; i++)
        out->coefficient[i] = (struct coefficient){ NAN, NAN, NAN, NAN, NAN, NAN, true };
    rc = check_sizes(data, err);
    if (rc == 0) rc = check_response(data, err);
    if (rc == 0) rc = check_groups(data, err);
    order_terms(&s);
    if (rc == 0) rc = open_equations(&s, &c, err);
    if (rc == 0 && s.equations.fixed >= data->rows && !data->trials)
        rc = err_set(err, -EDOM, "%zu rows are too few for %zu columns", data->rows, data->columns);
    if (rc == 0) rc = data->trials ? regression_fit_hits(&s, err) : regression_fit_numbers(&s, err);
    if (rc == 0 && tell(&s, out) < 0) rc = err_memory(err, data->columns * sizeof(double), "coefficients");
    for (size_t i = 0; i < data->columns && rc == 0; i++)
        if (!out->coefficient[i].left_out && !(isfinite(out->coefficient[i].error) && out->coefficient[i].error > 0))
            rc = err_set(err, -EDOM, "`%s` has no error that is a number: the data do not tell its coefficient",
                         data->name[i]);
    close_equations(&s, &c);
    return rc;
}

void regression_free(struct regression *r)
{
    free(r->coefficient);
    *r = (struct regression){ .columns = 0 };
}
