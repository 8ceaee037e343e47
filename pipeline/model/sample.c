/* model/sample.c -- see sample.h.
 *
 * What a sorted list would give is found without sorting it: a list is cut at a pivot, and only the part goes on in
 * which the answer lies.  Where pivots do not help, as in an order made for it, the part is sorted after all. */
#include "model/sample.h"

#include <math.h>
#include <stdlib.h>

enum { PASSES = 16 };                                       /* three or four are usual */

double sample_temperature(const struct model_sampling *sampling, uint32_t step)
{
    if (step >= sampling->decay_tokens) return sampling->temperature;
    return sampling->decay_from - (sampling->decay_from - sampling->temperature) * step / sampling->decay_tokens;
}

static uint64_t mix(uint64_t x)                             /* splitmix64's output function */
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

double sample_uniform(uint64_t seed, uint32_t step, uint32_t draw)
{
    uint64_t x = mix(mix(seed + 0x9e3779b97f4a7c15u) + ((uint64_t)step << 32 | draw) * 0x9e3779b97f4a7c15u);

    return (double)(x >> 11) * 0x1p-53;
}

/* ---- selection ---- */

static bool before(const struct sample_candidate *a, const struct sample_candidate *b)
{
    return a->logprob != b->logprob ? a->logprob > b->logprob : a->id < b->id;
}

static void swap(struct sample_candidate *a, struct sample_candidate *b)
{
    struct sample_candidate kept = *a;

    *a = *b;
    *b = kept;
}

/* Chooses a pivot in [from, end), and puts what comes before it in order at the front; returns where it stands then. */
static size_t partition(struct sample_candidate *c, size_t from, size_t end)
{
    size_t middle = from + (end - from) / 2, last = end - 1, at = from;

    if (before(&c[middle], &c[from])) swap(&c[middle], &c[from]);
    if (before(&c[last], &c[from])) swap(&c[last], &c[from]);
    if (before(&c[middle], &c[last])) swap(&c[middle], &c[last]);           /* the median of three is last */
    for (size_t i = from; i < last; i++)
        if (before(&c[i], &c[last])) swap(&c[i], &c[at++]);
    swap(&c[at], &c[last]);
    return at;
}

static int compare(const void *a, const void *b) { return before(a, b) ? -1 : before(b, a); }

/* Whether [from, end), which is to be partitioned, would be more than PASSES times the list; it is sorted then. */
static bool sorted_instead(struct sample_candidate *c, size_t from, size_t end, size_t count, size_t *looked_at)
{
    *looked_at += end - from;
    if (*looked_at / PASSES <= count) return false;
    qsort(c + from, end - from, sizeof *c, compare);
    return true;
}

/* Leaves the first k in order at the front, in any order among themselves. */
static void select_count(struct sample_candidate *c, size_t count, size_t k)
{
    size_t from = 0, end = count, looked_at = 0;

    while (from < k && end - from > 1 && !sorted_instead(c, from, end, count, &looked_at)) {
        size_t at = partition(c, from, end);

        if (at >= k) end = at;
        else from = at + 1;
    }
}

/* Numbers are weights here: how many of the first in order reach the sum together (all of them when they do not), and
 * these at the front; the last of them at their end. */
static size_t select_weight(struct sample_candidate *c, size_t count, double sum)
{
    size_t from = 0, end = count, looked_at = 0;

    while (end - from > 1) {
        size_t at;
        double part = 0;

        if (sorted_instead(c, from, end, count, &looked_at)) {
            while (from + 1 < end && c[from].logprob < sum) sum -= c[from++].logprob;
            break;
        }
        at = partition(c, from, end);

        for (size_t i = from; i < at; i++) part += c[i].logprob;
        if (at > from && part >= sum) {
            end = at;
            continue;
        }
        sum -= part;
        if (c[at].logprob >= sum) return at + 1;
        sum -= c[at].logprob;
        from = at + 1;
    }
    return end > from ? from + 1 : end;                     /* rounding may leave nothing: then it is the last */
}

/* Logarithms become weights, the largest 1; those of 0 are left out.  Returns how many stay, and their sum. */
static size_t weigh(struct sample_candidate *c, size_t count, double most, double temperature, double *sum)
{
    size_t stay = 0;

    *sum = 0;
    for (size_t i = 0; i < count; i++) {
        double weight = c[i].logprob == most ? 1 : exp((c[i].logprob - most) / temperature);

        if (!(weight > 0)) continue;
        c[stay++] = (struct sample_candidate){ c[i].id, weight };
        *sum += weight;
    }
    return stay;
}

uint32_t sample_pick(struct sample_candidate *c, size_t count, const struct model_sampling *sampling, uint32_t step)
{
    double temperature = sample_temperature(sampling, step), sum;
    size_t first = 0;

    for (size_t i = 0; i < count; i++) {
        if (isnan(c[i].logprob)) c[i].logprob = -INFINITY;
        if (before(&c[i], &c[first])) first = i;
    }
    if (!(temperature > 0) || isinf(c[first].logprob) || sampling->top_k == 1) return c[first].id;
    if (sampling->top_k && sampling->top_k < count) {
        swap(&c[0], &c[first]);
        select_count(c + 1, count - 1, sampling->top_k - 1);
        count = sampling->top_k;
        first = 0;
    }
    count = weigh(c, count, c[first].logprob, temperature, &sum);
    if (sampling->top_p < 1) {
        count = select_weight(c, count, sampling->top_p * sum);
        sum = 0;
        for (size_t i = 0; i < count; i++) sum += c[i].logprob;
    }
    count = select_weight(c, count, (1 - sample_uniform(sampling->seed, step, 0)) * sum);
    return c[count - 1].id;
}
