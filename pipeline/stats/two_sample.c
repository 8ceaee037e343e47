/* stats/two_sample.c -- see two_sample.h. */
#include "stats/two_sample.h"

#include "stats/correlation.h"
#include "stats/distribution.h"
#include "stats/summary.h"
#include "stats/ties.h"

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

/* Where some are equal: how many choices of `less` of all ranks, which are doubled so that they are whole, have each
 * sum, and which of them give x a U of u or more, or one as far from the middle. */
static int choices_count(const double *rank, size_t count, size_t less, bool x_is_less, double u, double *above,
                         double *apart)
{
    const size_t more = count - less, sums = 2 * less * count + 1;
    const double middle = (double)less * (double)more / 2, least = (double)less * (double)(less + 1) / 2;
    double      *choices = calloc((less + 1) * sums, sizeof *choices), all = 0, reached = 0, far = 0;

    if (!choices) return -ENOMEM;
    choices[0] = 1;
    for (size_t i = 0; i < count; i++) {
        const size_t twice = (size_t)(2 * rank[i]);

        for (size_t k = i + 1 < less ? i + 1 : less; k > 0; k--)
            for (size_t s = sums; s-- > twice;) choices[k * sums + s] += choices[(k - 1) * sums + s - twice];
    }
    for (size_t s = 0; s < sums; s++) {
        const double ways = choices[less * sums + s], its = (double)s / 2 - least;

        all += ways;
        if ((x_is_less ? its : 2 * middle - its) >= u) reached += ways;
        if (fabs(its - middle) >= fabs(u - middle)) far += ways;
    }
    free(choices);
    *above = reached / all;
    *apart = far / all;
    return 0;
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

/* Ranks of both groups' numbers together; 0, or -ENOMEM. */
static int ranks_of_both(const double *x, size_t x_count, const double *y, size_t y_count, double *rank,
                         struct ties *ties)
{
    const size_t count = x_count + y_count;
    double      *all = malloc((count + 1) * sizeof *all);
    int          rc = all ? 0 : -ENOMEM;

    if (rc == 0) {
        if (x_count) memcpy(all, x, x_count * sizeof *all);
        if (y_count) memcpy(all + x_count, y, y_count * sizeof *all);
        rc = ranks_average(all, count, rank);
    }
    if (rc == 0) rc = ties_take(all, count, ties);
    free(all);
    return rc;
}

int mann_whitney_by(enum rank_method method, const double *x, size_t x_count, const double *y, size_t y_count,
                    struct mann_whitney *out)
{
    const size_t count = x_count + y_count, less = x_count < y_count ? x_count : y_count, more = count - less;
    struct ties  ties = { 0, 0 };
    double      *rank, sum = 0;
    bool         single;
    int          rc;

    *out = (struct mann_whitney){ NAN, NAN, NAN, NAN, false };
    if (!less) return 0;
    rank = malloc(count * sizeof *rank);
    rc = rank ? ranks_of_both(x, x_count, y, y_count, rank, &ties) : -ENOMEM;
    if (rc == 0) {
        for (size_t i = 0; i < x_count; i++) sum += rank[i];
        out->u = sum - (double)x_count * (double)(x_count + 1) / 2;
        out->delta = 2 * out->u / ((double)x_count * (double)y_count) - 1;
        single = !(ties.squares > (double)count) && less <= MANN_WHITNEY_SMALL && more <= MANN_WHITNEY_MOST;
        out->exact = method != RANK_NORMAL && (single || (method == RANK_EXACT && count <= MANN_WHITNEY_COUNTED));
        if (!out->exact) normal_p(out->u, (double)x_count, (double)y_count, ties.cubes - (double)count, out);
        else if (single) rc = exact_p(out->u, less, more, out);
        else rc = choices_count(rank, count, less, x_count == less, out->u, &out->greater, &out->p);
    }
    free(rank);
    return rc;
}

int mann_whitney(const double *x, size_t x_count, const double *y, size_t y_count, struct mann_whitney *out)
{
    return mann_whitney_by(RANK_AUTO, x, x_count, y, y_count, out);
}

/* ---- Cliff's delta ---- */

const char *cliff_level(double delta)
{
    const double size = fabs(delta);

    if (isnan(delta)) return "";
    return size < 0.147 ? "negligible" : size < 0.33 ? "small" : size < 0.474 ? "medium" : "large";
}

/* The sum of squared differences to delta of each number's own: how many of the other group's numbers it exceeds less
 * how many exceed it, of all; which both groups' ranks and its own group's tell. */
static double spread_of(const double *rank, const double *own, size_t count, size_t others, double delta)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        const double its = 2 * (rank[i] - own[i]) / (double)others - 1 - delta;

        sum += its * its;
    }
    return sum;
}

