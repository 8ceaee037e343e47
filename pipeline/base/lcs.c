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
#ifdef __x86_64__
#include <immintrin.h>
#endif

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* a + b + carry, which is 0 or 1 before and after. */
static inline uint64_t add_carry(uint64_t a, uint64_t b, unsigned char *carry)
{
#ifdef __x86_64__
    unsigned long long sum;

    *carry = _addcarry_u64(*carry, a, b, &sum);
    return sum;
#else
    const uint64_t sum = a + b, more = sum + *carry;

    *carry = (sum < b) | (more < sum);
    return more;
#endif
}

/* 1: the row has one more 0, so the length grows: the carry goes through the ones behind its end. */
static inline uint32_t row_step(uint64_t *row, const uint64_t *mask, size_t blocks)
{
    unsigned char carry = 0;

#pragma GCC unroll 4
    for (size_t i = 0; i < blocks; i++) row[i] = add_carry(row[i], row[i] & mask[i], &carry) | (row[i] & ~mask[i]);
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

/* The shorter sequence, ready for the other one.  mask: the places that each of its words has, blocks for each. */
struct lcs {
    struct lcs_words words;
    uint64_t        *mask, *row, maybe[1 << (MAYBE_BITS - 6)];
    size_t           blocks;
};

static void lcs_close(struct lcs *lcs)
{
    free(lcs->words.slot);
    free(lcs->mask);
    free(lcs->row);
}

/* 1; 0 where it would take too long with b words; -ENOMEM.  lcs_close it either way. */
static int lcs_open(struct lcs *lcs, struct lcs_text a, size_t b)
{
    int64_t distinct;

    *lcs = (struct lcs){ .blocks = (a.count + 63) / 64 };
    if (lcs->blocks * (uint64_t)b > LCS_STEPS) return 0;
    distinct = words_number(&lcs->words, a.at, a.count);
    if (distinct < 0) return -ENOMEM;
    if ((uint64_t)distinct * lcs->blocks > LCS_MASK_WORDS) return 0;
    lcs->mask = calloc((size_t)distinct * lcs->blocks + 1, sizeof *lcs->mask);
    lcs->row = malloc((lcs->blocks + 1) * sizeof *lcs->row);
    if (!lcs->mask || !lcs->row) return -ENOMEM;
    for (size_t i = 0; i < a.count; i++) {
        bits_set(lcs->maybe, maybe_bit(text_at(a, i)));
        lcs->mask[word_find(&lcs->words, text_at(a, i))->number * lcs->blocks + i / 64] |= 1ull << (i % 64);
    }
    memset(lcs->row, 0xFF, lcs->blocks * sizeof *lcs->row);
    return 1;
}

/* Of the words from `from` on those that the other sequence has: their places behind it, and the masks of each.  How
 * many.  Rows are changed afterwards: what is looked up here does not wait for them. */
static ALWAYS_INLINE size_t words_find(const struct lcs *lcs, struct lcs_text b, size_t from, size_t blocks,
                                       uint16_t at[LCS_AT_ONCE], const uint64_t *mask[LCS_AT_ONCE])
{
    const size_t to = b.count - from < LCS_AT_ONCE ? b.count : from + LCS_AT_ONCE;
    size_t       likely = 0, known = 0;

    for (size_t i = from; i < to; i++) {
        at[likely] = (uint16_t)(i - from);
        likely += bits_has(lcs->maybe, maybe_bit(text_at(b, i)));
    }
    for (size_t k = 0; k < likely; k++) {
        const struct lcs_word *word = word_find(&lcs->words, text_at(b, from + at[k]));

        at[known] = at[k];
        mask[known] = lcs->mask + word->number * blocks;
        known += word->hash != 0;
    }
    return known;
}

/* Takes all words of b; blocks: lcs->blocks, a constant for those rows that registers hold. */
static ALWAYS_INLINE uint32_t length_find(const struct lcs *lcs, struct lcs_text b, uint64_t *row, size_t blocks)
{
    uint32_t length = 0;

    for (size_t from = 0; from < b.count; from += LCS_AT_ONCE) {
        uint16_t        at[LCS_AT_ONCE];
        const uint64_t *mask[LCS_AT_ONCE];
        const size_t    known = words_find(lcs, b, from, blocks, at, mask);

        for (size_t k = 0; k < known; k++) length += row_step(row, mask[k], blocks);
    }
    return length;
}

/* length_find of one to LCS_HELD blocks, whose row is in registers. */
enum { LCS_HELD = 4 };

static uint32_t length_held(const struct lcs *lcs, struct lcs_text b)
{
    uint64_t row[LCS_HELD] = { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX };

    switch (lcs->blocks) {
    case 1:  return length_find(lcs, b, row, 1);
    case 2:  return length_find(lcs, b, row, 2);
    case 3:  return length_find(lcs, b, row, 3);
    default: return length_find(lcs, b, row, 4);
    }
}

int lcs_length(const uint64_t *a, size_t na, const uint64_t *b, size_t nb, uint32_t *out)
{
    const struct lcs_text text = { b, nb, false };
    struct lcs            lcs;
    int                   rc;

    if (na > nb) return lcs_length(b, nb, a, na, out);
    *out = 0;
    if (na == 0) return 0;
    rc = lcs_open(&lcs, (struct lcs_text){ a, na, false }, nb);
    *out = rc <= 0 ? UINT32_MAX : lcs.blocks <= LCS_HELD ? length_held(&lcs, text)
        : length_find(&lcs, text, lcs.row, lcs.blocks);
    lcs_close(&lcs);
    return rc < 0 ? rc : 0;
}

/* a is not the longer one.  The length, and the ends: the first element of b behind which there is as much, then that
 * of a.  Length UINT32_MAX: it would take too long. */
static int ends_find(struct lcs_text a, struct lcs_text b, uint32_t *length, size_t *a_end, size_t *b_end)
{
    struct lcs lcs;
    int        rc;

    *length = 0;
    *a_end = *b_end = 0;
    if (a.count == 0) return 0;
    rc = lcs_open(&lcs, a, b.count);
    if (rc <= 0) *length = UINT32_MAX;
    for (size_t from = 0; rc > 0 && from < b.count; from += LCS_AT_ONCE) {
        uint16_t        at[LCS_AT_ONCE];
        const uint64_t *mask[LCS_AT_ONCE];
        const size_t    known = words_find(&lcs, b, from, lcs.blocks, at, mask);

        for (size_t k = 0; k < known; k++) {
            if (!row_step(lcs.row, mask[k], lcs.blocks)) continue;
            ++*length;
            *a_end = row_end(lcs.row, lcs.blocks);
            *b_end = from + at[k] + 1;
        }
    }
    lcs_close(&lcs);
    return rc < 0 ? rc : 0;
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
