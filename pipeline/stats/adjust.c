/* stats/adjust.c -- see adjust.h. */
#include "stats/adjust.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

struct placed { double p; size_t at; };

static int compare_placed(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    return x->p < y->p ? -1 : x->p > y->p ? 1 : (x->at > y->at) - (x->at < y->at);
}

int holm_adjust(const double *p, size_t count, double *out)
{
    struct placed *placed = malloc((count + 1) * sizeof *placed);
    size_t         n = 0;
    double         largest = 0;

    if (!placed) return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        out[i] = NAN;
        if (!isnan(p[i])) placed[n++] = (struct placed){ p[i], i };
    }
    qsort(placed, n, sizeof *placed, compare_placed);
    for (size_t i = 0; i < n; i++) {
        const double times = (double)(n - i) * placed[i].p;

        if (times > largest) largest = times;
        out[placed[i].at] = largest < 1 ? largest : 1;
    }
    free(placed);
    return 0;
}
