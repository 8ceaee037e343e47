/* report/curves.h -- curves in the unit square as a picture: one SVG file that needs nothing else, for light and dark
 * pages, with a text for those who do not see it. */
#ifndef LEAKGRAPH_REPORT_CURVES_H
#define LEAKGRAPH_REPORT_CURVES_H

#include "base/bytes.h"
#include "base/slice.h"

struct curve_point { double x, y; };                        /* 0 .. 1 each; NaN: is left out */
/* name: any bytes, shown as text; note: behind it, as "AUC 0.981".  All borrowed. */
struct curve { struct slice name; const char *note; const struct curve_point *point; size_t count; };

/* Appends the picture; the diagonal is what chance gives.  title, across, up: plain ASCII.  0 or -ENOMEM. */
int curves_svg(struct bytes *out, const char *title, const char *across, const char *up, const struct curve *curve,
               size_t count);

#endif
