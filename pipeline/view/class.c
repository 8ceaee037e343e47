/* view/class.c -- see class.h. */
#include "view/class.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

struct content_hash class_hash(const uint64_t *hash, const uint32_t *count, size_t n)
{
    XXH128_hash_t set = XXH3_128bits(hash, n * sizeof *hash);
    XXH128_hash_t all = XXH3_128bits_withSeed(count, n * sizeof *count, set.low64);

    return (struct content_hash){ all.low64 ^ set.high64, all.high64 ^ set.low64 };
}

struct content_hash copy_hash(struct content_hash raw, const struct view_language *language)
{
    return (struct content_hash){ raw.low ^ language->seed, raw.high + 1 };
}
