/* stats/ranking.c -- see ranking.h. */
#include "stats/ranking.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Truth by value; qsort has no place for the values themselves. */
struct place { double value; bool one; };

static int by_falling_value(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (isnan(x->value) || isnan(y->value)) return isnan(x->value) - isnan(y->value);
    return (y->value > x->value) - (y->value < x->value);
}

int precision_at(const double *value, const uint8_t *truth, size_t count, size_t n, double *out, struct err *err)
{
    struct place *place = malloc((count + 1) * sizeof *place);
    double        hits = 0;

    *out = NAN;
    if (!place) return err_memory(err, count * sizeof *place, "a ranking");
    if (n > count) n = count;
    for (size_t i = 0; i < count; i++) place[i] = (struct place){ value[i], truth[i] != 0 };
    qsort(place, count, sizeof *place, by_falling_value);
    for (size_t from = 0, to = 0; from < n; from = to) {
        size_t ones = 0, within;

        for (; to < count && by_falling_value(&place[from], &place[to]) == 0; to++) ones += place[to].one;
        within = (to < n ? to : n) - from;                  /* all of them, or the places that are left */
        hits += within == to - from ? (double)ones : (double)within * (double)ones / (double)(to - from);
    }
    if (n) *out = hits / (double)n;
    free(place);
    return 0;
}
