/* stats/line.h -- the straight line through points by least squares, and how well its slope is known. */
#ifndef LEAKGRAPH_STATS_LINE_H
#define LEAKGRAPH_STATS_LINE_H

#include <stddef.h>

/* y = intercept + slope x.  error: the slope's standard error; low, high: its 95 % interval by Student's t with count -
 * 2 degrees of freedom; p of a slope of 0, two-sided.  slope and intercept are NaN with fewer than two points or where
 * all x are equal; the others then, too, and with two points.  Where all y are equal p is 1. */
struct line { double slope, intercept, error, low, high, p; };

struct line line_fit(const double *x, const double *y, size_t count);    /* neither x nor y may be NaN */

#endif
