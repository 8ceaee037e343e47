/* regress/penalised.c -- see penalised.h. */
#include "regress/penalised.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t penalised_unknowns(const struct penalised *p) { return p->offset[p->terms] + p->fixed; }

static size_t first_levels(const struct penalised *p) { return p->terms ? p->term[0].levels : 0; }

/* Of the rest: levels of the other terms, before the fixed ones. */
static size_t other_levels(const struct penalised *p) { return p->offset[p->terms] - first_levels(p); }

/* Where in the rest a row's level of term t >= 1 is. */
static size_t place_of(const struct penalised *p, size_t t, size_t row)
{
    return p->offset[t] - p->term[0].levels + p->term[t].of[row];
}

/* ---- the shape ---- */

/* The levels of the rest that meet in one level of the first term fill the triangle between them. */
static void first_columns(const struct penalised *p, size_t *first)
{
    const size_t others = other_levels(p);

    for (size_t i = 0; i < others; i++) first[i] = i;
    for (size_t i = 0; i < p->fixed; i++) first[others + i] = 0;
    for (size_t block = 0; block < p->blocks; block++) {
        size_t least = others;

        for (size_t row = p->begin[block]; row < p->begin[block + 1]; row++)
            for (size_t t = 1; t < p->terms; t++) least = place_of(p, t, row) < least ? place_of(p, t, row) : least;
        for (size_t row = p->begin[block]; row < p->begin[block + 1]; row++)
            for (size_t t = 1; t < p->terms; t++) {
                size_t *at = &first[place_of(p, t, row)];

                *at = least < *at ? least : *at;
            }
    }
}

static void begin_blocks(struct penalised *p)
{
    p->begin[0] = 0;
    for (size_t row = 1, block = 0; row < p->rows && p->terms; row++)
        if (p->term[0].of[row] != p->term[0].of[row - 1]) p->begin[++block] = row;
    p->begin[p->blocks] = p->rows;
}

int penalised_open(struct penalised *p)
{
    size_t rest, *first;
    int    rc = -ENOMEM;

    p->offset[0] = 0;
    for (size_t t = 0; t < p->terms; t++) p->offset[t + 1] = p->offset[t] + p->term[t].levels;
    p->blocks = p->terms ? p->term[0].levels : 1;
    rest = other_levels(p) + p->fixed;
    p->begin = malloc((p->blocks + 1) * sizeof *p->begin);
    p->diagonal = malloc((p->blocks + 1) * sizeof *p->diagonal);
    p->coupling = calloc(rest + 1, sizeof *p->coupling);
    p->touched = malloc((rest + 1) * sizeof *p->touched);
    p->met = calloc(rest + 1, sizeof *p->met);
    first = malloc((rest + 1) * sizeof *first);
    if (p->begin && p->diagonal && p->coupling && p->touched && p->met && first) {
        begin_blocks(p);
        first_columns(p, first);
        rc = envelope_open(&p->rest, rest, first);
    }
    free(first);
    if (rc < 0) penalised_close(p);
    return rc;
}

void penalised_close(struct penalised *p)
{
    free(p->begin);
    free(p->diagonal);
    free(p->coupling);
    free(p->touched);
    free(p->met);
    envelope_close(&p->rest);
    p->begin = p->touched = NULL;
    p->diagonal = p->coupling = NULL;
    p->met = NULL;
}

/* ---- the factor ---- */

static void add_between(const struct penalised *p, size_t a, size_t b, double value)
{
    *envelope_at(&p->rest, a > b ? a : b, a > b ? b : a) += value;
}

/* A row's products with itself, to the rest. */
static void add_row(const struct penalised *p, size_t row, double weight)
{
    const double *x = p->x + row * p->fixed;
    const size_t  others = other_levels(p);

    for (size_t t = 1; t < p->terms; t++)
        for (size_t s = 1; s <= t; s++)
            add_between(p, place_of(p, t, row), place_of(p, s, row), weight * p->theta[t] * p->theta[s]);
    for (size_t i = 0; i < p->fixed && p->with_fixed; i++) {
        double *at = envelope_at(&p->rest, others + i, 0);

        for (size_t t = 1; t < p->terms; t++) at[place_of(p, t, row)] += weight * p->theta[t] * x[i];
        for (size_t j = 0; j <= i; j++) at[others + j] += weight * x[i] * x[j];
    }
}

/* And to what couples its level of the first term with the rest; the number of places of other terms so far. */
static size_t couple_row(struct penalised *p, size_t row, double weight, size_t touched)
{
    const double *x = p->x + row * p->fixed;

    for (size_t t = 1; t < p->terms; t++) {
        const size_t place = place_of(p, t, row);

        if (!p->met[place]) p->touched[touched++] = place;
        p->met[place] = true;
        p->coupling[place] += weight * p->theta[t];
    }
    for (size_t i = 0; i < p->fixed && p->with_fixed; i++) p->coupling[other_levels(p) + i] += weight * x[i];
    return touched;
}

