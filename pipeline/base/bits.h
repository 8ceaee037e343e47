/* base/bits.h -- a bit for each of many numbers, in words of 64. */
#ifndef LEAKGRAPH_BASE_BITS_H
#define LEAKGRAPH_BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

static inline void bits_set(uint64_t *bits, uint64_t i) { bits[i >> 6] |= 1ull << (i & 63); }

static inline bool bits_has(const uint64_t *bits, uint64_t i) { return bits[i >> 6] >> (i & 63) & 1; }

#endif
