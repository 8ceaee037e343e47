/* stats/resample.c -- see resample.h. */
#include "stats/resample.h"

#include "base/random.h"
#include "stats/distribution.h"

#include <errno.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static int threads_of(int asked) { return asked > 1 ? asked : 1; }

static double mean_of(const double *value, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) sum += value[i];
    return sum / (double)count;
}

/* ---- permutations ---- */

/* Both groups' numbers less their common mean, so that the means are as far apart as the smaller group's sum is from 0;
 * sums of the same numbers in another order, and equal numbers less their mean, differ in their last digits, by less
 * than `slack`. */
struct deal {
    double *value;
    size_t  count, less;
    double  sum, slack;                                     /* sum: of the smaller group, with x's sign */
    double  sign;
    double  reached, far;
};

static void deal_look(const struct deal *d, double sum, double *reached, double *far)
{
    *reached += d->sign * sum >= d->sum - d->slack;
    *far += fabs(sum) >= fabs(d->sum) - d->slack;
}

/* How many choices of k of n there are; beyond `most` not exactly. */
static double choices(size_t n, size_t k, double most)
{
    double ways = 1;

    for (size_t i = 1; i <= k && ways <= most; i++) ways = ways * (double)(n - k + i) / (double)i;
    return round(ways);
}

static int deal_all(struct deal *d)
{
    size_t *at = malloc((d->less + 1) * sizeof *at);
    bool    more = true;

    if (!at) return -ENOMEM;
    for (size_t i = 0; i < d->less; i++) at[i] = i;
    while (more) {
        double sum = 0;
        size_t last = d->less;

        for (size_t i = 0; i < d->less; i++) sum += d->value[at[i]];
        deal_look(d, sum, &d->reached, &d->far);
        while (last > 0 && at[last - 1] == d->count - d->less + last - 1) last--;
        more = last > 0;
        if (more) at[last - 1]++;
        for (size_t i = last; more && i < d->less; i++) at[i] = at[i - 1] + 1;
    }
    free(at);
    return 0;
}

static int deal_some(struct deal *d, uint64_t rounds, uint64_t seed, int threads)
{
    double *dealt = malloc((size_t)threads * d->count * sizeof *dealt), reached = 1, far = 1;

    if (!dealt) return -ENOMEM;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : reached, far)
    for (uint64_t round = 0; round < rounds; round++) {
        double       *own = dealt + (size_t)omp_get_thread_num() * d->count, sum = 0;
        struct random random = random_start(seed, round);

        memcpy(own, d->value, d->count * sizeof *own);
        for (size_t i = 0; i < d->less; i++) {
            const size_t other = i + (size_t)random_below(&random, d->count - i);
            const double drawn = own[other];

            own[other] = own[i];
            sum += drawn;
        }
        deal_look(d, sum, &reached, &far);
    }
    free(dealt);
    d->reached = reached;
    d->far = far;
    return 0;
}

static void deal_fill(struct deal *d, const double *x, size_t x_count, const double *y, size_t y_count)
{
    double middle = 0, sum_x = 0;

    for (size_t i = 0; i < d->count; i++) {
        d->value[i] = i < x_count ? x[i] : y[i - x_count];
        d->slack += 1e-15 * fabs(d->value[i]);
        middle += d->value[i] / (double)d->count;
    }
    for (size_t i = 0; i < d->count; i++) {
        d->value[i] -= middle;
        d->slack += 1e-12 * fabs(d->value[i]);
        if (i < x_count) sum_x += d->value[i];
    }
    d->sign = x_count <= y_count ? 1 : -1;
    d->sum = sum_x;
}

