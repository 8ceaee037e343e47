/* stats/correlation.c -- see correlation.h. */
#include "stats/correlation.h"

#include "stats/distribution.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* P(|T| >= |t|) for t = r sqrt(m / (1 - r^2)): m / (m + t^2) is 1 - r^2. */
static double p_of(double r, size_t n)
{
    return n < 3 || isnan(r) ? NAN : beta_incomplete((double)(n - 2) / 2, 0.5, 1 - r * r);
}

/* Deviations do not tell: a mean of equal values may be off in its last digit. */
static bool all_same(const double *x, size_t n)
{
    for (size_t i = 1; i < n; i++) if (x[i] < x[0] || x[i] > x[0]) return false;
    return true;
}

struct correlation pearson(const double *x, const double *y, size_t n)
{
    double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0, r;

    for (size_t i = 0; i < n; i++) {
        mean_x += x[i] / (double)n;
        mean_y += y[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        yy += (y[i] - mean_y) * (y[i] - mean_y);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    r = n < 2 || all_same(x, n) || all_same(y, n) || xx == 0 || yy == 0
        ? NAN : fmax(-1, fmin(1, xy / (sqrt(xx) * sqrt(yy))));
    return (struct correlation){ r, p_of(r, n) };
}

struct ranked { double value; size_t at; };

static int compare_ranked(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;

    if (a->value < b->value || a->value > b->value) return a->value < b->value ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

int ranks_average(const double *value, size_t n, double *rank)
{
    struct ranked *order = malloc((n + 1) * sizeof *order);

    if (!order) return -ENOMEM;
    for (size_t i = 0; i < n; i++) order[i] = (struct ranked){ value[i], i };
    qsort(order, n, sizeof *order, compare_ranked);
    for (size_t i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && order[next].value <= order[i].value; next++) continue;
        for (size_t k = i; k < next; k++) rank[order[k].at] = (double)(i + 1 + next) / 2;
    }
    free(order);
    return 0;
}

int spearman(const double *x, const double *y, size_t n, struct correlation *out)
{
    double *a = malloc((n + 1) * sizeof *a), *b = malloc((n + 1) * sizeof *b);
    int     rc = a && b ? ranks_average(x, n, a) : -ENOMEM;

    if (rc == 0) rc = ranks_average(y, n, b);
    if (rc == 0) *out = pearson(a, b, n);
    free(a);
    free(b);
    return rc;
}
