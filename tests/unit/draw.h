/* tests/unit/draw.h -- random numbers that the same SEED draws again. */
#ifndef LEAKGRAPH_TESTS_UNIT_DRAW_H
#define LEAKGRAPH_TESTS_UNIT_DRAW_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static inline uint64_t seed_of_run(void)
{
    const char *text = getenv("SEED");

    return text ? strtoull(text, NULL, 10) : 20;
}

static inline uint64_t draw(uint64_t *state)                /* splitmix64 */
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline size_t draw_below(uint64_t *state, size_t limit) { return (size_t)(draw(state) % limit); }

#endif
