/* kernels/intersect_avx2.c -- as intersect_avx512.c, with blocks of 8 and 4 values and partial blocks copied to be
 * filled up. */
#include "kernels/parts.h"

#if defined(__x86_64__)

#include <immintrin.h>

/* long : short from which on searching is faster (measured) */
enum { INTERSECT_SEARCH_RATIO = 32 };

/* A whole block at `at`: itself, or a copy of the `left` values filled up with the last of them. */
static inline const uint32_t *intersect_fill_u32(uint32_t room[8], const uint32_t *at, size_t left)
{
    if (left >= 8)
        return at;
    for (size_t k = 0; k < 8; k++)
        room[k] = at[k < left ? k : left - 1];
    return room;
}

static inline const uint64_t *intersect_fill_u64(uint64_t room[4], const uint64_t *at, size_t left)
{
    if (left >= 4)
        return at;
    for (size_t k = 0; k < 4; k++)
        room[k] = at[k < left ? k : left - 1];
    return room;
}

size_t intersect_u32_avx2(const uint32_t *a, size_t na, const uint32_t *b, size_t nb)
{
    size_t   count = 0, i = 0, j = 0;
    uint32_t last_a[8], last_b[8];

    if (nb / INTERSECT_SEARCH_RATIO > na)
        return intersect_search_u32(a, na, b, nb);
    if (na / INTERSECT_SEARCH_RATIO > nb)
        return intersect_search_u32(b, nb, a, na);
    while (i < na && j < nb) {
        const uint32_t *block_a = intersect_fill_u32(last_a, a + i, na - i);
        const uint32_t *block_b = intersect_fill_u32(last_b, b + j, nb - j);
        __m256i         x = _mm256_loadu_si256((const __m256i *)(const void *)block_a);
        __m256i         hit = _mm256_setzero_si256();
        unsigned        here = na - i < 8 ? (unsigned)(na - i) : 8, hits;

        for (int k = 0; k < 8; k++)
            hit = _mm256_or_si256(hit, _mm256_cmpeq_epi32(x, _mm256_set1_epi32((int)block_b[k])));
        hits = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(hit));
        count += (size_t)_mm_popcnt_u32(_bzhi_u32(hits, here));
        i += intersect_advance(block_a[7] <= block_b[7]) * 8;
        j += intersect_advance(block_b[7] <= block_a[7]) * 8;
    }
    return count;
}

size_t intersect_u64_avx2(const uint64_t *a, size_t na, const uint64_t *b, size_t nb)
{
    size_t   count = 0, i = 0, j = 0;
    uint64_t last_a[4], last_b[4];

    if (nb / INTERSECT_SEARCH_RATIO > na)
        return intersect_search_u64(a, na, b, nb);
    if (na / INTERSECT_SEARCH_RATIO > nb)
        return intersect_search_u64(b, nb, a, na);
    while (i < na && j < nb) {
        const uint64_t *block_a = intersect_fill_u64(last_a, a + i, na - i);
        const uint64_t *block_b = intersect_fill_u64(last_b, b + j, nb - j);
        __m256i         x = _mm256_loadu_si256((const __m256i *)(const void *)block_a);
        __m256i         hit = _mm256_setzero_si256();
        unsigned        here = na - i < 4 ? (unsigned)(na - i) : 4, hits;

        for (int k = 0; k < 4; k++)
            hit = _mm256_or_si256(hit, _mm256_cmpeq_epi64(x, _mm256_set1_epi64x((long long)block_b[k])));
        hits = (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(hit));
        count += (size_t)_mm_popcnt_u32(_bzhi_u32(hits, here));
        i += intersect_advance(block_a[3] <= block_b[3]) * 4;
        j += intersect_advance(block_b[3] <= block_a[3]) * 4;
    }
    return count;
}

#endif
