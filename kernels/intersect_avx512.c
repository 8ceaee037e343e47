/* kernels/intersect_avx512.c -- all pairs of two blocks at once, then the block with the smaller last value goes on.
 *
 * A register of one array is compared with each value of a block of the other, which the compare reads and spreads from
 * memory by itself: one instruction a value, no shuffles.  Both arrays ascend strictly, so a value matches at most
 * once and two blocks meet at most once: the sum over meetings is the answer.  The loop has no branch on the data. */
#include "kernels/parts.h"

#if defined(__x86_64__)

#include <immintrin.h>

/* long : short from which on searching is faster (measured) */
enum { INTERSECT_SEARCH_RATIO = 64 };

size_t intersect_u32_avx512(const uint32_t *a, size_t na, const uint32_t *b, size_t nb)
{
    size_t   count = 0, i = 0, j = 0;
    uint32_t last[16];

    if (nb / INTERSECT_SEARCH_RATIO > na)
        return intersect_search_u32(a, na, b, nb);
    if (na / INTERSECT_SEARCH_RATIO > nb)
        return intersect_search_u32(b, nb, a, na);
    while (i < na && j < nb) {
        __mmask16       here  = (__mmask16)_bzhi_u32(0xFFFF, na - i < 16 ? (unsigned)(na - i) : 16);
        __m512i         x     = _mm512_maskz_loadu_epi32(here, a + i);
        const uint32_t *block = b + j;
        __mmask16       hit[4] = { 0 };
        uint32_t        last_x, last_y;

        if (nb - j < 16) {                                  /* the partial block is filled up with its last value */
            __mmask16 there = (__mmask16)_bzhi_u32(0xFFFF, (unsigned)(nb - j));

            _mm512_storeu_si512(last, _mm512_mask_loadu_epi32(_mm512_set1_epi32((int)b[nb - 1]), there, b + j));
            block = last;
        }
        for (int k = 0; k < 16; k++)                        /* four sums: their dependency chains overlap */
            hit[k & 3] |= _mm512_cmpeq_epi32_mask(x, _mm512_set1_epi32((int)block[k]));
        count += (size_t)_mm_popcnt_u32(((uint32_t)hit[0] | hit[1] | hit[2] | hit[3]) & here);
        last_x = a[na - i < 16 ? na - 1 : i + 15];
        last_y = block[15];
        i += intersect_advance(last_x <= last_y) * 16;
        j += intersect_advance(last_y <= last_x) * 16;
    }
    return count;
}

size_t intersect_u64_avx512(const uint64_t *a, size_t na, const uint64_t *b, size_t nb)
{
    size_t   count = 0, i = 0, j = 0;
    uint64_t last[8];

    if (nb / INTERSECT_SEARCH_RATIO > na)
        return intersect_search_u64(a, na, b, nb);
    if (na / INTERSECT_SEARCH_RATIO > nb)
        return intersect_search_u64(b, nb, a, na);
    while (i < na && j < nb) {
        __mmask8        here  = (__mmask8)_bzhi_u32(0xFF, na - i < 8 ? (unsigned)(na - i) : 8);
        __m512i         x     = _mm512_maskz_loadu_epi64(here, a + i);
        const uint64_t *block = b + j;
        __mmask8        hit[2] = { 0 };
        uint64_t        last_x, last_y;

        if (nb - j < 8) {
            __mmask8 there = (__mmask8)_bzhi_u32(0xFF, (unsigned)(nb - j));

            _mm512_storeu_si512(last, _mm512_mask_loadu_epi64(_mm512_set1_epi64((long long)b[nb - 1]), there, b + j));
            block = last;
        }
        for (int k = 0; k < 8; k++)
            hit[k & 1] |= _mm512_cmpeq_epi64_mask(x, _mm512_set1_epi64((long long)block[k]));
        count += (size_t)_mm_popcnt_u32(((uint32_t)hit[0] | hit[1]) & here);
        last_x = a[na - i < 8 ? na - 1 : i + 7];
        last_y = block[7];
        i += intersect_advance(last_x <= last_y) * 8;
        j += intersect_advance(last_y <= last_x) * 8;
    }
    return count;
}

#endif
