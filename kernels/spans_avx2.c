/* kernels/spans_avx2.c -- the edges of the bitmap that classify_avx2.c makes, eight of them at a time: how many there
 * are in 64 bytes is a coin's answer, whether they are more than eight is not. */
#include "kernels/parts.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

static inline uint32_t spans_bits_32(__m256i rows, uint32_t high, const char *text)
{
    const __m256i bits = _mm256_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, -1, -1, -1, -1, -1, -1, -1, -1,
                                          1, 2, 4, 8, 16, 32, 64, -128, -1, -1, -1, -1, -1, -1, -1, -1);
    __m256i c = _mm256_loadu_si256((const __m256i *)(const void *)text);
    __m256i bit = _mm256_shuffle_epi8(bits, _mm256_and_si256(_mm256_srli_epi16(c, 4), _mm256_set1_epi8(15)));
    __m256i has = _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(rows, c), bit), bit);

    return (uint32_t)_mm256_movemask_epi8(has) | ((uint32_t)_mm256_movemask_epi8(c) & high);
}

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
    const __m256i rows = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)set->ascii));
    const uint32_t high = -(uint32_t)(set->high & 1);
    uint32_t *starts = start, *ends = end;
    uint64_t inside = 0;

    for (size_t at = 0; at < n; at += 64) {
        const char *block = text + at;
        uint64_t here = ~(uint64_t)0, bits, before;
        char last[64] = { 0 };

        if (n - at < 64) {                                  /* byte 0 may be in the set: the pad's bits are cut off */
            here = _bzhi_u64(here, (unsigned)(n - at));
            block = memcpy(last, text + at, n - at);
        }
        bits = (spans_bits_32(rows, high, block) | (uint64_t)spans_bits_32(rows, high, block + 32) << 32) & here;
        before = bits << 1 | inside;
        starts = spans_put(starts, bits & ~before, at);
        ends = spans_put(ends, ~bits & before, at);
        inside = bits >> 63;
    }
    if (inside)
        *ends = (uint32_t)n;
    return (size_t)(starts - start);
}

#endif
