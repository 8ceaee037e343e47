/* base/slots.h -- ids of 64-bit keys in slots that a file may keep as they are: open addressing, at most three quarters
 * full.
 *
 * A key is never 0.  Where a key lies depends on the process's factor (base/scatter.h), which goes into the file with
 * it.  A zeroed struct is empty. */
#ifndef LEAKGRAPH_BASE_SLOTS_H
#define LEAKGRAPH_BASE_SLOTS_H

#include "base/scatter.h"

#include <stddef.h>

struct slots {
    uint64_t *key;                                          /* [1 << bits]; 0: free */
    uint32_t *id;                                           /* [1 << bits] */
    unsigned  bits;
};

/* Room for so many keys in all, in no fewer than 2^least slots.  0; -ENOMEM (then they are unchanged). */
int  slots_reserve(struct slots *slots, uint64_t keys, unsigned least);
void slots_free(struct slots *slots);

/* Where to look for a key first; the slot that holds it, or the free one where it belongs. */
static inline uint64_t slots_first(const struct slots *slots, uint64_t key)
{
    return scatter(key, scatter_factor[0], 64 - slots->bits);
}

static inline uint64_t slots_find(const struct slots *slots, uint64_t key)
{
    uint64_t at = slots_first(slots, key);

    while (slots->key[at] && slots->key[at] != key) at = (at + 1) & ((1ull << slots->bits) - 1);
    return at;
}

#endif
