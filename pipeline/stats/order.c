/* stats/order.c -- see order.h. */
#include "stats/order.h"

#include "stats/distribution.h"

#include <math.h>

static double gain_of(const double *logprob, size_t shuffles)
{
    double sum = 0;

    for (size_t s = 1; s <= shuffles; s++) sum += logprob[0] - logprob[s];
    return sum / (double)shuffles;
}

/* Student's test of the gains: one-sided from a two-sided tail. */
static void by_shards(const double *logprob, struct order_test *out)
{
    const double n = (double)out->shards;
    double       squares = 0, half;

    for (size_t i = 0; i < out->shards; i++) {
        const double off = gain_of(logprob + i * (out->shuffles + 1), out->shuffles) - out->gain;

        squares += off * off;
    }
    if (out->shards < 2 || !(squares > 0)) return;
    out->t = out->gain / sqrt(squares / (n - 1) / n);
    half = student_beyond(out->t, n - 1) / 2;
    out->p = out->t > 0 ? half : 1 - half;
}

/* Sums of differences, so that shuffles which are the given order are as probable to the last bit. */
static void by_orders(const double *logprob, struct order_test *out)
{
    size_t reached = 0;

    for (size_t s = 1; s <= out->shuffles; s++) {
        double over = 0;

        for (size_t i = 0; i < out->shards; i++) {
            const double *shard = logprob + i * (out->shuffles + 1);

            over += shard[s] - shard[0];
        }
        reached += over >= 0;
    }
    out->p_orders = (1 + (double)reached) / (1 + (double)out->shuffles);
}

void order_test(const double *logprob, size_t shards, size_t shuffles, struct order_test *out)
{
    double sum = 0;

    *out = (struct order_test){ shards, shuffles, NAN, NAN, NAN, NAN };
    if (shards == 0 || shuffles == 0) return;
    for (size_t i = 0; i < shards; i++) sum += gain_of(logprob + i * (shuffles + 1), shuffles);
    out->gain = sum / (double)shards;
    by_shards(logprob, out);
    by_orders(logprob, out);
}
