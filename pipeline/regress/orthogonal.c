/* regress/orthogonal.c -- see orthogonal.h: Gram and Schmidt's way, each column twice, which keeps Q orthonormal to the
 * last digits (Giraud et al. 2005). */
#include "regress/orthogonal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static double length(const double *x, size_t rows, size_t stride)
{
    double sum = 0;

    for (size_t i = 0; i < rows; i++) sum += x[i * stride] * x[i * stride];
    return sqrt(sum);
}

/* Takes what column `other` makes up out of `column`; how much it was. */
static double take_out(double *x, size_t rows, size_t stride, size_t column, size_t other)
{
    double share = 0;

    for (size_t i = 0; i < rows; i++) share += x[i * stride + column] * x[i * stride + other];
    for (size_t i = 0; i < rows; i++) x[i * stride + column] -= share * x[i * stride + other];
    return share;
}

/* Column `from` to place o->of of those that are kept; r has rows of `stride` numbers yet. */
static void take_column(struct orthogonal *o, double *r, double *x, size_t rows, size_t stride, size_t from)
{
    const size_t to = o->of;
    const double given = length(x + from, rows, stride);
    double       left;

    for (size_t i = 0; i < rows && from != to; i++) x[i * stride + to] = x[i * stride + from];
    for (size_t other = 0; other < to; other++) r[other * stride + to] = 0;
    for (int again = 0; again < 2; again++)
        for (size_t other = 0; other < to; other++) r[other * stride + to] += take_out(x, rows, stride, to, other);
    left = length(x + to, rows, stride);
    if (!(left > given * 1e-7)) return;
    for (size_t i = 0; i < rows; i++) x[i * stride + to] /= left;
    r[to * stride + to] = left;
    o->column[o->of++] = from;
}

int orthogonal_make(struct orthogonal *o, double *x, size_t rows, size_t columns)
{
    *o = (struct orthogonal){ .column = malloc((columns + 1) * sizeof *o->column),
                              .r = calloc(columns * columns + 1, sizeof *o->r) };
    if (!o->column || !o->r) {
        orthogonal_free(o);
        return -ENOMEM;
    }
    for (size_t column = 0; column < columns && o->of < rows; column++)
        take_column(o, o->r, x, rows, columns, column);
    for (size_t i = 0; i < o->of; i++)
        for (size_t j = 0; j < o->of; j++) o->r[i * o->of + j] = o->r[i * columns + j];
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < o->of; j++) x[i * o->of + j] = x[i * columns + j];
    return 0;
}

void orthogonal_free(struct orthogonal *o)
{
    free(o->column);
    free(o->r);
    *o = (struct orthogonal){ .of = 0 };
}

void orthogonal_undo(const struct orthogonal *o, double *vector)
{
    for (size_t i = o->of; i-- > 0; ) {
        for (size_t j = i + 1; j < o->of; j++) vector[i] -= o->r[i * o->of + j] * vector[j];
        vector[i] /= o->r[i * o->of + i];
    }
}

double orthogonal_log(const struct orthogonal *o)
{
    double sum = 0;

    for (size_t i = 0; i < o->of; i++) sum += log(o->r[i * o->of + i]);
    return sum;
}
