/* stats/ties.c -- see ties.h. */
#include "stats/ties.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int by_number(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

int ties_take(const double *value, size_t count, struct ties *out)
{
    double *sorted = malloc((count + 1) * sizeof *sorted);

    *out = (struct ties){ 0, 0 };
    if (!sorted) return -ENOMEM;
    if (count) memcpy(sorted, value, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_number);
    for (size_t i = 0, next; i < count; i = next) {
        double t;

        for (next = i + 1; next < count && sorted[next] <= sorted[i]; next++) continue;
        t = (double)(next - i);
        out->squares += t * t;
        out->cubes += t * t * t;
    }
    free(sorted);
    return 0;
}