/* Takes the level's part out of the rest, and clears the coupling. */
static void eliminate(struct penalised *p, size_t block, size_t touched)
{
    const size_t others = other_levels(p);
    const double scale = p->theta[0] * p->theta[0] / p->diagonal[block];

    for (size_t i = 0; i < p->fixed && p->with_fixed; i++) p->touched[touched++] = others + i;
    for (size_t a = 0; a < touched; a++) {
        const double part = scale * p->coupling[p->touched[a]];

        for (size_t b = 0; b <= a; b++)
            add_between(p, p->touched[a], p->touched[b], -part * p->coupling[p->touched[b]]);
    }
    for (size_t a = 0; a < touched; a++) {
        p->coupling[p->touched[a]] = 0;
        p->met[p->touched[a]] = false;
    }
}

static void logarithms(struct penalised *p)
{
    const size_t others = other_levels(p);

    p->log_groups = p->log_fixed = 0;
    for (size_t block = 0; block < p->blocks && p->terms; block++) p->log_groups += log(p->diagonal[block]);
    for (size_t i = 0; i < others; i++) p->log_groups += 2 * log(*envelope_at(&p->rest, i, i));
    for (size_t i = others; i < others + p->fixed && p->with_fixed; i++)
        p->log_fixed += 2 * log(*envelope_at(&p->rest, i, i));
}

void penalised_choose(struct penalised *p, const double *theta, bool with_fixed)
{
    for (size_t t = 0; t < p->terms; t++) p->theta[t] = theta[t];
    p->with_fixed = with_fixed;
}

bool penalised_factor(struct penalised *p, const double *weight)
{
    const size_t others = other_levels(p);

    p->weight = weight;
    envelope_clear(&p->rest);
    for (size_t i = 0; i < others; i++) *envelope_at(&p->rest, i, i) = 1;
    for (size_t block = 0; block < p->blocks; block++) {
        double sum = 0;
        size_t touched = 0;

        for (size_t row = p->begin[block]; row < p->begin[block + 1]; row++) {
            const double w = weight ? weight[row] : 1;

            add_row(p, row, w);
            sum += w;
            if (p->terms) touched = couple_row(p, row, w, touched);
        }
        if (!p->terms) continue;
        p->diagonal[block] = p->theta[0] * p->theta[0] * sum + 1;
        eliminate(p, block, touched);
    }
    if (!envelope_factor(&p->rest, others + (p->with_fixed ? p->fixed : 0))) return false;
    logarithms(p);
    return isfinite(p->log_groups) && isfinite(p->log_fixed);
}

/* ---- vectors ---- */

/* What a row's unknowns add up to, those of the first term apart. */
static double row_of_rest(const struct penalised *p, size_t row, const double *rest)
{
    const double *x = p->x + row * p->fixed;
    double        sum = 0;

    for (size_t t = 1; t < p->terms; t++) sum += p->theta[t] * rest[place_of(p, t, row)];
    for (size_t i = 0; i < p->fixed && p->with_fixed; i++) sum += x[i] * rest[other_levels(p) + i];
    return sum;
}

static void rest_of_row(const struct penalised *p, size_t row, double value, double *rest)
{
    const double *x = p->x + row * p->fixed;

    for (size_t t = 1; t < p->terms; t++) rest[place_of(p, t, row)] += p->theta[t] * value;
    for (size_t i = 0; i < p->fixed && p->with_fixed; i++) rest[other_levels(p) + i] += x[i] * value;
}

static double weight_of(const struct penalised *p, size_t row) { return p->weight ? p->weight[row] : 1; }

void penalised_solve(const struct penalised *p, double *vector)
{
    const size_t levels = first_levels(p), size = other_levels(p) + (p->with_fixed ? p->fixed : 0);
    double      *rest = vector + levels;

    for (size_t level = 0; level < levels; level++)
        for (size_t row = p->begin[level]; row < p->begin[level + 1]; row++)
            rest_of_row(p, row, -weight_of(p, row) * p->theta[0] * vector[level] / p->diagonal[level], rest);
    envelope_forward(&p->rest, size, rest);
    envelope_back(&p->rest, size, rest);
    for (size_t level = 0; level < levels; level++) {
        double sum = 0;

        for (size_t row = p->begin[level]; row < p->begin[level + 1]; row++)
            sum += weight_of(p, row) * row_of_rest(p, row, rest);
        vector[level] = (vector[level] - p->theta[0] * sum) / p->diagonal[level];
    }
}

void penalised_gather(const struct penalised *p, const double *of, double *out)
{
    memset(out, 0, penalised_unknowns(p) * sizeof *out);
    for (size_t row = 0; row < p->rows; row++) {
        if (p->terms) out[p->term[0].of[row]] += p->theta[0] * of[row];
        rest_of_row(p, row, of[row], out + first_levels(p));
    }
}

void penalised_spread(const struct penalised *p, const double *vector, double *out)
{
    for (size_t row = 0; row < p->rows; row++)
        out[row] = (p->terms ? p->theta[0] * vector[p->term[0].of[row]] : 0) +
                   row_of_rest(p, row, vector + first_levels(p));
}

void penalised_root(const struct penalised *p, double *vector)
{
    const size_t others = other_levels(p);

    for (size_t i = p->fixed; i-- > 0; ) {
        vector[i] /= *envelope_at(&p->rest, others + i, others + i);
        for (size_t j = 0; j < i; j++) vector[j] -= *envelope_at(&p->rest, others + i, others + j) * vector[i];
    }
}
