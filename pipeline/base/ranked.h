/* base/ranked.h -- a set of numbers below a limit, a bit each, that knows the place of a member among the members, and
 * the member at a place.
 *
 * Half more than the bits, and 8 bytes of 64 members (rank and select; Jacobson, Space-efficient static trees and
 * graphs, 1989).  A zeroed struct is empty. */
#ifndef LEAKGRAPH_BASE_RANKED_H
#define LEAKGRAPH_BASE_RANKED_H

#include "base/bits.h"

#include <stddef.h>

#define RANKED_NONE UINT32_MAX

struct ranked {
    uint64_t *bits;                                         /* [limit / 64 + 1] */
    uint32_t *before;                                       /* [limit / 64 + 1] members before those of a word */
    uint64_t *word;                                         /* of every 64th member; one more: the last */
    uint64_t  limit;
    uint32_t  count;
};

/* None of the numbers below the limit is in it.  0 or -ENOMEM; free it either way. */
int  ranked_open(struct ranked *r, uint64_t limit);
void ranked_free(struct ranked *r);

static inline void ranked_add(struct ranked *r, uint64_t number) { bits_set(r->bits, number); }

/* Any number may be asked for. */
static inline bool ranked_has(const struct ranked *r, uint64_t number)
{
    return number < r->limit && bits_has(r->bits, number);
}

/* No more are added; before anything of what follows.  0; -EOVERFLOW: for so many members, nearly 2^32, there are no
 * places; -ENOMEM. */
int ranked_end(struct ranked *r);

/* How many members are smaller; RANKED_NONE: it is no member. */
static inline uint32_t ranked_place(const struct ranked *r, uint64_t number)
{
    if (!ranked_has(r, number)) return RANKED_NONE;
    return r->before[number >> 6] +
        (uint32_t)__builtin_popcountll(r->bits[number >> 6] & ((1ull << (number & 63)) - 1));
}

/* The member before which there are `place` others, place < count. */
uint64_t ranked_at(const struct ranked *r, uint32_t place);

#endif
