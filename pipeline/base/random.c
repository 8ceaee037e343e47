/* base/random.c -- see random.h. */
#include "base/random.h"

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

struct random random_start(uint64_t seed, uint64_t number)
{
    /* both go through the mixer: neighbours of a seed or a number are no neighbours in the sequence */
    return (struct random){ mix(mix(seed + UINT64_C(0x9E3779B97F4A7C15)) + number + 1) };
}

uint64_t random_next(struct random *r)
{
    return mix(r->state += UINT64_C(0x9E3779B97F4A7C15));
}

uint64_t random_below(struct random *r, uint64_t n)
{
    const uint64_t uneven = (0 - n) % n;                    /* 2^64 mod n: so many values come once too often */
    uint64_t       x;

    do x = random_next(r); while (x < uneven);
    return x % n;
}

double random_unit(struct random *r)
{
    return (double)(random_next(r) >> 11) * 0x1p-53;
}

void random_shuffle(struct random *r, size_t *item, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t other = (size_t)random_below(r, i), last = item[i - 1];

        item[i - 1] = item[other];
        item[other] = last;
    }
}
