/* view/hash.c -- hashes of long features and of whole texts. */
#include "view/view.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t view_hash_long(struct slice s, uint64_t seed)
{
    uint64_t hash = XXH3_64bits_withSeed(s.at, s.len, seed);

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
