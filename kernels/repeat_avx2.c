/* kernels/repeat_avx2.c -- as repeat_avx512.c, with four values at a time. */
#include "kernels/parts.h"

#if defined(__x86_64__)

#include <immintrin.h>

void repeat_avx2(uint8_t *back, const uint64_t *value, size_t n)
{
    const __m256i low = _mm256_set1_epi32(0x08000800);      /* the bytes 0 and 8 of each half */
    size_t        i = n < REPEAT_REACH ? n : REPEAT_REACH;

    repeat_part(back, value, 0, i);
    for (; i + 4 <= n; i += 4) {
        __m256i  x = _mm256_loadu_si256((const __m256i *)(const void *)(value + i)), nearest = _mm256_setzero_si256();
        uint16_t halves[2];

        for (int distance = REPEAT_REACH; distance > 0; distance--) {
            __m256i equal = _mm256_cmpeq_epi64(
                x, _mm256_loadu_si256((const __m256i *)(const void *)(value + i - distance)));

            nearest = _mm256_blendv_epi8(nearest, _mm256_set1_epi64x(distance), equal);
        }
        nearest = _mm256_shuffle_epi8(nearest, low);
        halves[0] = (uint16_t)_mm256_extract_epi16(nearest, 0);
        halves[1] = (uint16_t)_mm256_extract_epi16(nearest, 8);
        __builtin_memcpy(back + i, halves, sizeof halves);
    }
    repeat_part(back, value, i, n);
}

#endif
