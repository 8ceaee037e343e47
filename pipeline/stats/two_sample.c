/* stats/two_sample.c -- see two_sample.h. */
#include "stats/two_sample.h"

#include "stats/correlation.h"
#include "stats/distribution.h"
#include "stats/summary.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Mann-Whitney ---- */

/* P(U >= u) of groups without ties.  How many orders give each U are the coefficients of a Gaussian binomial: the
 * product of (1 - x^(more + i)) / (1 - x^i) for i to less.  All are whole, and so exact modulo 2^128. */
static int orders_above(size_t less, size_t more, size_t u, double *out)
{
    const size_t       count = less * more + 1;
    unsigned __int128 *orders = calloc(count, sizeof *orders);
    double             all = 0, above = 0;

    if (!orders) return -ENOMEM;
    orders[0] = 1;
    for (size_t i = 1; i <= less; i++) {
        for (size_t k = count; k-- > more + i;) orders[k] -= orders[k - more - i];
        for (size_t k = i; k < count; k++) orders[k] += orders[k - i];
    }
    for (size_t k = 0; k < count; k++) {
        all += (double)orders[k];
        if (k >= u) above += (double)orders[k];
    }
    free(orders);
    *out = above / all;
    return 0;
}

static int by_number(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The sum of t^3 - t over runs of t equal numbers. */
static double ties_of(double *value, size_t count)
{
    double sum = 0;

    qsort(value, count, sizeof *value, by_number);
    for (size_t i = 0, next; i < count; i = next) {
        double t;

        for (next = i + 1; next < count && value[next] <= value[i]; next++) continue;
        t = (double)(next - i);
        sum += t * t * t - t;
    }
    return sum;
}

static int exact_p(double u, size_t less, size_t more, struct mann_whitney *out)
{
    const size_t larger = (size_t)fmax(u, (double)less * (double)more - u);
    double       p = 1;
    int          rc = orders_above(less, more, larger, &p);

    if (rc == 0) rc = orders_above(less, more, (size_t)u, &out->greater);
    out->p = fmin(1, 2 * p);
    return rc;
}

static void normal_p(double u, double nx, double ny, double ties, struct mann_whitney *out)
{
    const double n = nx + ny, middle = nx * ny / 2, variance = nx * ny / 12 * (n + 1 - ties / (n * (n - 1)));

    if (!(variance > 0)) {                                  /* all are equal */
        out->p = out->greater = 1;
        return;
    }
    out->greater = normal_above((u - middle - 0.5) / sqrt(variance));
    out->p = fmin(1, 2 * normal_above((fabs(u - middle) - 0.5) / sqrt(variance)));
}

int mann_whitney(const double *x, size_t x_count, const double *y, size_t y_count, struct mann_whitney *out)
{
    const size_t count = x_count + y_count, less = x_count < y_count ? x_count : y_count, more = count - less;
    double      *all, *rank;
    double       sum = 0, ties;
    int          rc;

    *out = (struct mann_whitney){ NAN, NAN, NAN, NAN, false };
    if (!less) return 0;
    all = malloc(count * sizeof *all);
    rank = malloc(count * sizeof *rank);
    rc = all && rank ? 0 : -ENOMEM;
    if (rc == 0) {
        memcpy(all, x, x_count * sizeof *all);
        memcpy(all + x_count, y, y_count * sizeof *all);
        rc = ranks_average(all, count, rank);
    }
    if (rc == 0) {
        for (size_t i = 0; i < x_count; i++) sum += rank[i];
        out->u = sum - (double)x_count * (double)(x_count + 1) / 2;
        out->delta = 2 * out->u / ((double)x_count * (double)y_count) - 1;
        ties = ties_of(all, count);
        out->exact = less <= MANN_WHITNEY_SMALL && more <= MANN_WHITNEY_MOST && !(ties > 0);
        if (out->exact) rc = exact_p(out->u, less, more, out);
        else normal_p(out->u, (double)x_count, (double)y_count, ties, out);
    }
    free(all);
    free(rank);
    return rc;
}

const char *cliff_level(double delta)
{
    const double size = fabs(delta);

    if (isnan(delta)) return "";
    return size < 0.147 ? "negligible" : size < 0.33 ? "small" : size < 0.474 ? "medium" : "large";
}

/* ---- means ---- */

static int both_take(const double *x, size_t x_count, const double *y, size_t y_count, struct summary *a,
                     struct summary *b)
{
    const int rc = summary_take(x, x_count, a);

    return rc < 0 ? rc : summary_take(y, y_count, b);
}

static double pooled_variance(const struct summary *a, const struct summary *b)
{
    const double m = (double)a->count - 1, n = (double)b->count - 1;

    return (m * a->variance + n * b->variance) / (m + n);
}

static double divided(double by, double what) { return by > 0 ? what / by : NAN; }

int cohen(const double *x, size_t x_count, const double *y, size_t y_count, struct cohen *out)
{
    struct summary a, b;
    const int      rc = both_take(x, x_count, y, y_count, &a, &b);

    *out = (struct cohen){ NAN, NAN };
    if (rc < 0) return rc;
    out->plain = divided(sqrt((a.variance + b.variance) / 2), fabs(a.mean - b.mean));
    out->pooled = divided(sqrt(pooled_variance(&a, &b)), a.mean - b.mean);
    return 0;
}

int t_tests(const double *x, size_t x_count, const double *y, size_t y_count, struct t_tests *out)
{
    struct summary a, b;
    const int      rc = both_take(x, x_count, y, y_count, &a, &b);
    double         va, vb, pooled;

    *out = (struct t_tests){ { NAN, NAN, NAN }, { NAN, NAN, NAN } };
    if (rc < 0 || x_count < 2 || y_count < 2) return rc;
    va = a.variance / (double)x_count;
    vb = b.variance / (double)y_count;
    pooled = pooled_variance(&a, &b) * (1 / (double)x_count + 1 / (double)y_count);
    out->student.freedom = (double)(x_count + y_count - 2);
    out->student.t = divided(sqrt(pooled), a.mean - b.mean);
    out->student.p = student_beyond(out->student.t, out->student.freedom);
    out->welch.freedom = divided(va * va / (double)(x_count - 1) + vb * vb / (double)(y_count - 1),
                                 (va + vb) * (va + vb));
    out->welch.t = divided(sqrt(va + vb), a.mean - b.mean);
    out->welch.p = student_beyond(out->welch.t, out->welch.freedom);
    return 0;
}

uint64_t sample_size(uint64_t population)
{
    const double any = 1.96 * 1.96 * 0.25 / (0.05 * 0.05);

    return (uint64_t)round(population ? any / (1 + (any - 1) / (double)population) : any);
}
