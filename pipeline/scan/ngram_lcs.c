/* scan/ngram_lcs.c -- the longest common subsequence of two texts' words, 64 cells of the table at a time (Crochemore et al. 2001, Hyyro 2004).
 *
 * A bit of the row is 0 where the length grows; taking one word of the other text is an addition over the whole row. */
#include "scan/ngram_index.h"

#include "base/table.h"

#include <errno.h>
#include <stdlib.h>

enum { LCS_MASK_WORDS = 1 << 22, LCS_STEPS = 1 << 27 };     /* 32 MB, and a tenth of a second or so */

static void row_step(uint64_t *row, const uint64_t *mask, size_t blocks)
{
    uint64_t carry = 0;

    for (size_t i = 0; i < blocks; i++) {
        uint64_t both = row[i] & mask[i], sum = row[i] + both, more = sum + carry;

        carry = (sum < both) | (more < carry);
        row[i] = more | (row[i] & ~mask[i]);
    }
}

/* Which places of a each of its words has: mask[number of the word * blocks ...].  NULL when memory is out; *distinct is 0 when it would be too large. */
static uint64_t *masks_make(struct table *words, const uint64_t *a, size_t na, size_t blocks, uint32_t *distinct)
{
    uint64_t *mask;
    bool      added;

    *distinct = 0;
    for (size_t i = 0; i < na; i++) {
        if (table_put(words, a[i], 0, *distinct, &added) == TABLE_NONE) return NULL;
        *distinct += added;
    }
    if (*distinct * (uint64_t)blocks > LCS_MASK_WORDS) *distinct = 0;
    mask = calloc(*distinct * blocks + 1, sizeof *mask);
    for (size_t i = 0; mask && *distinct && i < na; i++) mask[table_find(words, a[i], 0) * blocks + i / 64] |= 1ull << (i % 64);
    return mask;
}

int ngram_lcs(const uint64_t *a, size_t na, const uint64_t *b, size_t nb, uint32_t *out)
{
    struct table words = { 0 };
    uint64_t    *mask = NULL, *row = NULL;
    size_t       blocks;
    uint32_t     distinct;
    int          rc = 0;

    if (na > nb) return ngram_lcs(b, nb, a, na, out);
    *out = 0;
    if (na == 0) return 0;
    *out = UINT32_MAX;
    blocks = (na + 63) / 64;
    if (blocks * (uint64_t)nb > LCS_STEPS) return 0;
    mask = masks_make(&words, a, na, blocks, &distinct);
    row = malloc(blocks * sizeof *row);
    if (!mask || !row) rc = -ENOMEM;
    if (rc == 0 && distinct) {
        memset(row, 0xFF, blocks * sizeof *row);
        for (size_t i = 0; i < nb; i++) {
            uint32_t word = table_find(&words, b[i], 0);

            if (word != TABLE_NONE) row_step(row, mask + word * blocks, blocks);
        }
        *out = 0;
        for (size_t i = 0; i < na; i++) *out += !(row[i / 64] >> (i % 64) & 1);
    }
    free(mask);
    free(row);
    table_free(&words);
    return rc;
}
