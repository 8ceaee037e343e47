/* regress/envelope.c -- see envelope.h. */
#include "regress/envelope.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int envelope_open(struct envelope *e, size_t size, const size_t *first)
{
    size_t count = 0;

    *e = (struct envelope){ .size = size };
    for (size_t row = 0; row < size; row++) {
        count += row - first[row] + 1;
        if (count > ENVELOPE_MOST) return -E2BIG;
    }
    e->count = count;
    e->first = malloc((size + 1) * sizeof *e->first);
    e->start = malloc((size + 1) * sizeof *e->start);
    e->at = calloc(count + 1, sizeof *e->at);
    if (!e->first || !e->start || !e->at) {
        envelope_close(e);
        return -ENOMEM;
    }
    for (size_t row = 0, at = 0; row < size; row++) {
        e->first[row] = first[row];
        e->start[row] = at;
        at += row - first[row] + 1;
    }
    return 0;
}

void envelope_close(struct envelope *e)
{
    free(e->first);
    free(e->start);
    free(e->at);
    *e = (struct envelope){ .size = 0 };
}

void envelope_clear(struct envelope *e) { memset(e->at, 0, e->count * sizeof *e->at); }

/* Four sums side by side, so that the compiler may use vectors; their order is the same on every machine. */
static double product(const double *a, const double *b, size_t count)
{
    double sum[4] = { 0 };
    size_t i = 0;

    for (; i + 4 <= count; i += 4)
        for (size_t lane = 0; lane < 4; lane++) sum[lane] += a[i + lane] * b[i + lane];
    for (; i < count; i++) sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* What rows a and b have together before column `end`. */
static double product_of_rows(const struct envelope *e, size_t a, size_t b, size_t end)
{
    const size_t from = e->first[a] > e->first[b] ? e->first[a] : e->first[b];

    return from >= end ? 0 : product(envelope_at(e, a, from), envelope_at(e, b, from), end - from);
}

bool envelope_factor(struct envelope *e, size_t size)
{
    for (size_t row = 0; row < size; row++) {
        double *diagonal = envelope_at(e, row, row);
        double  given = *diagonal;

        for (size_t column = e->first[row]; column < row; column++) {
            double *value = envelope_at(e, row, column);

            *value = (*value - product_of_rows(e, row, column, column)) / *envelope_at(e, column, column);
        }
        *diagonal -= product_of_rows(e, row, row, row);
        if (!(*diagonal > given * 1e-15) || !isfinite(*diagonal)) return false;
        *diagonal = sqrt(*diagonal);
    }
    return true;
}

void envelope_forward(const struct envelope *e, size_t size, double *x)
{
    for (size_t row = 0; row < size; row++) {
        const size_t first = e->first[row];

        x[row] = (x[row] - product(envelope_at(e, row, first), x + first, row - first)) / *envelope_at(e, row, row);
    }
}

void envelope_back(const struct envelope *e, size_t size, double *x)
{
    for (size_t row = size; row-- > 0; ) {
        const double *at = envelope_at(e, row, e->first[row]);

        x[row] /= *envelope_at(e, row, row);
        for (size_t column = e->first[row]; column < row; column++) x[column] -= *at++ * x[row];
    }
}
