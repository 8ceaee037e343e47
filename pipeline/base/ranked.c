/* base/ranked.c -- see ranked.h. */
#include "base/ranked.h"

#include <errno.h>
#include <stdlib.h>

enum { STEP = 64 };                                         /* members between two whose word is kept */

int ranked_open(struct ranked *r, uint64_t limit)
{
    *r = (struct ranked){ .limit = limit };
    r->bits = limit < SIZE_MAX / 16 ? calloc(limit / 64 + 1, sizeof *r->bits) : NULL;
    return r->bits ? 0 : -ENOMEM;
}

void ranked_free(struct ranked *r)
{
    free(r->bits);
    free(r->before);
    free(r->word);
    *r = (struct ranked){ 0 };
}

int ranked_end(struct ranked *r)
{
    const uint64_t words = r->limit / 64 + 1;
    uint64_t       count = 0;

    for (uint64_t w = 0; w < words; w++) count += (uint64_t)__builtin_popcountll(r->bits[w]);
    if (count > RANKED_NONE - STEP) return -EOVERFLOW;      /* places and STEP more are counted in 32 bits */
    r->before = malloc(words * sizeof *r->before);
    r->word = malloc((count / STEP + 2) * sizeof *r->word);
    if (!r->before || !r->word) return -ENOMEM;
    for (uint64_t w = 0; w < words; w++) {
        const uint32_t here = (uint32_t)__builtin_popcountll(r->bits[w]), next = (r->count + STEP - 1) / STEP;

        r->before[w] = r->count;
        if (next * STEP < r->count + here) r->word[next] = w;           /* a word has one of them at most */
        r->count += here;
    }
    r->word[(count + STEP - 1) / STEP] = words - 1;
    return 0;
}

/* The bit that is set with `left` others below it: half of the bits that are left at each step. */
static uint32_t bit_at(uint64_t bits, uint32_t left)
{
    uint32_t at = 0;

    for (uint32_t half = 32; half > 0; half /= 2) {
        const uint32_t below = (uint32_t)__builtin_popcountll(bits & ((1ull << half) - 1));

        if (left < below) continue;
        left -= below;
        bits >>= half;
        at += half;
    }
    return at;
}

uint64_t ranked_at(const struct ranked *r, uint32_t place)
{
    uint64_t low = r->word[place / STEP], high = r->word[place / STEP + 1] + 1;

    while (high - low > 1) {                                /* before[low] <= place < before[high] */
        const uint64_t middle = low + (high - low) / 2;

        if (r->before[middle] <= place) low = middle;
        else high = middle;
    }
    return low * 64 + bit_at(r->bits[low], place - r->before[low]);
}
