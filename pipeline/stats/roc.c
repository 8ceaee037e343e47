/* stats/roc.c -- see roc.h. */
#include "stats/roc.h"

#include "stats/distribution.h"

#include <math.h>
#include <stdlib.h>

static const double z95 = 1.959963984540054;                /* 97.5 % of the normal distribution lie below */

/* qsort has no place for the values themselves. */
struct place { double value; size_t item; };

static int by_value(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    return (x->value > y->value) - (x->value < y->value);
}

/* The items that count by rising value, and how many are of either class. */
struct walk { struct place *place; size_t known; double of[2]; };

/* Equal values [from, to): how many of either class. */
static size_t equals_end(const struct walk *walk, const uint8_t *truth, size_t from, double of[2])
{
    size_t to = from;

    of[0] = of[1] = 0;
    for (; to < walk->known && walk->place[to].value == walk->place[from].value; to++)
        of[truth[walk->place[to].item] != 0]++;
    return to;
}

static int walk_open(struct walk *walk, const double *value, const double *other, const uint8_t *truth, size_t count,
                     struct err *err)
{
    *walk = (struct walk){ .place = malloc((count + 1) * sizeof *walk->place) };
    if (!walk->place) return err_memory(err, count * sizeof *walk->place, "a ranking");
    for (size_t i = 0; i < count; i++) {
        if (isnan(value[i]) || (other && isnan(other[i]))) continue;
        walk->place[walk->known++] = (struct place){ value[i], i };
        walk->of[truth[i] != 0]++;
    }
    qsort(walk->place, walk->known, sizeof *walk->place, by_value);
    return 0;
}

/* won[i] of every item i that counts: of class 1 those of class 0 below it, of class 0 those of class 1 above it, ties
 * a half.  Whole numbers and halves, so that sums of them are exact. */
static void walk_wins(const struct walk *walk, const uint8_t *truth, double *won)
{
    double below[2] = { 0 }, equal[2];

    for (size_t from = 0, to; from < walk->known; from = to) {
        to = equals_end(walk, truth, from, equal);
        for (size_t i = from; i < to; i++) {
            const size_t item = walk->place[i].item;

            won[item] = truth[item] ? below[0] + equal[0] / 2 : walk->of[1] - below[1] - equal[1] / 2;
        }
        below[0] += equal[0];
        below[1] += equal[1];
    }
}

/* Of the placements of one class by two numbers, of which a and b have the wins: their covariance as of a sample. */
static double covariance(const struct walk *walk, const uint8_t *truth, int class, const double *a, const double *b)
{
    const double n = walk->of[class], other = walk->of[!class];
    double       mean_a = 0, mean_b = 0, sum = 0;

    for (size_t i = 0; i < walk->known; i++) {
        const size_t item = walk->place[i].item;

        if ((truth[item] != 0) == class) mean_a += a[item] / n, mean_b += b[item] / n;
    }
    for (size_t i = 0; i < walk->known; i++) {
        const size_t item = walk->place[i].item;

        if ((truth[item] != 0) == class) sum += (a[item] - mean_a) / other * ((b[item] - mean_b) / other);
    }
    return n > 1 ? sum / (n - 1) : NAN;
}

/* DeLong's covariance of two areas; of one with itself its variance. */
static double areas_covariance(const struct walk *walk, const uint8_t *truth, const double *a, const double *b)
{
    return covariance(walk, truth, 1, a, b) / walk->of[1] + covariance(walk, truth, 0, a, b) / walk->of[0];
}

static double area(const struct walk *walk, const uint8_t *truth, const double *won)
{
    double wins = 0;

    for (size_t i = 0; i < walk->known; i++)
        if (truth[walk->place[i].item]) wins += won[walk->place[i].item];
    return walk->of[0] > 0 && walk->of[1] > 0 ? wins / (walk->of[1] * walk->of[0]) : NAN;
}

/* Is `auc` further from an area `theta` than 1.96 of the standard errors that an area of theta has?  The variance is
 * Hanley and McNeil's, both classes counting as the mean of their sizes. */
static bool is_far(double auc, double theta, double ones, double zeros)
{
    const double more = (ones + zeros) / 2 - 1,
        variance = theta * (1 - theta) * (1 + more * ((1 - theta) / (2 - theta) + theta / (1 + theta))) / ones / zeros;

    return (auc - theta) * (auc - theta) > z95 * z95 * variance;
}

