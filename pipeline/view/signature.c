/* view/signature.c -- see signature.h. */
#include "view/signature.h"

#include "kernels/kernels.h"
#include "view/hash.h"

#include <assert.h>

enum { LANES_STEP = 16 };                                   /* of the kernel */

static uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15ull;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

/* All lanes are filled whatever the bands: lane i of a seed is the same in every scheme. */
void signature_scheme_make(struct signature_scheme *out, uint32_t bands, uint32_t rows, uint64_t seed)
{
    uint64_t state = seed;

    assert(bands > 0 && rows > 0 && bands <= SIGNATURE_LANES_MAX && rows <= SIGNATURE_LANES_MAX / bands);
    out->bands = bands;
    out->rows  = rows;
    out->lanes = (bands * rows + LANES_STEP - 1) / LANES_STEP * LANES_STEP;
    out->seed  = seed;
    for (size_t i = 0; i < SIGNATURE_LANES_MAX; i++) {
        uint64_t number = splitmix64(&state);

        out->multiplier[i] = (uint32_t)number | 1;
        out->summand[i]    = (uint32_t)(number >> 32);
    }
}

void signature_make(const struct signature_scheme *scheme, const uint64_t *feature, size_t count, uint32_t *lane)
{
    for (size_t i = 0; i < scheme->lanes; i++) lane[i] = UINT32_MAX;
    kernels->minhash(lane, scheme->multiplier, scheme->summand, scheme->lanes, feature, count);
}

static inline uint64_t fold(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t pair(const uint32_t *lane) { return (uint64_t)lane[1] << 32 | lane[0]; }

/* A product of 128 bits, folded, takes in four lanes; what is left of them goes with zeros.  The last step spreads to
 * all bits what the last lanes brought: ranks and radix sorts take any of them. */
static inline uint64_t band_key(const uint32_t *lane, uint32_t rows, uint64_t hash)
{
    for (; rows >= 4; rows -= 4, lane += 4) hash = fold(pair(lane) ^ VIEW_HASH_K1, pair(lane + 2) ^ hash);
    if (rows) hash = fold((rows > 1 ? pair(lane) : lane[0]) ^ VIEW_HASH_K1, (rows > 2 ? lane[2] : 0) ^ hash);
    hash ^= hash >> 32;
    hash *= VIEW_HASH_K0;
    hash ^= hash >> 29;
    return hash + !hash;
}

/* The band's number is where its chain of products starts; the chains of several bands overlap. */
void signature_bands(const struct signature_scheme *scheme, const uint32_t *lane, uint64_t *key)
{
    uint32_t bands = scheme->bands, rows = scheme->rows;
    uint64_t start = scheme->seed;

    for (uint32_t band = 0; band < bands; band++, lane += rows) key[band] = band_key(lane, rows, start += VIEW_HASH_K2);
}

double signature_estimate(const struct signature_scheme *scheme, const uint32_t *a, const uint32_t *b)
{
    uint32_t lanes = scheme->bands * scheme->rows, equal = 0;

    for (uint32_t i = 0; i < lanes; i++) equal += a[i] == b[i];
    return (double)equal / lanes;
}
