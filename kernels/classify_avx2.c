/* kernels/classify_avx2.c -- byte classes by two table look-ups in a register.
 *
 * A byteset is laid out for PSHUFB: one look-up by the low half of a character gives the set's row for it, another, by
 * the high half, gives the bit to test in that row.  Source: W. Mula, "SIMD-ized check which bytes are in a set", 2018.
 * */
#include "kernels/parts.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

struct classify_tables { __m256i rows_a, rows_b; uint32_t high_a, high_b; };

static inline struct classify_tables classify_load_tables(const struct byteset *set_a, const struct byteset *set_b)
{
    return (struct classify_tables){
        .rows_a = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)set_a->ascii)),
        .rows_b = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)set_b->ascii)),
        .high_a = -(uint32_t)(set_a->high & 1),
        .high_b = -(uint32_t)(set_b->high & 1),
    };
}

/* PSHUFB gives 0 where the index has its top bit set, so the rows of bytes from 0x80 on are 0, which equals no bit. */
static inline void classify_32(uint32_t *a, uint32_t *b, const struct classify_tables *tables, const char *text)
{
    const __m256i bits = _mm256_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, -1, -1, -1, -1, -1, -1, -1, -1,
                                          1, 2, 4, 8, 16, 32, 64, -128, -1, -1, -1, -1, -1, -1, -1, -1);
    __m256i  c = _mm256_loadu_si256((const __m256i *)(const void *)text);
    __m256i  bit = _mm256_shuffle_epi8(bits, _mm256_and_si256(_mm256_srli_epi16(c, 4), _mm256_set1_epi8(15)));
    __m256i  in_a = _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(tables->rows_a, c), bit), bit);
    __m256i  in_b = _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(tables->rows_b, c), bit), bit);
    uint32_t high = (uint32_t)_mm256_movemask_epi8(c);

    *a = (uint32_t)_mm256_movemask_epi8(in_a) | (high & tables->high_a);
    *b = (uint32_t)_mm256_movemask_epi8(in_b) | (high & tables->high_b);
}

static inline void classify_64(uint64_t *a, uint64_t *b, const struct classify_tables *tables, const char *text)
{
    uint32_t a_low, a_high, b_low, b_high;

    classify_32(&a_low, &b_low, tables, text);
    classify_32(&a_high, &b_high, tables, text + 32);
    *a = a_low | (uint64_t)a_high << 32;
    *b = b_low | (uint64_t)b_high << 32;
}

void classify_avx2(uint64_t *a, uint64_t *b, const struct byteset *set_a, const struct byteset *set_b, const char *text,
                   size_t n)
{
    const struct classify_tables tables = classify_load_tables(set_a, set_b);
    size_t whole = n & ~(size_t)63;

    for (size_t at = 0; at < whole; at += 64)
        classify_64(&a[at / 64], &b[at / 64], &tables, text + at);

    if (whole < n) {                                        /* byte 0 may be in a set: the pad's bits are cut off */
        char     last[64] = { 0 };
        uint64_t here = _bzhi_u64(~(uint64_t)0, (unsigned)(n - whole));

        memcpy(last, text + whole, n - whole);
        classify_64(&a[whole / 64], &b[whole / 64], &tables, last);
        a[whole / 64] &= here;
        b[whole / 64] &= here;
    }
}

#endif
