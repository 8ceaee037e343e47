/* kernels/spans_avx2.c -- the edges of the bitmap that classify_avx2.c makes, eight of them at a time: how many there
 * are in 64 bytes is a coin's answer, whether they are more than eight is not. */
#include "kernels/parts.h"

#if defined(__x86_64__)

#include <immintrin.h>

enum { WORDS = 64 };                                        /* of a bitmap that stays in the nearest cache */

static inline uint32_t *spans_put(uint32_t *out, uint64_t edges, size_t base)
{
    const size_t count = (size_t)__builtin_popcountll(edges);

    for (size_t from = 0; from < count; from += 8)
        for (size_t i = from; i < from + 8; i++) {
            out[i] = (uint32_t)(base + _tzcnt_u64(edges));
            edges = _blsr_u64(edges);
        }
    return out + count;
}

size_t spans_avx2(uint32_t *start, uint32_t *end, const struct byteset *set, const char *text, size_t n)
{
    const struct byteset none = { { 0 }, 0 };
    uint64_t bits[WORDS], unused[WORDS], inside = 0;
    uint32_t *starts = start, *ends = end;

    for (size_t at = 0; at < n; at += 64 * WORDS) {
        const size_t here = n - at < 64 * WORDS ? n - at : 64 * WORDS;

        classify_avx2(bits, unused, set, &none, text + at, here);
        for (size_t w = 0; w < (here + 63) / 64; w++) {
            const uint64_t before = bits[w] << 1 | inside;

            starts = spans_put(starts, bits[w] & ~before, at + 64 * w);
            ends = spans_put(ends, ~bits[w] & before, at + 64 * w);
            inside = bits[w] >> 63;
        }
    }
    if (inside)
        *ends = (uint32_t)n;
    return (size_t)(starts - start);
}

#endif
