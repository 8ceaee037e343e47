/* learn/curve.c -- see curve.h. */
#include "learn/curve.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

void calibration_curve(const double *probability, const uint8_t *truth, size_t count, size_t bins,
                       struct calibration_bin *out, double *brier)
{
    *brier = count ? 0 : NAN;
    for (size_t b = 0; b < bins; b++)
        out[b] = (struct calibration_bin){ .low = (double)b / (double)bins, .high = (double)(b + 1) / (double)bins };
    for (size_t i = 0; i < count; i++) {
        double p = probability[i], off = p - (truth[i] != 0);
        size_t b = 0;

        while (b + 1 < bins && p > out[b].high) b++;
        out[b].count++;
        out[b].mean += p;
        out[b].share += truth[i] != 0;
        *brier += off * off / (double)count;
    }
    for (size_t b = 0; b < bins; b++) {
        out[b].mean = out[b].count ? out[b].mean / (double)out[b].count : NAN;
        out[b].share = out[b].count ? out[b].share / (double)out[b].count : NAN;
    }
}

struct item { double value; uint8_t truth; };

static int descending(const void *a, const void *b)
{
    const double x = ((const struct item *)a)->value, y = ((const struct item *)b)->value;

    return (x < y) - (x > y);
}

int roc_curve(const double *value, const uint8_t *truth, size_t count, struct roc_point **out, size_t *points,
              struct err *err)
{
    struct item *item = malloc((count + 1) * sizeof *item);
    size_t       used = 0;
    double       seen[2] = { 0, 0 }, all[2] = { 0, 0 };

    *points = 0;
    *out = malloc((count + 1) * sizeof **out);
    if (!item || !*out) {
        free(item);
        free(*out);
        *out = NULL;
        return err_memory(err, (count + 1) * sizeof **out, "a ROC curve");
    }
    for (size_t i = 0; i < count; i++) {
        if (isnan(value[i])) continue;
        item[used++] = (struct item){ value[i], truth[i] != 0 };
        all[truth[i] != 0]++;
    }
    qsort(item, used, sizeof *item, descending);
    (*out)[(*points)++] = (struct roc_point){ INFINITY, all[0] > 0 ? 0 : NAN, all[1] > 0 ? 0 : NAN };
    for (size_t i = 0; i < used; i++) {
        seen[item[i].truth]++;
        if (i + 1 < used && item[i + 1].value == item[i].value) continue;
        (*out)[(*points)++] = (struct roc_point){ item[i].value, seen[0] / all[0], seen[1] / all[1] };
    }
    free(item);
    return 0;
}