/* Where that begins, from the area towards `end`. */
static double newcombe(const struct roc *of, double end)
{
    double near = of->auc, far = end;

    for (int round = 0; round < 60; round++) {
        const double middle = (near + far) / 2;

        if (is_far(of->auc, middle, (double)of->ones, (double)of->zeros)) far = middle;
        else near = middle;
    }
    return far;
}

static void interval(struct roc *out)
{
    const double odds = out->auc / (1 - out->auc), error = sqrt(out->variance) / (out->auc * (1 - out->auc));

    if (out->variance > 0 && out->auc > 0 && out->auc < 1) {
        out->low = odds / (odds + exp(z95 * error));
        out->high = odds / (odds + exp(-z95 * error));
    } else {
        out->low = out->auc > 0 ? newcombe(out, 0) : 0;
        out->high = out->auc < 1 ? newcombe(out, 1) : 1;
    }
}

int roc_measure(const double *value, const uint8_t *truth, size_t count, struct roc *out, struct err *err)
{
    double     *won = malloc((count + 1) * sizeof *won);
    struct walk walk = { 0 };
    int         rc = won ? walk_open(&walk, value, NULL, truth, count, err)
        : err_memory(err, count * sizeof *won, "a ranking");

    *out = (struct roc){ NAN, NAN, NAN, NAN, 0, 0 };
    if (rc == 0) {
        walk_wins(&walk, truth, won);
        out->ones = (size_t)walk.of[1], out->zeros = (size_t)walk.of[0];
        out->auc = area(&walk, truth, won);
    }
    if (!isnan(out->auc)) {
        out->variance = areas_covariance(&walk, truth, won, won);
        interval(out);
    }
    free(walk.place);
    free(won);
    return rc;
}

static double p_of(double difference, double error)
{
    if (error > 0) return 2 * normal_above(fabs(difference) / error);
    return error == 0 && difference == 0 ? 1 : NAN;
}

/* Where both rank alike the variance of the difference is 0 but for its rounding. */
static double error_of(double variance, double of_a, double of_b)
{
    return variance <= 1e-14 * (of_a + of_b) ? 0 : sqrt(variance);
}

int roc_compare(const double *a, const double *b, const uint8_t *truth, size_t count, struct roc_pair *out,
                struct err *err)
{
    double     *won = malloc((2 * count + 1) * sizeof *won), *const other = won + count;
    struct walk walk[2] = { { 0 }, { 0 } };
    int         rc = won ? walk_open(&walk[0], a, b, truth, count, err)
        : err_memory(err, 2 * count * sizeof *won, "a ranking");

    *out = (struct roc_pair){ { NAN, NAN }, NAN, NAN, NAN, 0, 0 };
    if (rc == 0) rc = walk_open(&walk[1], b, a, truth, count, err);
    if (rc == 0) {
        walk_wins(&walk[0], truth, won);
        walk_wins(&walk[1], truth, other);
        out->ones = (size_t)walk[0].of[1], out->zeros = (size_t)walk[0].of[0];
        out->auc[0] = area(&walk[0], truth, won);
        out->auc[1] = area(&walk[1], truth, other);
    }
    if (out->ones > 1 && out->zeros > 1) {
        const double of_a = areas_covariance(&walk[0], truth, won, won),
            of_b = areas_covariance(&walk[0], truth, other, other),
            both = areas_covariance(&walk[0], truth, won, other);

        out->difference = out->auc[0] - out->auc[1];
        out->error = error_of(of_a + of_b - 2 * both, of_a, of_b);
        out->p = p_of(out->difference, out->error);
    }
    free(walk[0].place);
    free(walk[1].place);
    free(won);
    return rc;
}

int roc_rate(const double *value, const uint8_t *truth, size_t count, size_t one_in, struct roc_rate *out,
             struct err *err)
{
    struct walk walk;
    double      above[2] = { 0 }, equal[2];
    int         rc = walk_open(&walk, value, NULL, truth, count, err);

    *out = (struct roc_rate){ 0 };
    if (rc < 0) return rc;
    out->ones = (size_t)walk.of[1], out->zeros = (size_t)walk.of[0];
    out->decided = out->ones > 0 && out->zeros >= one_in;
    /* from below: all items from here on reach the threshold, which is too low while there are too many alarms */
    above[0] = walk.of[0], above[1] = walk.of[1];
    for (size_t from = 0; from < walk.known && above[0] > (double)(out->zeros / one_in);) {
        from = equals_end(&walk, truth, from, equal);
        above[0] -= equal[0];
        above[1] -= equal[1];
    }
    out->alarms = (size_t)above[0];
    out->hits = (size_t)above[1];
    free(walk.place);
    return 0;
}
