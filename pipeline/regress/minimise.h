/* regress/minimise.h -- the least value of a smooth function of a few numbers that has no derivatives at hand.
 *
 * Slopes and curvatures come from differences, steps from BFGS's approximation of the inverse curvature, shortened
 * until the value falls enough (Nocedal and Wright 2006, Numerical Optimization, ch. 6 and 8). */
#ifndef LEAKGRAPH_REGRESS_MINIMISE_H
#define LEAKGRAPH_REGRESS_MINIMISE_H

#include <stdbool.h>
#include <stddef.h>

/* INFINITY where there is no value. */
struct minimised { double (*at)(void *context, const double *x); void *context; size_t count; };

/* x: where to begin, then the place.  unit: about how far each number has to go for the value to change by 1; it is
 * measured where it is not right.  0 with the least value in *value; -ERANGE: no place from which there is no way down
 * was found; -ENOMEM. */
int minimise(const struct minimised *f, double *x, double *unit, double *value);

/* Second derivatives at x, row by row [count * count], by differences of a hundredth of the units.  0 or -ENOMEM. */
int minimise_curvature(const struct minimised *f, const double *x, const double *unit, double *out);

#endif