int permutation_means(const double *x, size_t x_count, const double *y, size_t y_count, uint64_t rounds, uint64_t seed,
                      int threads, struct permutation *out)
{
    struct deal d = { .count = x_count + y_count, .less = x_count < y_count ? x_count : y_count };
    double      all;
    int         rc;

    *out = (struct permutation){ NAN, NAN, NAN, 0, false };
    if (!d.less) return 0;
    d.value = malloc(d.count * sizeof *d.value);
    if (!d.value) return -ENOMEM;
    deal_fill(&d, x, x_count, y, y_count);
    all = choices(d.count, d.less, (double)rounds);
    out->exact = all <= (double)rounds;
    out->rounds = out->exact ? (uint64_t)all : rounds;
    if (!out->exact) all = (double)rounds + 1;
    rc = out->exact ? deal_all(&d) : deal_some(&d, rounds, seed, threads_of(threads));
    free(d.value);
    if (rc < 0) return rc;
    out->difference = mean_of(x, x_count) - mean_of(y, y_count);
    out->p = d.far / all;
    out->greater = d.reached / all;
    return 0;
}

/* ---- bootstrap ---- */

double statistic_mean(const double *value, size_t count, const void *unused)
{
    (void)unused;
    return count ? mean_of(value, count) : NAN;
}

struct sample { const double *value; size_t count; };

/* One group, or two: then the second's count is above 0. */
struct again {
    struct sample group[2];
    int           groups;
    statistic    *of;
    const void   *with;
    double       *drawn;                                    /* threads * room */
    size_t        room;
    int           threads;
};

static double *again_own(const struct again *a) { return a->drawn + (size_t)omp_get_thread_num() * a->room; }

static double draw(const struct again *a, const struct bootstrap_options *options, uint64_t round)
{
    struct random random = random_start(options->seed, round);
    double       *own = again_own(a), value = 0;

    for (int g = 0; g < a->groups; g++) {
        const struct sample *s = &a->group[g];

        for (size_t i = 0; i < s->count; i++) own[i] = s->value[random_below(&random, s->count)];
        value = g ? value - a->of(own, s->count, a->with) : a->of(own, s->count, a->with);
    }
    return value;
}

/* Adds a group's share to the sums of cubes and squares of influences: by leaving numbers out, one by one, or of many
 * all at places with the same rest, which gives the same acceleration in the mean. */
static int influences_add(const struct again *a, const struct sample *s, double sign, double *cubes, double *squares)
{
    const size_t parts = s->count < BOOTSTRAP_PARTS ? s->count : BOOTSTRAP_PARTS;
    const double n = (double)parts;
    double      *without = malloc(parts * sizeof *without), mean;

    if (!without) return -ENOMEM;
#pragma omp parallel for num_threads(a->threads) schedule(static)
    for (size_t part = 0; part < parts; part++) {
        double *own = again_own(a);
        size_t  kept = 0;

        for (size_t i = 0; i < s->count; i++) if (i % parts != part) own[kept++] = s->value[i];
        without[part] = a->of(own, kept, a->with);
    }
    mean = mean_of(without, parts);
    for (size_t i = 0; i < parts; i++) {
        const double u = sign * (n - 1) * (mean - without[i]);

        *cubes += u * u * u / (n * n * n);
        *squares += u * u / (n * n);
    }
    free(without);
    return 0;
}

static int acceleration_of(const struct again *a, double *out)
{
    double cubes = 0, squares = 0;
    int    rc = 0;

    for (int g = 0; g < a->groups && rc == 0; g++)
        rc = influences_add(a, &a->group[g], g ? -1 : 1, &cubes, &squares);
    *out = squares > 0 ? cubes / (6 * squares * sqrt(squares)) : 0;
    return rc;
}

static int by_number(const void *left, const void *right)
{
    const double x = *(const double *)left, y = *(const double *)right;

    return (x > y) - (x < y);
}

/* What a share of the resamples lie below, between its neighbours by a straight line. */
static double quantile(const double *sorted, size_t count, double share)
{
    const double place = share * (double)(count - 1);
    const size_t below = (size_t)place < count - 1 ? (size_t)place : count - 1, above = below + (below + 1 < count);

    return sorted[below] + (place - (double)below) * (sorted[above] - sorted[below]);
}

