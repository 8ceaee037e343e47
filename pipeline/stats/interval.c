/* stats/interval.c -- see interval.h. */
#include "stats/interval.h"

#include "stats/distribution.h"

#include <math.h>

void wilson_interval(uint64_t hits, uint64_t trials, double *low, double *high)
{
    const double z = NORMAL_95;
    double       n = (double)trials, share, centre, half;

    *low = 0;
    *high = 1;
    if (trials == 0) return;
    if (hits > trials) hits = trials;
    share = (double)hits / n;
    centre = (share + z * z / (2 * n)) / (1 + z * z / n);
    half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n));
    /* At the ends the formula gives exactly 0 and 1, its rounding does not. */
    if (hits > 0) *low = centre - half;
    if (hits < trials) *high = centre + half;
}
