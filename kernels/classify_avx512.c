/* kernels/classify_avx512.c -- as classify_avx2.c, 64 bytes at once: VPTESTMB makes the bitmap directly, and a masked
 * load stands for the last, partial block. */
#include "kernels/parts.h"

#if defined(__x86_64__)

#include <immintrin.h>

struct classify_tables { __m512i rows_a, rows_b; uint64_t high_a, high_b; };

static inline void classify_64(uint64_t *a, uint64_t *b, const struct classify_tables *tables, __m512i c)
{
    const __m512i bits = _mm512_set1_epi64((long long)0x8040201008040201);
    __m512i  bit = _mm512_shuffle_epi8(bits, _mm512_and_si512(_mm512_srli_epi16(c, 4), _mm512_set1_epi8(15)));
    uint64_t high = _mm512_movepi8_mask(c);

    *a = _mm512_test_epi8_mask(_mm512_shuffle_epi8(tables->rows_a, c), bit) | (high & tables->high_a);
    *b = _mm512_test_epi8_mask(_mm512_shuffle_epi8(tables->rows_b, c), bit) | (high & tables->high_b);
}

void classify_avx512(uint64_t *a, uint64_t *b, const struct byteset *set_a, const struct byteset *set_b,
                     const char *text, size_t n)
{
    const struct classify_tables tables = {
        .rows_a = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)set_a->ascii)),
        .rows_b = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)set_b->ascii)),
        .high_a = -(uint64_t)(set_a->high & 1),
        .high_b = -(uint64_t)(set_b->high & 1),
    };
    size_t whole = n & ~(size_t)63;

    for (size_t at = 0; at < whole; at += 64)
        classify_64(&a[at / 64], &b[at / 64], &tables, _mm512_loadu_si512(text + at));

    if (whole < n) {                                        /* byte 0 may be in a set: the pad's bits are cut off */
        uint64_t here = _bzhi_u64(~(uint64_t)0, (unsigned)(n - whole));

        classify_64(&a[whole / 64], &b[whole / 64], &tables, _mm512_maskz_loadu_epi8(here, text + whole));
        a[whole / 64] &= here;
        b[whole / 64] &= here;
    }
}

#endif
