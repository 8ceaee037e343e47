/* kernels/minhash_avx2.c -- as minhash_avx512.c, with 32 lanes at a time in 12 of the 16 registers. */
#include "kernels/parts.h"

#if defined(__x86_64__)

#include <immintrin.h>

enum { MINHASH_BLOCK = 1024 };                              /* features: 8 KB */

/* `width` registers of 8 lanes, a constant where this is inlined. */
__attribute__((always_inline))
static inline void minhash_tile(size_t width, uint32_t *lane, const uint32_t *multiplier, const uint32_t *summand,
                                const uint64_t *feature, size_t count)
{
    __m256i least[4], a[4], b[4];

    for (size_t k = 0; k < width; k++) {
        least[k] = _mm256_loadu_si256((const __m256i *)(const void *)(lane + 8 * k));
        a[k]     = _mm256_loadu_si256((const __m256i *)(const void *)(multiplier + 8 * k));
        b[k]     = _mm256_loadu_si256((const __m256i *)(const void *)(summand + 8 * k));
    }
    for (size_t i = 0; i < count; i++) {
        __m256i x = _mm256_set1_epi32((int)(uint32_t)feature[i]);

        for (size_t k = 0; k < width; k++)
            least[k] = _mm256_min_epu32(least[k], _mm256_add_epi32(_mm256_mullo_epi32(a[k], x), b[k]));
    }
    for (size_t k = 0; k < width; k++)
        _mm256_storeu_si256((__m256i *)(void *)(lane + 8 * k), least[k]);
}

void minhash_avx2(uint32_t *lane, const uint32_t *multiplier, const uint32_t *summand, size_t lanes,
                  const uint64_t *feature, size_t count)
{
    for (size_t block = 0; block < count; block += MINHASH_BLOCK) {
        const uint64_t *x = feature + block;
        size_t          n = count - block < MINHASH_BLOCK ? count - block : MINHASH_BLOCK, at = 0;

        for (; at + 32 <= lanes; at += 32)
            minhash_tile(4, lane + at, multiplier + at, summand + at, x, n);
        if (at < lanes)
            minhash_tile(2, lane + at, multiplier + at, summand + at, x, n);
    }
}

#endif
