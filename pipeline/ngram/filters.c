/* ngram/filters.c -- bitmaps that say of most words and n-grams of documents that no item has them.
 *
 * 1. Words and n-grams   2. How words begin */
#include "ngram/build.h"

#include "base/bits.h"

#include <errno.h>
#include <stdlib.h>

/* Bits of heads that may be set. */
enum { NGRAM_HEAD_MOST = 1 << (NGRAM_HEAD_BITS - 2) };

/* ---- 1. Words and n-grams ---- */

/* An empty bitmap of 16 bits or more for each of count keys, whose highest bits after a shift are their places;
 * appended. */
static int filter_add(struct bytes *filter, uint64_t count, uint32_t *shift)
{
    unsigned bits = 6;

    while ((1ull << bits) < 16 * count) bits++;
    *shift = 64 - bits;
    if (bytes_reserve(filter, filter->len + (1ull << (bits - 3))) < 0) return -ENOMEM;
    memset(filter->at + filter->len, 0, 1ull << (bits - 3));
    filter->len += 1ull << (bits - 3);
    return 0;
}

static void filter_set(uint64_t *filter, uint32_t shift, uint64_t key)
{
    uint64_t bit = key >> shift;

    filter[bit >> 6] |= 1ull << (bit & 63);
}

/* About how many of them differ, never more: the bits that they set of 8 or more for each. */
static int count_distinct(const uint64_t *word, size_t count, uint64_t *out)
{
    uint64_t *bit;
    unsigned  bits = 6;

    while (1ull << bits < 8ull * count) bits++;
    *out = 0;
    if (!(bit = calloc(1ull << (bits - 6), sizeof *bit))) return -ENOMEM;
    for (size_t i = 0; i < count; i++) {
        const uint64_t at = word[i] >> (64 - bits);

        *out += ~bit[at >> 6] >> (at & 63) & 1;
        bit[at >> 6] |= 1ull << (at & 63);
    }
    free(bit);
    return 0;
}

/* Bitmaps of words: of all, of which every one counts once, and of those that short n-grams begin with. */
static int words_fill(struct ngram_builder *b)
{
    const uint64_t *word = (const uint64_t *)b->word.at, *first = (const uint64_t *)b->short_word.at;
    const size_t    words = b->word.len / sizeof *word, firsts = b->short_word.len / sizeof *first;
    uint64_t        distinct;

    if (count_distinct(word, words, &distinct) < 0 || filter_add(&b->word_filter, distinct, &b->word_shift) < 0 ||
        filter_add(&b->short_filter, firsts, &b->short_shift) < 0) return -ENOMEM;
    for (size_t i = 0; i < words; i++) filter_set((uint64_t *)b->word_filter.at, b->word_shift, word[i]);
    for (size_t i = 0; i < firsts; i++) filter_set((uint64_t *)b->short_filter.at, b->short_shift, first[i]);
    return 0;
}

/* The lengths that there are, each with a bitmap of its n-grams. */
static int lengths_fill(struct ngram_builder *b)
{
    uint64_t start[NGRAM_N_MAX + 1];
    uint32_t shift[NGRAM_N_MAX + 1];

    for (uint32_t length = 1; length <= NGRAM_N_MAX; length++) {
        if (!b->grams_of[length]) continue;
        start[length] = b->filter.len / sizeof(uint64_t);
        if (filter_add(&b->filter, b->grams_of[length], &shift[length]) < 0 ||
            bytes_append(&b->length, &length, sizeof length) < 0 ||
            bytes_append(&b->filter_start, &start[length], sizeof *start) < 0 ||
                bytes_append(&b->filter_shift, &shift[length], sizeof *shift) < 0) return -ENOMEM;
    }
    for (uint64_t s = 0; s < 1ull << b->slots.bits; s++) {
        uint8_t length;

        if (!b->slots.key[s]) continue;
        length = ((const uint8_t *)b->length_of.at)[b->slots.id[s]];
        filter_set((uint64_t *)b->filter.at + start[length], shift[length], b->slots.key[s]);
    }
    return 0;
}

int ngram_filters_fill(struct ngram_builder *b)
{
    const int rc = words_fill(b);

    return rc < 0 ? rc : lengths_fill(b);
}

/* ---- 2. How words begin ---- */

/* How words begin; nothing where too many bits of the bitmap would be set for it to say no. */
int ngram_heads_fill(struct ngram_builder *b, struct err *err)
{
    const struct ngram_entry *entry = (const struct ngram_entry *)b->entry.at;
    uint64_t                  set = 0, *heads;
    struct view_words         words = { 0 };
    int                       rc = 0;

    if (b->job->options->unit == NGRAM_TOKENS) return 0;
    if (bytes_reserve(&b->heads, NGRAM_HEAD_WORDS * sizeof *heads) < 0 ||
        bytes_reserve(&b->text, b->text.len + sizeof(uint64_t)) < 0)
        return err_memory(err, b->text.len, "the table of n-grams");
    heads = memset(b->heads.at, 0, NGRAM_HEAD_WORDS * sizeof *heads);
    for (size_t e = 0; e < b->entry.len / sizeof *entry && rc == 0; e++) {
        const struct slice text = { b->text.at + entry[e].text_at, entry[e].text_len };

        rc = view_words_find(&words, text, err);
        for (size_t w = 0; w < words.count && rc == 0; w++) {
            const uint32_t head = ngram_head(view_words_at(&words, text.at, w));

            set += !bits_has(heads, head);
            bits_set(heads, head);
        }
    }
    if (set < NGRAM_HEAD_MOST) b->heads.len = NGRAM_HEAD_WORDS * sizeof *heads;
    view_words_free(&words);
    return rc;
}
