/* learn/random.c -- see random.h. */
#include "learn/random.h"

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

struct learn_random learn_random_start(uint64_t seed, uint64_t number)
{
    /* both go through the mixer: neighbours of a seed or a number are no neighbours in the sequence */
    return (struct learn_random){ mix(mix(seed + UINT64_C(0x9E3779B97F4A7C15)) + number + 1) };
}

uint64_t learn_random_next(struct learn_random *r)
{
    return mix(r->state += UINT64_C(0x9E3779B97F4A7C15));
}

uint64_t learn_random_below(struct learn_random *r, uint64_t n)
{
    const uint64_t uneven = (0 - n) % n;                    /* 2^64 mod n: so many values come once too often */
    uint64_t       x;

    do x = learn_random_next(r); while (x < uneven);
    return x % n;
}

double learn_random_unit(struct learn_random *r)
{
    return (double)(learn_random_next(r) >> 11) * 0x1p-53;
}

void learn_random_shuffle(struct learn_random *r, size_t *item, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t other = (size_t)learn_random_below(r, i), last = item[i - 1];

        item[i - 1] = item[other];
        item[other] = last;
    }
}
