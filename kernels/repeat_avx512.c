/* kernels/repeat_avx512.c -- eight values at a time, each compared with the one so far before it, from the furthest to
 * the nearest, which stays.  The loop has no branch on the data. */
#include "kernels/parts.h"

#if defined(__x86_64__)

#include <immintrin.h>

void repeat_avx512(uint8_t *back, const uint64_t *value, size_t n)
{
    size_t i = n < REPEAT_REACH ? n : REPEAT_REACH;

    repeat_part(back, value, 0, i);
    for (; i + 8 <= n; i += 8) {
        __m512i x = _mm512_loadu_si512(value + i), nearest = _mm512_setzero_si512();

        for (int distance = REPEAT_REACH; distance > 0; distance--) {
            __mmask8 equal = _mm512_cmpeq_epi64_mask(x, _mm512_loadu_si512(value + i - distance));

            nearest = _mm512_mask_mov_epi64(nearest, equal, _mm512_set1_epi64(distance));
        }
        _mm_storel_epi64((__m128i *)(void *)(back + i), _mm512_cvtepi64_epi8(nearest));
    }
    repeat_part(back, value, i, n);
}

#endif
