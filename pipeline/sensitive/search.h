/* sensitive/search.h -- many strings looked for at once, without the strings.
 *
 * A string is known by its length, its xxh3-128 and hashes of its first and last six bytes.  At every second byte of a
 * text the hash of the next five is asked of a small map, which says no nearly always, and where it does not of a
 * bitmap that grows with the strings: they have the first five bytes of every string, and the five from the second one.
 * Otherwise each length that a string with this beginning has is tried: first the hash of the end, then the xxh3-128 of
 * the whole.  Where these lengths are many, only those are tried at which some string's end stands; whether one does
 * is asked of a bitmap once for each place of the text.  So a string is found where its bytes stand, with a chance of
 * error of 2^-128.  Source: the filter on the hash of a block is that of Wu and Manber 1994, A Fast Algorithm for
 * Multi-Pattern Searching, with steps of a fixed length. */
#ifndef LEAKGRAPH_SENSITIVE_SEARCH_H
#define LEAKGRAPH_SENSITIVE_SEARCH_H

#include "base/err.h"
#include "base/slice.h"
#include "base/table.h"
#include "view/view.h"

/* NEEDLE_ENDS: bytes of a string's beginning and end that are hashed; no string is shorter */
enum { SEARCH_MAP = 1 << 16, NEEDLE_ENDS = 6 };

/* blocks: hashes of five bytes from the first and the second one */
struct needle { struct content_hash hash; uint32_t len, head, tail, blocks[2]; };

/* Of a string of at least NEEDLE_ENDS bytes. */
struct needle needle_of(struct slice value);

struct sensitive_search {
    uint8_t  *map;                                          /* [SEARCH_MAP] of blocks: 1 at the upper bits of one */
    uint64_t *bitmap, *tails;                               /* bit block & mask of blocks, more of them; of tails */
    uint32_t  mask;
    /* of each head, in one piece, how many lengths it has, and these, ascending */
    uint32_t *len;
    /* a head's place in len; head, length and tail; the hash: number of the needle */
    struct table heads, ends, whole;
};

/* Needles differ in their hashes.  They are not kept.  0 or -ENOMEM with err set; *out is to be freed either way. */
int  sensitive_search_open(struct sensitive_search *out, const struct needle *needle, size_t count, struct err *err);
void sensitive_search_free(struct sensitive_search *search);

/* Calls found for every place of every needle, by place, then by length; overlapping ones too.  BYTES_PAD bytes past
 * the text's end must be readable. 0, or the first value of found that is not 0. */
int  sensitive_search_text(const struct sensitive_search *search, struct slice text,
                           int (*found)(void *context, uint32_t number, size_t at), void *context);

#endif
