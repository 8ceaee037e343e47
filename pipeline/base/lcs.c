/* base/lcs.c -- see lcs.h.
 *
 * A bit of the row is 0 where the length grows; taking one word of the other sequence is an addition over the whole
 * row. */
#include "base/lcs.h"

#include "base/bits.h"
#include "base/scatter.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* 1: the row has one more 0, so the length grows: the carry goes through the ones behind its end. */
static bool row_step(uint64_t *row, const uint64_t *mask, size_t blocks)
{
    uint64_t carry = 0;

    for (size_t i = 0; i < blocks; i++) {
        uint64_t both = row[i] & mask[i], sum = row[i] + both, more = sum + carry;

        carry = (sum < both) | (more < carry);
        row[i] = more | (row[i] & ~mask[i]);
    }
    return carry;
}

/* Behind the row's last 0. */
static size_t row_end(const uint64_t *row, size_t blocks)
{
    while (blocks && row[blocks - 1] == UINT64_MAX) blocks--;
    return blocks ? 64 * blocks - (size_t)__builtin_clzll(~row[blocks - 1]) : 0;
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

/* A bitmap by some bits of the hashes of one sequence's words: most words of the other one are not in it, and are
 * passed over without a jump that depends on them. */
enum { MAYBE_BITS = 13, LCS_AT_ONCE = 256 };

static uint32_t maybe_bit(uint64_t hash) { return (uint32_t)(hash >> (64 - MAYBE_BITS)); }

/* A sequence, read from its end on where backward. */
struct lcs_text { const uint64_t *at; size_t count; bool backward; };

static uint64_t text_at(struct lcs_text text, size_t i) { return text.at[text.backward ? text.count - 1 - i : i]; }

/* a is not the longer one.  The length, and the ends: the first element of b behind which there is as much, then that
 * of a.  Length UINT32_MAX: it would take too long. */
static int ends_find(struct lcs_text a, struct lcs_text b, uint32_t *length, size_t *a_end, size_t *b_end)
{
    struct lcs_words words = { 0 };
    /* mask: the places of a that each of its words has, blocks for each */
    uint64_t        *mask = NULL, *row = NULL, maybe[1 << (MAYBE_BITS - 6)] = { 0 };
    const size_t     blocks = (a.count + 63) / 64;
    int64_t          distinct;
    int              rc = 0;

    *length = 0;
    *a_end = *b_end = 0;
    if (a.count == 0) return 0;
    *length = UINT32_MAX;
    if (blocks * (uint64_t)b.count > LCS_STEPS) return 0;
    distinct = words_number(&words, a.at, a.count);
    if (distinct < 0) return -ENOMEM;
    if ((uint64_t)distinct * blocks > LCS_MASK_WORDS) goto done;
    mask = calloc((size_t)distinct * blocks, sizeof *mask);
    row = malloc(blocks * sizeof *row);
    if (!mask || !row) {
        rc = -ENOMEM;
        goto done;
    }
    for (size_t i = 0; i < a.count; i++) {
        bits_set(maybe, maybe_bit(text_at(a, i)));
        mask[word_find(&words, text_at(a, i))->number * blocks + i / 64] |= 1ull << (i % 64);
    }
    memset(row, 0xFF, blocks * sizeof *row);
    *length = 0;
    for (size_t from = 0, to; from < b.count; from = to) {
        uint16_t at[LCS_AT_ONCE];
        size_t   likely = 0;

        to = b.count - from < LCS_AT_ONCE ? b.count : from + LCS_AT_ONCE;
        for (size_t i = from; i < to; i++) {
            at[likely] = (uint16_t)(i - from);
            likely += bits_has(maybe, maybe_bit(text_at(b, i)));
        }
        for (size_t k = 0; k < likely; k++) {
            const struct lcs_word *word = word_find(&words, text_at(b, from + at[k]));

            if (!word->hash || !row_step(row, mask + word->number * blocks, blocks)) continue;
            ++*length;
            *a_end = row_end(row, blocks);
            *b_end = from + at[k] + 1;
        }
    }
done:
    free(words.slot);
    free(mask);
    free(row);
    return rc;
}

int lcs_length(const uint64_t *a, size_t na, const uint64_t *b, size_t nb, uint32_t *out)
{
    size_t a_end, b_end;

    if (na > nb) return lcs_length(b, nb, a, na, out);
    return ends_find((struct lcs_text){ a, na, false }, (struct lcs_text){ b, nb, false }, out, &a_end, &b_end);
}

int lcs_align(const uint64_t *a, size_t na, const uint64_t *b, size_t nb, struct lcs_span *out)
{
    size_t   a_end, b_end, a_len, b_len;
    uint32_t length, again;
    int      rc;

    *out = (struct lcs_span){ 0 };
    if (na > nb) {
        struct lcs_span turned;

        rc = lcs_align(b, nb, a, na, &turned);
        *out = (struct lcs_span){ turned.length, turned.b, turned.b_end, turned.a, turned.a_end };
        return rc;
    }
    rc = ends_find((struct lcs_text){ a, na, false }, (struct lcs_text){ b, nb, false }, &length, &a_end, &b_end);
    out->length = length;
    if (rc < 0 || length == 0 || length == UINT32_MAX) return rc;
    /* what ends there, from the other side; a may be the longer one now, and has no more blocks than before */
    rc = ends_find((struct lcs_text){ a, a_end, true }, (struct lcs_text){ b, b_end, true }, &again, &a_len, &b_len);
    *out = (struct lcs_span){ length, (uint32_t)(a_end - a_len), (uint32_t)a_end, (uint32_t)(b_end - b_len),
                              (uint32_t)b_end };
    return rc;
}
