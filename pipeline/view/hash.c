/* view/hash.c -- hashes of features and of whole texts.
 *
 * Most features are short words: up to 16 bytes are loaded without a branch on their length, masked, multiplied to 128 bits and
 * folded.  The summand beside the product keeps both words in the result when a factor is zero.  Longer ones go through xxh3. */
#include "view/view.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static const uint64_t K0 = 0xa0761d6478bd642full, K1 = 0xe7037ed1a0b428dbull, K2 = 0x8ebc6af09c88c6e3ull;

static uint64_t load64(const char *at)
{
    uint64_t value;

    memcpy(&value, at, sizeof value);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
}

static uint64_t mask64(size_t bytes)                        /* the low `bytes` bytes, bytes <= 8 */
{
    return bytes >= 8 ? ~0ull : (1ull << (8 * bytes)) - 1;
}

uint64_t view_hash(struct slice s, uint64_t seed)
{
    uint64_t          low, high, hash;
    unsigned __int128 product;

    if (s.len > 16) {
        hash = XXH3_64bits_withSeed(s.at, s.len, seed);
        return hash + !hash;
    }
    low  = load64(s.at) & mask64(s.len);
    high = load64(s.at + 8) & mask64(s.len > 8 ? s.len - 8 : 0);
    product = (unsigned __int128)(low ^ K0 ^ seed) * (high ^ K1 ^ s.len * K2);
    hash = (uint64_t)product ^ (uint64_t)(product >> 64);
    hash += (low << 21 | low >> 43) + high * K2;
    hash ^= hash >> 32;
    hash *= K1;
    hash ^= hash >> 29;
    return hash + !hash;
}

struct content_hash content_hash_raw(struct slice text)
{
    XXH128_hash_t hash = XXH3_128bits(text.at ? text.at : "", text.len);

    return (struct content_hash){ hash.low64, hash.high64 };
}

struct content_hash content_hash_squeezed(struct slice text, struct bytes *scratch)
{
    size_t len = 0;

    if (bytes_reserve(scratch, text.len) < 0) return (struct content_hash){ 0, 0 };
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];

        scratch->at[len] = (char)c;
        len += !(c == ' ' || (c >= '\t' && c <= '\r'));
    }
    return content_hash_raw((struct slice){ scratch->at, len });
}
