/* regress/envelope.h -- symmetric positive-definite matrices of which each row is kept from its first number on.
 *
 * Cholesky's factor has no numbers outside that envelope (George and Liu 1981, Computer Solution of Large Sparse
 * Positive Definite Systems, ch. 4): what stands apart costs its diagonal, what all hangs together a triangle. */
#ifndef LEAKGRAPH_REGRESS_ENVELOPE_H
#define LEAKGRAPH_REGRESS_ENVELOPE_H

#include <stdbool.h>
#include <stddef.h>

struct envelope { size_t size, count; size_t *first, *start; double *at; };         /* count: of numbers kept */

/* first [size]: the first column of each row, at most the row itself; it is copied.  All numbers are 0.  0; -E2BIG:
 * more than ENVELOPE_MOST numbers; -ENOMEM.  Close accepts a zeroed struct. */
#define ENVELOPE_MOST ((size_t)1 << 23)                     /* 4,096 crossed levels: minutes, by the cube of them */
int  envelope_open(struct envelope *e, size_t size, const size_t *first);
void envelope_close(struct envelope *e);
void envelope_clear(struct envelope *e);

/* column: from the row's first to the row. */
static inline double *envelope_at(const struct envelope *e, size_t row, size_t column)
{
    return e->at + e->start[row] + (column - e->first[row]);
}

/* The first `size` rows become L of L L' = A.  False: they are not positive-definite. */
bool envelope_factor(struct envelope *e, size_t size);

/* x becomes L^-1 x, and L'^-1 x. */
void envelope_forward(const struct envelope *e, size_t size, double *x);
void envelope_back(const struct envelope *e, size_t size, double *x);

#endif
