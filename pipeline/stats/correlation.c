/* stats/correlation.c -- see correlation.h. */
#include "stats/correlation.h"

#include "stats/distribution.h"
#include "stats/ties.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Deviations do not tell: a mean of equal values may be off in its last digit. */
static bool all_same(const double *x, size_t n)
{
    for (size_t i = 1; i < n; i++) if (x[i] < x[0] || x[i] > x[0]) return false;
    return true;
}

struct correlation pearson(const double *x, const double *y, size_t n)
{
    struct correlation out = { NAN, NAN };
    double             mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0, rest = 0;

    for (size_t i = 0; i < n; i++) {
        mean_x += x[i] / (double)n;
        mean_y += y[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        yy += (y[i] - mean_y) * (y[i] - mean_y);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    if (n < 2 || all_same(x, n) || all_same(y, n) || xx == 0 || yy == 0) return out;
    out.r = fmax(-1, fmin(1, xy / (sqrt(xx) * sqrt(yy))));
    /* what of y the line leaves: 1 - r^2, of which little is left to say where r is near 1 */
    for (size_t i = 0; i < n; i++) {
        const double off = y[i] - mean_y - xy / xx * (x[i] - mean_x);

        rest += off * off;
    }
    /* P(|T| >= |t|) for t = r sqrt(m / (1 - r^2)): m / (m + t^2) is 1 - r^2 */
    if (n > 2) out.p = beta_incomplete((double)(n - 2) / 2, 0.5, rest / yy);
    return out;
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

/* Sum of squared differences of ranks, of which rank[k..] of b are still free: orders as far from (n^3 - n) / 6, the
 * mean, as `apart`, or farther.  used: the ranks given, a bit each. */
static double orders_apart(size_t n, size_t k, unsigned used, double sum, double apart)
{
    const double count = (double)n, mean = (count * count * count - count) / 6;
    double       found = 0;

    if (k == n) return fabs(sum - mean) >= apart;
    for (size_t rank = 0; rank < n; rank++) {
        const double off = (double)rank - (double)k;

        if (!(used >> rank & 1)) found += orders_apart(n, k + 1, used | 1u << rank, sum + off * off, apart);
    }
    return found;
}

/* a, b: ranks without ties.  All sums are whole numbers or halves. */
static double spearman_orders(const double *a, const double *b, size_t n)
{
    const double count = (double)n, mean = (count * count * count - count) / 6;
    double       sum = 0, orders = 1;

    for (size_t i = 0; i < n; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
        orders *= (double)(i + 1);
    }
    return orders_apart(n, 0, 0, 0, fabs(sum - mean)) / orders;
}

static int is_tied(const double *x, size_t n, bool *out)
{
    struct ties ties;
    const int   rc = ties_take(x, n, &ties);

    if (rc == 0) *out |= ties.squares > (double)n;
    return rc;
}

int spearman(const double *x, const double *y, size_t n, struct correlation *out)
{
    double *a = malloc((n + 1) * sizeof *a), *b = malloc((n + 1) * sizeof *b);
    bool    tied = n < 3 || n > SPEARMAN_SMALL;
    int     rc = a && b ? ranks_average(x, n, a) : -ENOMEM;

    if (rc == 0) rc = ranks_average(y, n, b);
    if (rc == 0 && !tied) rc = is_tied(a, n, &tied);
    if (rc == 0 && !tied) rc = is_tied(b, n, &tied);
    if (rc == 0) *out = pearson(a, b, n);
    if (rc == 0 && !tied) out->p = spearman_orders(a, b, n);
    free(a);
    free(b);
    return rc;
}

/* ---- Kendall ---- */

struct point { double x, y; };

static int compare_points(const void *left, const void *right)
{
    const struct point *a = left, *b = right;

    if (a->x < b->x || a->x > b->x) return a->x < b->x ? -1 : 1;
    return (a->y > b->y) - (a->y < b->y);
}

/* Sorts by merging, and says how many pairs changed sides. */
static double merge_sort(double *value, double *spare, size_t n)
{
    const size_t half = n / 2;
    double       swaps;
    size_t       left = 0, right = half;

    if (n < 2) return 0;
    swaps = merge_sort(value, spare, half) + merge_sort(value + half, spare, n - half);
    for (size_t i = 0; i < n; i++) {
        const bool from_right = left == half || (right < n && value[right] < value[left]);

        if (from_right) swaps += (double)(half - left);
        spare[i] = value[from_right ? right++ : left++];
    }
    memcpy(value, spare, n * sizeof *value);
    return swaps;
}

/* P of at most that many pairs out of order, of n things in random order: each further thing comes before 0 to k - 1 of
 * those that are there. */
static int orders_below(size_t n, size_t swaps, double *out)
{
    double *share = calloc(swaps + 1, sizeof *share), sum = 0;

    if (!share) return -ENOMEM;
    share[0] = 1;
    for (size_t k = 2; k <= n; k++) {
        for (size_t s = 1; s <= swaps; s++) share[s] += share[s - 1];
        for (size_t s = swaps; s >= k; s--) share[s] -= share[s - k];
        for (size_t s = 0; s <= swaps; s++) share[s] /= (double)k;
    }
    for (size_t s = 0; s <= swaps; s++) sum += share[s];
    free(share);
    *out = sum;
    return 0;
}

static double kendall_normal(double score, double n, const struct ties *x, const struct ties *y)
{
    const double m = n * (n - 1);
    double       variance = m * (2 * n + 5) - (2 * x->cubes + 3 * x->squares - 5 * n) -
                            (2 * y->cubes + 3 * y->squares - 5 * n);

    variance = variance / 18 + (x->squares - n) * (y->squares - n) / (2 * m);
    if (n > 2)
        variance += (x->cubes - 3 * x->squares + 2 * n) * (y->cubes - 3 * y->squares + 2 * n) / (9 * m * (n - 2));
    return 2 * normal_above(fabs(score) / sqrt(variance));
}

/* Points by x and y, and the y's in that order. */
static double equal_points(struct point *point, double *second, const double *x, const double *y, size_t n)
{
    double equal = 0;

    for (size_t i = 0; i < n; i++) point[i] = (struct point){ x[i], y[i] };
    qsort(point, n, sizeof *point, compare_points);
    for (size_t i = 0, run = 0; i < n; i++) {
        run = i && compare_points(&point[i - 1], &point[i]) == 0 ? run + 1 : 0;
        equal += (double)run;
        second[i] = point[i].y;
    }
    return equal;
}

int kendall(const double *x, const double *y, size_t n, struct correlation *out)
{
    const double  count = (double)n, pairs = count * (count - 1) / 2;
    struct point *point = malloc((n + 1) * sizeof *point);
    double       *second = malloc((n + 1) * sizeof *second), *spare = malloc((n + 1) * sizeof *spare);
    struct ties   in_x, in_y;
    int           rc = point && second && spare ? ties_take(x, n, &in_x) : -ENOMEM;

    *out = (struct correlation){ NAN, NAN };
    if (rc == 0) rc = ties_take(y, n, &in_y);
    if (rc == 0 && n > 1 && !all_same(x, n) && !all_same(y, n)) {
        const double apart_x = pairs - (in_x.squares - count) / 2, apart_y = pairs - (in_y.squares - count) / 2;
        const double equal = equal_points(point, second, x, y, n), swaps = merge_sort(second, spare, n);
        const double score = apart_x + apart_y - pairs + equal - 2 * swaps, fewer = fmin(swaps, pairs - swaps);

        out->r = fmax(-1, fmin(1, score / sqrt(apart_x) / sqrt(apart_y)));
        if (apart_x < pairs || apart_y < pairs || (n > KENDALL_SMALL && fewer > 1))
            out->p = kendall_normal(score, count, &in_x, &in_y);
        else {
            rc = orders_below(n, (size_t)fewer, &out->p);
            out->p = fmin(1, 2 * out->p);
        }
    }
    free(point);
    free(second);
    free(spare);
    return rc;
}
