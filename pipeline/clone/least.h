/* clone/least.h -- the smallest keys of any range of an array, without looking at the whole range. */
#ifndef LEAKGRAPH_CLONE_LEAST_H
#define LEAKGRAPH_CLONE_LEAST_H

#include <stddef.h>
#include <stdint.h>

#define LEAST_NONE UINT32_MAX                               /* a key that is never taken */
enum { LEAST_MAX = 100 };                                   /* keys that one call may take */

/* key[count] is borrowed; others differ from each other */
struct least { const uint32_t *key; uint32_t *tree; size_t count; };

int    least_open(struct least *out, const uint32_t *key, size_t count);    /* 0 or -ENOMEM */
void   least_close(struct least *least);                    /* accepts a zeroed one */

/* Puts the places of the smallest keys of key[from .. to), smallest first, at most `most` of them (up to LEAST_MAX),
 * into place.  Returns how many. */
size_t least_take(const struct least *least, size_t from, size_t to, size_t most, size_t *place);

#endif
