/* stats/line.c -- see line.h. */
#include "stats/line.h"

#include "stats/distribution.h"

#include <math.h>
#include <stdbool.h>

struct line line_fit(const double *x, const double *y, size_t count)
{
    const double n = (double)count;
    struct line  out = { NAN, NAN, NAN, NAN, NAN, NAN };
    double       mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0, rest = 0, half;
    bool         flat = true, even = true;

    for (size_t i = 0; i < count; i++) {
        mean_x += x[i] / n;
        mean_y += y[i] / n;
        flat &= !(x[i] < x[0] || x[i] > x[0]);
        even &= !(y[i] < y[0] || y[i] > y[0]);
    }
    if (flat) return out;
    if (even) mean_y = y[0];                                /* whose last digit may be off */
    for (size_t i = 0; i < count; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        yy += (y[i] - mean_y) * (y[i] - mean_y);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    out.slope = xy / xx;
    out.intercept = mean_y - out.slope * mean_x;
    if (count < 3) return out;
    for (size_t i = 0; i < count; i++) {
        const double off = y[i] - mean_y - out.slope * (x[i] - mean_x);

        rest += off * off;
    }
    out.error = sqrt(rest / (n - 2) / xx);
    half = student_quantile(0.05, n - 2) * out.error;
    out.low = out.slope - half;
    out.high = out.slope + half;
    out.p = even ? 1 : beta_incomplete((n - 2) / 2, 0.5, rest / yy);
    return out;
}
