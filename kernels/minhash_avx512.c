/* kernels/minhash_avx512.c -- 128 lanes at a time, whose minima, multipliers and summands stay in 24 registers while a
 * block of features passes.
 *
 * A block is read once from wherever it lies and for every further tile of lanes from the first cache; a feature is one
 * broadcast of its low half from memory, which takes no arithmetic port. */
#include "kernels/parts.h"

#if defined(__x86_64__)

#include <immintrin.h>

enum { MINHASH_BLOCK = 1024 };                              /* features: 8 KB */

/* `width` registers of 16 lanes, a constant where this is inlined: the loops over it vanish and the arrays become
 * registers. */
__attribute__((always_inline))
static inline void minhash_tile(size_t width, uint32_t *lane, const uint32_t *multiplier, const uint32_t *summand,
                                const uint64_t *feature, size_t count)
{
    __m512i least[8], a[8], b[8];

    for (size_t k = 0; k < width; k++) {
        least[k] = _mm512_loadu_si512(lane + 16 * k);
        a[k]     = _mm512_loadu_si512(multiplier + 16 * k);
        b[k]     = _mm512_loadu_si512(summand + 16 * k);
    }
    for (size_t i = 0; i < count; i++) {
        __m512i x = _mm512_set1_epi32((int)(uint32_t)feature[i]);

        for (size_t k = 0; k < width; k++)
            least[k] = _mm512_min_epu32(least[k], _mm512_add_epi32(_mm512_mullo_epi32(a[k], x), b[k]));
    }
    for (size_t k = 0; k < width; k++)
        _mm512_storeu_si512(lane + 16 * k, least[k]);
}

void minhash_avx512(uint32_t *lane, const uint32_t *multiplier, const uint32_t *summand, size_t lanes,
                    const uint64_t *feature, size_t count)
{
    for (size_t block = 0; block < count; block += MINHASH_BLOCK) {
        const uint64_t *x = feature + block;
        size_t          n = count - block < MINHASH_BLOCK ? count - block : MINHASH_BLOCK, at = 0;

        for (; at + 128 <= lanes; at += 128)
            minhash_tile(8, lane + at, multiplier + at, summand + at, x, n);
        if (at + 64 <= lanes) {
            minhash_tile(4, lane + at, multiplier + at, summand + at, x, n);
            at += 64;
        }
        if (at + 32 <= lanes) {
            minhash_tile(2, lane + at, multiplier + at, summand + at, x, n);
            at += 32;
        }
        if (at < lanes)
            minhash_tile(1, lane + at, multiplier + at, summand + at, x, n);
    }
}

#endif
