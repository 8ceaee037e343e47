/* regress/orthogonal.h -- columns made orthonormal, those that the ones before them make up left out.
 *
 * A fit in such columns loses no digits to columns that are large, far from 0 or nearly the same; its coefficients are
 * those of the columns as they were after one triangular solve. */
#ifndef LEAKGRAPH_REGRESS_ORTHOGONAL_H
#define LEAKGRAPH_REGRESS_ORTHOGONAL_H

#include <stdbool.h>
#include <stddef.h>

/* column [of]: which of the given columns the i-th is.  r: X = Q R for those, row by row, [of * of]. */
struct orthogonal { size_t of; size_t *column; double *r; };

/* x: rows x columns, row by row; becomes Q, its first `of` columns in rows of so many numbers.  A column is left out
 * when less than 1e-7 of its length stands apart from those before it, as in lm of R.  0 or -ENOMEM. */
int  orthogonal_make(struct orthogonal *o, double *x, size_t rows, size_t columns);
void orthogonal_free(struct orthogonal *o);

/* vector [of] becomes R^-1 vector: coefficients of Q those of X. */
void orthogonal_undo(const struct orthogonal *o, double *vector);

double orthogonal_log(const struct orthogonal *o);          /* log |det R| */

#endif
