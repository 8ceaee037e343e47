/* similarity/datasketch.c -- see datasketch.h. */
#include "similarity/datasketch.h"

#include "similarity/sha1.h"
#include "similarity/twister.h"

#define PRIME ((1ull << 61) - 1)

void datasketch_lanes_draw(struct datasketch_lanes *lanes, uint32_t seed)
{
    struct twister twister;

    twister_start(&twister, seed);
    for (size_t i = 0; i < DATASKETCH_SLOTS; i++) {
        lanes->a[i] = twister_between(&twister, 1, PRIME);
        lanes->b[i] = twister_between(&twister, 0, PRIME);
    }
}

void datasketch_begin(struct datasketch *sketch)
{
    for (size_t i = 0; i < DATASKETCH_SLOTS; i++) sketch->slot[i] = UINT32_MAX;
}

void datasketch_add(struct datasketch *sketch, const struct datasketch_lanes *lanes, struct slice item)
{
    uint8_t  hash[20];
    uint64_t h;

    sha1(item, hash);
    h = (uint64_t)hash[0] | (uint64_t)hash[1] << 8 | (uint64_t)hash[2] << 16 | (uint64_t)hash[3] << 24;
    for (size_t i = 0; i < DATASKETCH_SLOTS; i++) {
        const uint32_t value = (uint32_t)((lanes->a[i] * h + lanes->b[i]) % PRIME);     /* wraps, as theirs */

        if (value < sketch->slot[i]) sketch->slot[i] = value;
    }
}

int datasketch_words(struct datasketch *sketch, const struct datasketch_lanes *lanes, const struct words *words,
                     struct bytes *scratch, struct err *err)
{
    datasketch_begin(sketch);
    for (size_t i = 0; i + DATASKETCH_WORDS <= words->count; i++) {
        scratch->len = 0;
        for (size_t k = 0; k < DATASKETCH_WORDS; k++)
            if (bytes_append(scratch, " ", k > 0) < 0 || bytes_append_slice(scratch, words->at[i + k]) < 0)
                return err_memory(err, words->at[i + k].len, "runs of words");
        datasketch_add(sketch, lanes, bytes_slice(scratch));
    }
    return 0;
}

double datasketch_jaccard(const struct datasketch *a, const struct datasketch *b)
{
    size_t equal = 0;

    for (size_t i = 0; i < DATASKETCH_SLOTS; i++) equal += a->slot[i] == b->slot[i];
    return (double)equal / DATASKETCH_SLOTS;
}
