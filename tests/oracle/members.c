/* tests/oracle/members.c -- what pipeline/stats says of the samples on standard input, for members.py.
 *   roc N, then N times TRUTH A B    area, variance, low and high of A; its difference to B, error, p; hits, alarms of
 *                                    A at one in 10
 *   order SHARDS SHUFFLES, then as many times 1 + SHUFFLES numbers      gain, t, p, p_orders */
#include "stats/order.h"
#include "stats/roc.h"

#include <stdio.h>
#include <stdlib.h>

static double number(void)
{
    double out;

    if (scanf("%lf", &out) != 1) exit(2);
    return out;
}

static void roc(size_t count)
{
    double         *a = malloc((count + 1) * sizeof *a), *b = malloc((count + 1) * sizeof *b);
    uint8_t        *truth = malloc(count + 1);
    struct err      err = { 0 };
    struct roc      one;
    struct roc_pair two;
    struct roc_rate rate;

    if (!a || !b || !truth) exit(2);
    for (size_t i = 0; i < count; i++) truth[i] = number() > 0, a[i] = number(), b[i] = number();
    if (roc_measure(a, truth, count, &one, &err) < 0 || roc_compare(a, b, truth, count, &two, &err) < 0 ||
        roc_rate(a, truth, count, 10, &rate, &err) < 0) exit(2);
    printf("%.17g %.17g %.17g %.17g %.17g %.17g %.17g %zu %zu\n", one.auc, one.variance, one.low, one.high,
           two.difference, two.error, two.p, rate.hits, rate.alarms);
    free(a);
    free(b);
    free(truth);
}

static void order(size_t shards, size_t shuffles)
{
    const size_t      count = shards * (1 + shuffles);
    double           *logprob = malloc((count + 1) * sizeof *logprob);
    struct order_test test;

    if (!logprob) exit(2);
    for (size_t i = 0; i < count; i++) logprob[i] = number();
    order_test(logprob, shards, shuffles, &test);
    printf("%.17g %.17g %.17g %.17g\n", test.gain, test.t, test.p, test.p_orders);
    free(logprob);
}

int main(void)
{
    char   word[8];
    size_t first, second;

    while (scanf("%7s %zu", word, &first) == 2) {
        if (*word == 'r') roc(first);
        else if (scanf("%zu", &second) == 1) order(first, second);
        else return 2;
    }
    return 0;
}
