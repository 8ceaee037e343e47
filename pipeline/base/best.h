/* base/best.h -- of very many rows the best few of each group, and how many each group had, without holding them all.
 *
 * Rows are collected until there are twice as many as were kept the last time; then they are put in order, and of each
 * group the best `most` stay.  So memory is bounded by twice the result, and every row is sorted a few times only.
 * How many a group had is carried along in the rows: each counts itself and the `more` that are gone, which its
 * group's best row tells. */
#ifndef LEAKGRAPH_BASE_BEST_H
#define LEAKGRAPH_BASE_BEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct best {
    size_t      size;                                       /* bytes of a row */
    size_t      more;                                       /* offset in a row of its uint64_t `more` */
    uint64_t    most;                                       /* rows that a group keeps, 1 at least */
    /* by group, then the best first; equal rows may come in any order.  Are two of one group? */
    int       (*order)(const void *a, const void *b, void *context);
    bool      (*same)(const void *a, const void *b, void *context);
    void       *context;
    char       *at;                                         /* [count] owned: best_free, or whoever takes it */
    size_t      count, room, limit;                         /* zeroed at first */
};

/* Adds a copy of a row, whose `more` is set to 0.  0 or -ENOMEM. */
int  best_add(struct best *best, const void *row);

/* The rows in order, and of each group `most` at most; `more` of a group's first row: how many are not there. */
void best_finish(struct best *best);
void best_free(struct best *best);

#endif
