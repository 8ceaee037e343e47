/* similarity/twister.c -- see twister.h. */
#include "similarity/twister.h"

enum { WORDS = 624, MIDDLE = 397 };

void twister_start(struct twister *twister, uint32_t seed)
{
    twister->state[0] = seed;
    for (uint32_t i = 1; i < WORDS; i++) {
        const uint32_t before = twister->state[i - 1];

        twister->state[i] = 1812433253u * (before ^ before >> 30) + i;
    }
    twister->next = WORDS;
}

static void state_renew(uint32_t *state)
{
    for (size_t i = 0; i < WORDS; i++) {
        const uint32_t y = (state[i] & 0x80000000u) | (state[(i + 1) % WORDS] & 0x7FFFFFFFu);

        state[i] = state[(i + MIDDLE) % WORDS] ^ y >> 1 ^ (y & 1 ? 0x9908B0DFu : 0);
    }
}

uint32_t twister_next(struct twister *twister)
{
    uint32_t y;

    if (twister->next == WORDS) {
        state_renew(twister->state);
        twister->next = 0;
    }
    y = twister->state[twister->next++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9D2C5680u;
    y ^= y << 15 & 0xEFC60000u;
    return y ^ y >> 18;
}

uint64_t twister_between(struct twister *twister, uint64_t low, uint64_t high)
{
    const uint64_t range = high - 1 - low;
    uint64_t       mask = range, drawn;

    for (int bits = 1; bits < 64; bits *= 2) mask |= mask >> bits;
    do {
        drawn = (uint64_t)twister_next(twister) << 32;
        drawn = (drawn | twister_next(twister)) & mask;
    } while (drawn > range);
    return low + drawn;
}
