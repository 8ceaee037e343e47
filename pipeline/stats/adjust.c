/* stats/adjust.c -- see adjust.h. */
#include "stats/adjust.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

struct placed { double p; size_t at; };

static int compare_placed(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    return x->p < y->p ? -1 : x->p > y->p ? 1 : (x->at > y->at) - (x->at < y->at);
}

/* Those that are numbers, the smallest first, and NaN as every out; SIZE_MAX when memory is out. */
static size_t placed_make(const double *p, size_t count, double *out, struct placed **made)
{
    struct placed *placed = malloc((count + 1) * sizeof *placed);
    size_t         n = 0;

    *made = placed;
    if (!placed) return SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        out[i] = NAN;
        if (!isnan(p[i])) placed[n++] = (struct placed){ p[i], i };
    }
    qsort(placed, n, sizeof *placed, compare_placed);
    return n;
}

int holm_adjust(const double *p, size_t count, double *out)
{
    struct placed *placed;
    const size_t   n = placed_make(p, count, out, &placed);
    double         largest = 0;

    if (n == SIZE_MAX) return -ENOMEM;
    for (size_t i = 0; i < n; i++) {
        const double times = (double)(n - i) * placed[i].p;

        if (times > largest) largest = times;
        out[placed[i].at] = largest < 1 ? largest : 1;
    }
    free(placed);
    return 0;
}

int benjamini_hochberg(const double *p, size_t count, double *out)
{
    struct placed *placed;
    const size_t   n = placed_make(p, count, out, &placed);
    double         least = 1;

    if (n == SIZE_MAX) return -ENOMEM;
    for (size_t i = n; i-- > 0;) {
        const double times = (double)n / (double)(i + 1) * placed[i].p;

        if (times < least) least = times;
        out[placed[i].at] = least;
    }
    free(placed);
    return 0;
}
