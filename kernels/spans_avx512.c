/* kernels/spans_avx512.c -- as spans_avx2.c, the edges of 64 bytes taken out of a register of their numbers at once. */
#include "kernels/parts.h"

#if defined(__x86_64__)

#include <immintrin.h>

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
    const __m512i rows = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)set->ascii));
    const __m512i select = _mm512_set1_epi64((long long)0x8040201008040201);
    const uint64_t high = -(uint64_t)(set->high & 1);
    uint32_t *starts = start, *ends = end;
    uint64_t inside = 0;
    char number[64];
    __m512i numbers;

    for (int i = 0; i < 64; i++)
        number[i] = (char)i;
    numbers = _mm512_loadu_si512(number);
    for (size_t at = 0; at < n; at += 64) {
        const uint64_t here = n - at < 64 ? _bzhi_u64(~(uint64_t)0, (unsigned)(n - at)) : ~(uint64_t)0;
        const __m512i c = _mm512_maskz_loadu_epi8(here, text + at);
        const __m512i bit = _mm512_shuffle_epi8(select, _mm512_and_si512(_mm512_srli_epi16(c, 4),
                                                                         _mm512_set1_epi8(15)));
        const uint64_t bits = (_mm512_test_epi8_mask(_mm512_shuffle_epi8(rows, c), bit) |
                               (_mm512_movepi8_mask(c) & high)) & here;
        const uint64_t before = bits << 1 | inside;

        starts = spans_put(starts, bits & ~before, numbers, at);
        ends = spans_put(ends, ~bits & before, numbers, at);
        inside = bits >> 63;
    }
    if (inside)
        *ends = (uint32_t)n;
    return (size_t)(starts - start);
}

#endif
