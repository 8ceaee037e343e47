/* view/hash.h -- the 64-bit hash of a feature's bytes.  Part of the file formats: it never changes silently.
 *
 * Most features are short words, and hashing them is a good part of a scan: up to 16 bytes are loaded without a branch
 * on their length, masked, multiplied to 128 bits and folded.  The summand beside the product keeps both words in the
 * result when a factor is zero.  Longer features go through xxh3. */
#ifndef LEAKGRAPH_VIEW_HASH_H
#define LEAKGRAPH_VIEW_HASH_H

#include "base/slice.h"

#include <stdint.h>

#define VIEW_HASH_K0 0xa0761d6478bd642full
#define VIEW_HASH_K1 0xe7037ed1a0b428dbull
#define VIEW_HASH_K2 0x8ebc6af09c88c6e3ull

uint64_t view_hash_long(struct slice bytes, uint64_t seed);

/* Entry 8 + n: the low n bytes of a word, all 8 from there on; entry n: what is left of n for a second word. */
extern const uint64_t view_hash_mask[25];

static inline uint64_t view_hash_load(const char *at)       /* the 8 bytes at `at`, the first one lowest */
{
    uint64_t value;

    memcpy(&value, at, sizeof value);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
}

/* Of up to 16 bytes, those of `low` first; bytes past len are 0. */
static inline uint64_t view_hash_short(uint64_t low, uint64_t high, size_t len, uint64_t seed)
{
    unsigned __int128 product;
    uint64_t          hash;

    product = (unsigned __int128)(low ^ VIEW_HASH_K0 ^ seed) * (high ^ VIEW_HASH_K1 ^ len * VIEW_HASH_K2);
    hash = (uint64_t)product ^ (uint64_t)(product >> 64);
    hash += (low << 21 | low >> 43) + high * VIEW_HASH_K2;
    hash ^= hash >> 32;
    hash *= VIEW_HASH_K1;
    hash ^= hash >> 29;
    return hash + !hash;
}

/* Never 0, as tables use 0 for a free place.  16 bytes past the end must be readable. */
static inline uint64_t view_hash(struct slice s, uint64_t seed)
{
    if (__builtin_expect(s.len > 16, 0)) return view_hash_long(s, seed);
    return view_hash_short(view_hash_load(s.at) & view_hash_mask[8 + s.len],
                           view_hash_load(s.at + 8) & view_hash_mask[s.len], s.len, seed);
}

/* Eight bytes, capital letters of ASCII as small ones.  Of the low seven bits of each, so that nothing is carried into
 * the next: those from 'A' on get the eighth bit, and so do those beyond 'Z'; between them it moves to where 32 is. */
static inline uint64_t view_folded_8(uint64_t bytes)
{
    const uint64_t each = 0x0101010101010101ull, low = bytes & 0x7f * each;

    return bytes | ((low + (0x80 - 'A') * each) & ~(low + (0x7f - 'Z') * each) & ~bytes & 0x80 * each) >> 2;
}

static inline char view_folded_1(char c) { return (char)(c | (c >= 'A' && c <= 'Z') << 5); }

uint64_t view_hash_long_folded(struct slice bytes, uint64_t seed);

/* view_hash of the bytes with capital letters of ASCII as small ones. */
static inline uint64_t view_hash_folded(struct slice s, uint64_t seed)
{
    if (__builtin_expect(s.len > 16, 0)) return view_hash_long_folded(s, seed);
    return view_hash_short(view_folded_8(view_hash_load(s.at) & view_hash_mask[8 + s.len]),
                           view_folded_8(view_hash_load(s.at + 8) & view_hash_mask[s.len]), s.len, seed);
}

#endif
