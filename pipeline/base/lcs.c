/* base/lcs.c -- see lcs.h.
 *
 * A bit of the row is 0 where the length grows; taking one word of the other sequence is an addition over the whole
 * row. */
#include "base/lcs.h"

#include "base/scatter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void row_step(uint64_t *row, const uint64_t *mask, size_t blocks)
{
    uint64_t carry = 0;

    for (size_t i = 0; i < blocks; i++) {
        uint64_t both = row[i] & mask[i], sum = row[i] + both, more = sum + carry;

        carry = (sum < both) | (more < carry);
        row[i] = more | (row[i] & ~mask[i]);
    }
}

/* The different words of one sequence, numbered; open addressing, at most half full. */
struct lcs_words { struct lcs_word { uint64_t hash, number; } *slot; uint64_t mask; unsigned shift; };

static struct lcs_word *word_find(const struct lcs_words *words, uint64_t hash)
{
    uint64_t at = scatter(hash, scatter_factor[0], words->shift);

    while (words->slot[at].hash && words->slot[at].hash != hash) at = (at + 1) & words->mask;
    return &words->slot[at];
}

/* Numbers the words and gives how many different ones there are, or <0. */
static int64_t words_number(struct lcs_words *words, const uint64_t *a, size_t na)
{
    unsigned bits = 1;
    int64_t  distinct = 0;

    while ((1ull << bits) < 2 * na) bits++;
    *words = (struct lcs_words){ calloc(1ull << bits, sizeof *words->slot), (1ull << bits) - 1, 64 - bits };
    if (!words->slot) return -ENOMEM;
    for (size_t i = 0; i < na; i++) {
        struct lcs_word *word = word_find(words, a[i]);

        if (!word->hash) *word = (struct lcs_word){ a[i], (uint64_t)distinct++ };
    }
    return distinct;
}

int lcs_length(const uint64_t *a, size_t na, const uint64_t *b, size_t nb, uint32_t *out)
{
    struct lcs_words words = { 0 };
    /* mask: the places of a that each of its words has, blocks for each */
    uint64_t        *mask = NULL, *row = NULL;
    size_t           blocks;
    int64_t          distinct;
    int              rc = 0;

    if (na > nb) return lcs_length(b, nb, a, na, out);
    *out = 0;
    if (na == 0) return 0;
    *out = UINT32_MAX;
    blocks = (na + 63) / 64;
    if (blocks * (uint64_t)nb > LCS_STEPS) return 0;
    distinct = words_number(&words, a, na);
    if (distinct < 0) return -ENOMEM;
    if ((uint64_t)distinct * blocks > LCS_MASK_WORDS) goto done;
    mask = calloc((size_t)distinct * blocks, sizeof *mask);
    row = malloc(blocks * sizeof *row);
    if (!mask || !row) {
        rc = -ENOMEM;
        goto done;
    }
    for (size_t i = 0; i < na; i++) mask[word_find(&words, a[i])->number * blocks + i / 64] |= 1ull << (i % 64);
    memset(row, 0xFF, blocks * sizeof *row);
    for (size_t i = 0; i < nb; i++) {
        const struct lcs_word *word = word_find(&words, b[i]);

        if (word->hash) row_step(row, mask + word->number * blocks, blocks);
    }
    *out = 0;
    for (size_t i = 0; i < na; i++) *out += !(row[i / 64] >> (i % 64) & 1);
done:
    free(words.slot);
    free(mask);
    free(row);
    return rc;
}
