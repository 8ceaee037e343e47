/* similarity/datasketch.h -- MinHash signatures as the Python package datasketch (release 1.6) makes them, slot by
 * slot.
 *
 * Not the signatures of view/signature.h, which are faster and the project's own: these are for numbers that can be set
 * beside those of papers that used the package. */
#ifndef LEAKGRAPH_SIMILARITY_DATASKETCH_H
#define LEAKGRAPH_SIMILARITY_DATASKETCH_H

#include "base/err.h"
#include "similarity/words.h"

enum { DATASKETCH_SLOTS = 256, DATASKETCH_WORDS = 5 };

/* Slot i is the least ((a[i] h + b[i]) mod 2^64 mod 2^61 - 1) mod 2^32 over all items, h the first four bytes of an
 * item's SHA-1, lowest first. */
struct datasketch_lanes { uint64_t a[DATASKETCH_SLOTS], b[DATASKETCH_SLOTS]; };
void datasketch_lanes_draw(struct datasketch_lanes *lanes, uint32_t seed);  /* the package's default is 1 */

struct datasketch { uint32_t slot[DATASKETCH_SLOTS]; };
void   datasketch_begin(struct datasketch *sketch);         /* of no items: all slots 2^32 - 1 */
void   datasketch_add(struct datasketch *sketch, const struct datasketch_lanes *lanes, struct slice item);
/* The items are all runs of DATASKETCH_WORDS words, joined by spaces: a text of fewer has none.  *scratch is
 * overwritten.  0, or -ENOMEM with err set. */
int    datasketch_words(struct datasketch *sketch, const struct datasketch_lanes *lanes, const struct words *words,
                        struct bytes *scratch, struct err *err);
/* Share of equal slots: an estimate of Jaccard's index.  Of two texts without items 1. */
double datasketch_jaccard(const struct datasketch *a, const struct datasketch *b);

#endif