/* The consistent estimate, for groups of two or more: ((n - 1) s_x + (m - 1) s_y + s_xy) / (m n) of m numbers x and n
 * numbers y, by the variances of each group's own deltas and of the m n signs. */
static double cliff_variance(double delta, double m, double n, double spread_x, double spread_y, double tied)
{
    const double signs = m * n - tied - m * n * delta * delta;

    return ((n - 1) / (m - 1) * spread_x + (m - 1) / (n - 1) * spread_y + signs / ((m - 1) * (n - 1))) / (m * n);
}

static void cliff_range(double variance, double smaller, struct cliff *out)
{
    const double zz = NORMAL_95 * NORMAL_95, d = out->delta, rest = 1 - d * d;
    const double half = sqrt(zz * variance * (rest * rest + zz * variance));

    if (rest > 0) {
        out->low = fmax(-1, (d - d * d * d - half) / (rest + zz * variance));
        out->high = fmin(1, (d - d * d * d + half) / (rest + zz * variance));
    } else {
        out->low = d > 0 ? (smaller - zz) / (smaller + zz) : -1;
        out->high = d > 0 ? 1 : (zz - smaller) / (smaller + zz);
    }
}

int cliff_delta(const double *x, size_t x_count, const double *y, size_t y_count, struct cliff *out)
{
    const double m = (double)x_count, n = (double)y_count;
    const size_t count = x_count + y_count;
    double      *rank = malloc((count + 1) * sizeof *rank), *own = malloc((count + 1) * sizeof *own), sum = 0;
    struct ties  all, in_x, in_y;
    int          rc = rank && own ? ranks_of_both(x, x_count, y, y_count, rank, &all) : -ENOMEM;

    *out = (struct cliff){ NAN, NAN, NAN };
    if (rc == 0) rc = ranks_average(x, x_count, own);
    if (rc == 0) rc = ranks_average(y, y_count, own + x_count);
    if (rc == 0) rc = ties_take(x, x_count, &in_x);
    if (rc == 0) rc = ties_take(y, y_count, &in_y);
    if (rc == 0 && x_count && y_count) {
        for (size_t i = 0; i < x_count; i++) sum += rank[i] - own[i];
        out->delta = 2 * sum / (m * n) - 1;
        if (x_count > 1 && y_count > 1)
            cliff_range(cliff_variance(out->delta, m, n, spread_of(rank, own, x_count, y_count, out->delta),
                                       spread_of(rank + x_count, own + x_count, y_count, x_count, -out->delta),
                                       (all.squares - in_x.squares - in_y.squares) / 2),
                        fmin(m, n), out);
    }
    free(rank);
    free(own);
    return rc;
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

static double hedges_factor(double m) { return exp(lgamma(m / 2) - lgamma((m - 1) / 2)) / sqrt(m / 2); }

int cohen(const double *x, size_t x_count, const double *y, size_t y_count, struct cohen *out)
{
    struct summary a, b;
    const int      rc = both_take(x, x_count, y, y_count, &a, &b);

    *out = (struct cohen){ NAN, NAN, NAN };
    if (rc < 0) return rc;
    out->plain = divided(sqrt((a.variance + b.variance) / 2), fabs(a.mean - b.mean));
    out->pooled = divided(sqrt(pooled_variance(&a, &b)), a.mean - b.mean);
    if (!isnan(out->pooled)) out->hedges = hedges_factor((double)(x_count + y_count - 2)) * out->pooled;
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