/* The share that BCa looks up for one end, z being the normal distribution's. */
static double share_for(double bias, double acceleration, double z)
{
    const double from = bias + z, rest = 1 - acceleration * from;

    if (!(rest > 0)) return from > 0 ? 1 : 0;
    return normal_above(-(bias + from / rest));
}

void bootstrap_range(double *resample, size_t rounds, double value, double acceleration, double level, double *low,
                     double *high)
{
    const double z = normal_quantile((1 + level) / 2), half = 0.5 / (double)rounds;
    double       below = 0, bias;

    qsort(resample, rounds, sizeof *resample, by_number);
    for (size_t i = 0; i < rounds; i++) below += resample[i] < value ? 1 : resample[i] > value ? 0 : 0.5;
    /* a value beyond all resamples counts as half a resample away from them */
    bias = normal_quantile(fmax(half, fmin(1 - half, below / (double)rounds)));
    *low = quantile(resample, rounds, share_for(bias, acceleration, -z));
    *high = quantile(resample, rounds, share_for(bias, acceleration, z));
}

/* Those that are numbers, in their order. */
static size_t numbers_keep(double *value, uint64_t count)
{
    size_t kept = 0;

    for (uint64_t i = 0; i < count; i++) if (!isnan(value[i])) value[kept++] = value[i];
    return kept;
}

static double deviation_of(const double *value, size_t count)
{
    const double mean = mean_of(value, count);
    double       squares = 0;

    for (size_t i = 0; i < count; i++) squares += (value[i] - mean) * (value[i] - mean);
    return sqrt(squares / (double)(count - 1));
}

static int resamples_take(const struct again *a, const struct bootstrap_options *options, struct bootstrap *out)
{
    double *resample = malloc((size_t)(options->rounds + 1) * sizeof *resample), acceleration = 0;
    int     rc = resample ? acceleration_of(a, &acceleration) : -ENOMEM;

    if (rc == 0) {
#pragma omp parallel for num_threads(a->threads) schedule(static)
        for (uint64_t round = 0; round < options->rounds; round++) resample[round] = draw(a, options, round);
        out->rounds = numbers_keep(resample, options->rounds);
        if (out->rounds > 1) {
            out->error = deviation_of(resample, out->rounds);
            bootstrap_range(resample, out->rounds, out->value, acceleration, options->level, &out->low, &out->high);
        }
    }
    free(resample);
    return rc;
}

static int bootstrap_of(struct again *a, const struct bootstrap_options *options, struct bootstrap *out)
{
    bool enough = true;
    int  rc;

    *out = (struct bootstrap){ NAN, NAN, NAN, NAN, 0 };
    if (!(options->level > 0 && options->level < 1)) return -EINVAL;
    a->threads = threads_of(options->threads);
    for (int g = 0; g < a->groups; g++) {
        const double its = a->of(a->group[g].value, a->group[g].count, a->with);

        out->value = g ? out->value - its : its;
        if (a->group[g].count > a->room) a->room = a->group[g].count;
        enough &= a->group[g].count > 1;
    }
    if (!enough || isnan(out->value)) return 0;
    a->drawn = malloc((size_t)a->threads * a->room * sizeof *a->drawn);
    if (!a->drawn) return -ENOMEM;
    rc = resamples_take(a, options, out);
    free(a->drawn);
    return rc;
}

int bootstrap_one(const double *x, size_t count, statistic *of, const void *with,
                  const struct bootstrap_options *options, struct bootstrap *out)
{
    struct again a = { .group = { { x, count } }, .groups = 1, .of = of, .with = with };

    return bootstrap_of(&a, options, out);
}

int bootstrap_two(const double *x, size_t x_count, const double *y, size_t y_count, statistic *of, const void *with,
                  const struct bootstrap_options *options, struct bootstrap *out)
{
    struct again a = { .group = { { x, x_count }, { y, y_count } }, .groups = 2, .of = of, .with = with };

    return bootstrap_of(&a, options, out);
}
