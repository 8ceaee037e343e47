/* kernels/spans_avx512.c -- as spans_avx2.c, the edges of 64 bytes taken out of a register of their numbers at once. */
#include "kernels/parts.h"

#if defined(__x86_64__)

#include <immintrin.h>

enum { WORDS = 64 };                                        /* of a bitmap that stays in the nearest cache */

static inline uint32_t *spans_put(uint32_t *out, uint64_t edges, __m512i numbers, size_t base)
{
    const __m512i first = _mm512_set1_epi32((int)(uint32_t)base);
    const size_t count = (size_t)_mm_popcnt_u64(edges);
    const __m512i packed = _mm512_maskz_compress_epi8(edges, numbers);

    _mm512_storeu_si512(out, _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_castsi512_si128(packed)), first));
    if (count > 16)
        _mm512_storeu_si512(out + 16,
                            _mm512_add_epi32(_mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(packed, 1)), first));
    return out + count;
}

size_t spans_avx512(uint32_t *start, uint32_t *end, const struct byteset *set, const char *text, size_t n)
{
    const struct byteset none = { { 0 }, 0 };
    uint64_t bits[WORDS], unused[WORDS], inside = 0;
    uint32_t *starts = start, *ends = end;
    char number[64];
    __m512i numbers;

    for (int i = 0; i < 64; i++)
        number[i] = (char)i;
    numbers = _mm512_loadu_si512(number);
    for (size_t at = 0; at < n; at += 64 * WORDS) {
        const size_t here = n - at < 64 * WORDS ? n - at : 64 * WORDS;

        classify_avx512(bits, unused, set, &none, text + at, here);
        for (size_t w = 0; w < (here + 63) / 64; w++) {
            const uint64_t before = bits[w] << 1 | inside;

            starts = spans_put(starts, bits[w] & ~before, numbers, at + 64 * w);
            ends = spans_put(ends, ~bits[w] & before, numbers, at + 64 * w);
            inside = bits[w] >> 63;
        }
    }
    if (inside)
        *ends = (uint32_t)n;
    return (size_t)(starts - start);
}

#endif
