/* stats/ties.h -- how many of some numbers are equal, which variances of ranks depend on. */
#ifndef LEAKGRAPH_STATS_TIES_H
#define LEAKGRAPH_STATS_TIES_H

#include <stddef.h>

/* Sums over the runs of t equal numbers, those that stand alone among them: so that of t itself is the count, and of t
 * (t - 1), say, squares - count. */
struct ties { double squares, cubes; };

int ties_take(const double *value, size_t count, struct ties *out);     /* none may be NaN; 0, or -ENOMEM */

#endif
