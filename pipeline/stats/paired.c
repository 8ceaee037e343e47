/* stats/paired.c -- see paired.h. */
#include "stats/paired.h"

#include "stats/correlation.h"
#include "stats/distribution.h"
#include "stats/summary.h"
#include "stats/ties.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static double difference(const double *x, const double *y, size_t i) { return y ? x[i] - y[i] : x[i]; }

/* P of a sum of ranks of at least `sum`, with all signs alike.  Ranks are doubled so that they are whole. */
static int signs_above(const double *rank, size_t used, double sum, double *out)
{
    const size_t sums = used * (used + 1) + 1;
    double      *share = calloc(sums, sizeof *share), above = 0;

    if (!share) return -ENOMEM;
    share[0] = 1;
    for (size_t i = 0; i < used; i++) {
        const size_t twice = (size_t)(2 * rank[i]);

        for (size_t s = sums; s-- > 0;) share[s] = (share[s] + (s >= twice ? share[s - twice] : 0)) / 2;
    }
    for (size_t s = (size_t)(2 * sum); s < sums; s++) above += share[s];
    free(share);
    *out = above;
    return 0;
}

static void normal_p(size_t used, const struct ties *ties, struct wilcoxon *out)
{
    const double n = (double)used, middle = n * (n + 1) / 4;
    const double variance = (n * (n + 1) * (2 * n + 1) - (ties->cubes - n) / 2) / 24;

    out->greater = normal_above((out->above - middle) / sqrt(variance));
    out->p = 2 * normal_above(fabs(out->above - middle) / sqrt(variance));
}

static int exact_p(const double *rank, size_t used, struct wilcoxon *out)
{
    double p = 1;
    int    rc = signs_above(rank, used, fmax(out->above, out->below), &p);

    if (rc == 0) rc = signs_above(rank, used, out->above, &out->greater);
    out->p = fmin(1, 2 * p);
    return rc;
}

int wilcoxon(const double *x, const double *y, size_t count, enum rank_method method, struct wilcoxon *out)
{
    double     *size = malloc((count + 1) * sizeof *size), *rank = malloc((count + 1) * sizeof *rank);
    struct ties ties = { 0, 0 };
    size_t      used = 0;
    int         rc;

    *out = (struct wilcoxon){ NAN, NAN, NAN, NAN, 0, false };
    for (size_t i = 0; size && i < count; i++) {
        const double d = difference(x, y, i);

        if (d < 0 || d > 0) size[used++] = fabs(d);
    }
    rc = size && rank ? ranks_average(size, used, rank) : -ENOMEM;
    if (rc == 0) rc = ties_take(size, used, &ties);
    if (rc == 0 && count) {
        *out = (struct wilcoxon){ 0, 0, 1, 1, used, false };
        for (size_t i = 0, k = 0; i < count; i++) {
            const double d = difference(x, y, i);

            if (d > 0) out->above += rank[k++];
            else if (d < 0) out->below += rank[k++];
        }
        if (method == RANK_EXACT) out->exact = used <= WILCOXON_MOST;
        else if (method == RANK_AUTO)
            out->exact = used == count && used <= WILCOXON_SMALL && !(ties.squares > (double)used);
        if (out->exact) rc = exact_p(rank, used, out);
        else if (used) normal_p(used, &ties, out);
    }
    free(size);
    free(rank);
    return rc;
}

int paired_t(const double *x, const double *y, size_t count, struct t_test *out)
{
    double        *apart = malloc((count + 1) * sizeof *apart);
    struct summary of;
    int            rc;

    *out = (struct t_test){ NAN, NAN, NAN };
    for (size_t i = 0; apart && i < count; i++) apart[i] = difference(x, y, i);
    rc = apart ? summary_take(apart, count, &of) : -ENOMEM;
    free(apart);
    if (rc < 0 || count < 2) return rc;
    out->freedom = (double)count - 1;
    if (of.most > of.least) out->t = of.mean / sqrt(of.variance / (double)count);
    out->p = student_beyond(out->t, out->freedom);
    return 0;
}
