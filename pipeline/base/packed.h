/* base/packed.h -- an array of numbers below 2^40 in five bytes each: what billions of ids and ordinals may take.
 *
 * A zeroed struct is none.  Threads may write different elements and read others at the same time. */
#ifndef LEAKGRAPH_BASE_PACKED_H
#define LEAKGRAPH_BASE_PACKED_H

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PACKED_BITS = 40, PACKED_BYTES = 5 };

struct packed { unsigned char *at; };                       /* owned */

/* So many elements, not set; what it held is gone.  0 or -ENOMEM. */
static inline int packed_open(struct packed *p, uint64_t count)
{
    free(p->at);
    p->at = count < SIZE_MAX / PACKED_BYTES ? malloc((count + 1) * PACKED_BYTES) : NULL;
    return p->at ? 0 : -ENOMEM;
}

static inline void packed_free(struct packed *p)
{
    free(p->at);
    p->at = NULL;
}

static inline uint64_t packed_get(const struct packed *p, uint64_t i)
{
    const unsigned char *at = p->at + i * PACKED_BYTES;
    uint32_t             low;

    memcpy(&low, at, sizeof low);
    return (uint64_t)at[4] << 32 | low;
}

/* value: the 40 low bits of it are kept. */
static inline void packed_set(struct packed *p, uint64_t i, uint64_t value)
{
    unsigned char *at = p->at + i * PACKED_BYTES;
    const uint32_t low = (uint32_t)value;

    memcpy(at, &low, sizeof low);
    at[4] = (unsigned char)(value >> 32);
}

#endif
