/* stats/summary.c -- see summary.h. */
#include "stats/summary.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_number(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

int summary_take(const double *value, size_t count, struct summary *out)
{
    double *sorted = malloc((count + 1) * sizeof *sorted);
    double  sum = 0, squares = 0;

    *out = (struct summary){ count, NAN, NAN, NAN, NAN, NAN, NAN };
    if (!sorted) return -ENOMEM;
    if (count) {
        memcpy(sorted, value, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, by_number);
        for (size_t i = 0; i < count; i++) sum += value[i];
        /* the mean of equal numbers may be off in its last digit, and they would vary */
        out->mean = sorted[0] < sorted[count - 1] ? sum / (double)count : sorted[0];
        for (size_t i = 0; i < count; i++) squares += (value[i] - out->mean) * (value[i] - out->mean);
        out->least = sorted[0];
        out->most = sorted[count - 1];
        out->median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
        out->deviation = sqrt(squares / (double)count);
        if (count > 1) out->variance = squares / (double)(count - 1);
    }
    free(sorted);
    return 0;
}
