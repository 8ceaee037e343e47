/* regress/minimise.c -- see minimise.h.  All is in units: slopes, curvatures and steps are of the order of 1. */
#include "regress/minimise.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 200, HALVINGS = 30, ROUNDS = 5 };

static const double STEP = 1e-3, FAR = 4;                   /* of differences; the longest of one move */
/* What a move would gain, when there is nothing left to gain; and when the rest may be noise. */
static const double NOTHING = 1e-12, NOISE = 1e-6;

struct search {
    const struct minimised *f;
    double *x, *unit, value;
    double *slope, *curvature, *inverse, *move, *try, *change;
};

static double *row_of(const struct search *s, size_t i) { return s->inverse + i * s->f->count; }

static double value_beside(const struct search *s, size_t i, double step)
{
    memcpy(s->try, s->x, s->f->count * sizeof *s->try);
    s->try[i] += step * s->unit[i];
    return s->f->at(s->f->context, s->try);
}

static bool look_around(struct search *s)
{
    bool finite = isfinite(s->value);

    for (size_t i = 0; i < s->f->count && finite; i++) {
        const double up = value_beside(s, i, STEP), down = value_beside(s, i, -STEP);

        s->slope[i] = (up - down) / (2 * STEP);
        s->curvature[i] = (up - 2 * s->value + down) / (STEP * STEP);
        finite = isfinite(up) && isfinite(down);
    }
    return finite;
}

/* Units in which the curvature is about 2. */
static bool measure(struct search *s)
{
    bool finite = true;

    for (int round = 0; round < 3 && finite; round++) {
        finite = look_around(s);
        for (size_t i = 0; i < s->f->count && finite; i++) {
            const double factor = sqrt(2 / fmax(s->curvature[i], 2e-4));

            if (s->curvature[i] > 0 && (factor > 2 || factor < 0.5)) s->unit[i] *= fmin(factor, 10);
        }
    }
    return finite && look_around(s);
}

static void inverse_begin(struct search *s)
{
    const size_t n = s->f->count;

    memset(s->inverse, 0, n * n * sizeof *s->inverse);
    for (size_t i = 0; i < n; i++) row_of(s, i)[i] = 1 / fmin(fmax(s->curvature[i], 0.5), 1e4);
}

/* The move, and what it would gain, twice. */
static double choose_move(struct search *s)
{
    const size_t n = s->f->count;
    double       most = 0, gain = 0;

    for (size_t i = 0; i < n; i++) {
        s->move[i] = 0;
        for (size_t j = 0; j < n; j++) s->move[i] -= row_of(s, i)[j] * s->slope[j];
        most = fmax(most, fabs(s->move[i]));
        gain -= s->move[i] * s->slope[i];
    }
    for (size_t i = 0; i < n && most > FAR; i++) s->move[i] *= FAR / most;
    return most > FAR ? gain * FAR / most : gain;
}

static bool carry_out(struct search *s, double gain)
{
    const size_t n = s->f->count;
    double       part = 1;

    for (int i = 0; i < HALVINGS; i++, part /= 2) {
        double value;

        for (size_t k = 0; k < n; k++) s->try[k] = s->x[k] + part * s->move[k] * s->unit[k];
        value = s->f->at(s->f->context, s->try);
        if (!(value < s->value - 1e-4 * part * gain)) continue;
        for (size_t k = 0; k < n; k++) s->move[k] *= part;
        memcpy(s->x, s->try, n * sizeof *s->x);
        s->value = value;
        return true;
    }
    return false;
}

/* BFGS: change is of the slope over the move. */
static void inverse_update(struct search *s)
{
    const size_t n = s->f->count;
    double       along = 0, across = 0;
    double      *image = s->try;                            /* inverse times change */

    for (size_t i = 0; i < n; i++) {
        image[i] = 0;
        for (size_t j = 0; j < n; j++) image[i] += row_of(s, i)[j] * s->change[j];
        along += s->move[i] * s->change[i];
        across += image[i] * s->change[i];
    }
    if (!(along > 1e-10 * across)) return;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            row_of(s, i)[j] += (1 + across / along) * s->move[i] * s->move[j] / along -
                               (image[i] * s->move[j] + s->move[i] * image[j]) / along;
}

/* 1: down as far as it goes; 0: as far as one set of units and curvatures is good for. */
static int descend(struct search *s)
{
    const size_t n = s->f->count;

    inverse_begin(s);
    for (int step = 0; step < STEPS; step++) {
        const double gain = choose_move(s);

        if (gain < NOTHING) return 1;
        if (!carry_out(s, gain)) return gain < NOISE;
        memcpy(s->change, s->slope, n * sizeof *s->change);
        if (!look_around(s)) return 0;
        for (size_t i = 0; i < n; i++) s->change[i] = s->slope[i] - s->change[i];
        inverse_update(s);
    }
    return 0;
}

int minimise(const struct minimised *f, double *x, double *unit, double *value)
{
    const size_t  n = f->count;
    double       *room = calloc(n * n + 5 * n + 1, sizeof *room);
    struct search s = { .f = f, .x = x, .unit = unit, .value = f->at(f->context, x), .inverse = room };
    int           rc = -ERANGE;

    if (!room) return -ENOMEM;
    s.slope = room + n * n;
    s.curvature = s.slope + n;
    s.move = s.curvature + n;
    s.try = s.move + n;
    s.change = s.try + n;
    /* a second round begins with fresh curvatures: it ends at once where the first has ended well */
    for (int round = 0, ended = 0; round < ROUNDS && ended < 2 && measure(&s); round++)
        if (descend(&s)) rc = ++ended == 2 ? 0 : rc;
    *value = s.value;
    free(room);
    return n ? rc : 0;
}

/* The value where the i-th and j-th number are moved by so many units. */
static double value_across(const struct minimised *f, const double *x, const double *unit, size_t i, double by_i,
                           size_t j, double by_j, double *try)
{
    memcpy(try, x, f->count * sizeof *try);
    try[i] += by_i * unit[i];
    try[j] += by_j * unit[j];
    return f->at(f->context, try);
}

int minimise_curvature(const struct minimised *f, const double *x, const double *unit, double *out)
{
    const size_t n = f->count;
    const double h = 0.01;
    double      *try = malloc((n + 1) * sizeof *try), centre = f->at(f->context, x);

    if (!try) return -ENOMEM;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            const double apart = i == j ? 0 : h;
            const double up = value_across(f, x, unit, i, h, j, apart, try) +
                              value_across(f, x, unit, i, -h, j, -apart, try);
            const double across = i == j ? 2 * centre : value_across(f, x, unit, i, h, j, -h, try) +
                                                        value_across(f, x, unit, i, -h, j, h, try);

            out[i * n + j] = out[j * n + i] = (up - across) / (i == j ? h * h : 4 * h * h) / unit[i] / unit[j];
        }
    free(try);
    return 0;
}
