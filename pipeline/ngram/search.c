/* ngram/search.c -- which of the items' n-grams a document has; see roller.h.
 *
 * The pass has found where a document's words are.  An n-gram of the smallest n can only be where n words of items
 * follow each other, so every n-th word is looked at, and those around it where an item has it: most are never hashed
 * unless fields of items are shorter than n, or about as short.  One bit tells of most n-grams that no item has them.
 * A longer n-gram of an item begins with n-grams of the smallest n that are the item's too, so it is looked up where
 * enough of them follow each other; a shorter one, that an item of few words makes, where its first word is.  What is
 * written alike, too, is told where something was found in lower case. */
#include "ngram/roller.h"

#include "base/bits.h"

#include <errno.h>

enum { LOOK_AT_ONCE = 32 };

/* Of count n-grams whose keys and places are in the roller, those that are in the table. */
static void keys_find(struct roller *r, size_t count)
{
    const struct ngram_index *index = r->index;

    r->found_count = 0;
    for (size_t k = 0; k < count; k++) {
        if (k + LOOK_AHEAD < count) {
            const uint64_t at = scatter(r->key[k + LOOK_AHEAD], index->factor, index->slot_shift);

            __builtin_prefetch(&index->key[at]);
            __builtin_prefetch(&index->id[at]);
        }
        r->found[r->found_count] = (struct found){ r->at[k], ngram_find(index, r->key[k]) };
        r->found_count += r->found[r->found_count].gram != UINT32_MAX;
    }
}

static inline uint64_t word_kept(struct roller *r, size_t i)
{
    if (!r->hash_kept[i]) r->hash_kept[i] = view_hash(view_words_at(r->spans, r->text.at, i), 0);
    return r->hash_kept[i];
}

/* What those in r->found, of one length, are as written: in r->found_kept.  Returns whether all are as items write
 * them, and these write none of them in two ways. */
static bool kept_find(struct roller *r, uint32_t length)
{
    const struct ngram_index *index = r->index;
    const uint64_t            power = r->power[length];
    bool                      alike = true;
    size_t                    until = 0;

    for (size_t k = 0; k < r->found_count; k++) {
        const uint32_t at = r->found[k].at;

        if (k + LOOK_AHEAD < r->found_count) __builtin_prefetch(&index->known[r->found[k + LOOK_AHEAD].gram]);
        /* a longer one is where those of the smallest n follow each other, which were looked at before */
        if (length <= r->job->options->n[0]) {
            if (k == 0 || at > until) r->prefix_kept[until = at] = 0;
            for (; until < at + (size_t)length; until++)
                r->prefix_kept[until + 1] = r->prefix_kept[until] * NGRAM_BASE + word_kept(r, until);
        }
        r->found_kept[k] = ngram_find_kept(index, r->found[k].gram, ngram_key(r->prefix_kept[at],
                                                                              r->prefix_kept[at + length], power,
                                                                              length));
        alike &= r->found_kept[k] == r->found[k].gram;
    }
    return alike;
}

/* Takes those in r->found. */
static int found_take(struct roller *r, uint32_t length)
{
    return roller_pieces(r, !r->job->both || kept_find(r, length));
}

/* N-grams of one length at the places in start, of which this one and `after` more must follow each other.  Keys first,
 * then what the filter says of them: what is written where the answers before lead to would make each wait. */
static int length_look(struct roller *r, uint32_t number, size_t count, uint32_t after)
{
    const struct ngram_index *index = r->index;
    const uint32_t            length = index->length[number], shift = index->filter_shift[number];
    const uint64_t *const     prefix = r->prefix, power = r->power[length],
        *const filter = index->filter + index->filter_start[number];
    uint64_t *const           key = r->key;
    uint32_t *const           at = r->at;
    size_t                    likely = 0;

    for (size_t k = 0, made = 0; k + after < count; ) {
        for (; k + after < count && made < LOOK_AT_ONCE; k++) {
            const uint32_t i = r->start[k];

            if (r->start[k + after] != i + after || i + length > r->words) continue;
            key[likely + made] = ngram_key(prefix[i], prefix[i + length], power, length);
            at[likely + made] = i;
            __builtin_prefetch(ngram_bits(filter, shift, key[likely + made]));
            made++;
        }
        for (const size_t to = likely + made; made > 0; made--) {
            key[likely] = key[to - made];
            at[likely] = at[to - made];
            likely += ngram_maybe(filter, shift, key[likely]);
        }
    }
    keys_find(r, likely);
    return found_take(r, length);
}

static inline uint64_t word_hash(struct roller *r, size_t i)
{
    if (!r->hash[i]) {
        const struct slice word = view_words_at(r->spans, r->text.at, i);

        r->hash[i] = r->job->fold ? view_hash_folded(word, 0) : view_hash(word, 0);
    }
    return r->hash[i];
}

void roller_hash_words(struct roller *r)
{
    for (size_t i = 0; i < r->words; i++) r->job->both ? word_kept(r, i) : word_hash(r, i);
}

static void prefix_fill(struct roller *r, size_t from, size_t to)
{
    r->prefix[from] = 0;
    for (size_t i = from; i < to; i++) r->prefix[i + 1] = r->prefix[i] * NGRAM_BASE + r->hash[i];
}

/* False: no item has word i. */
static inline bool word_maybe(struct roller *r, size_t i)
{
    const uint64_t *heads = r->index->heads;

    if (heads && !r->hash[i] && !bits_has(heads, ngram_head(view_words_at(r->spans, r->text.at, i))))
        return false;
    return ngram_maybe(r->index->word_filter, r->index->word_shift, word_hash(r, i));
}

/* Where n words start that items may have.  `from` is the first that may be one of them: they have the one with the
 * number n - 1 behind it, and are in the longest run of such words around that. */
static size_t run_starts(struct roller *r, uint32_t n)
{
    size_t count = 0;

    for (size_t from = 0, i, until; (i = from + n - 1) < r->words; from = until + 1) {
        until = i;
        if (!word_maybe(r, i)) continue;
        while (i > from && word_maybe(r, i - 1)) i--;
        do until++; while (until < r->words && word_maybe(r, until));
        if (until - i < n) continue;
        prefix_fill(r, i, until);
        for (; i + n <= until; i++) r->start[count++] = (uint32_t)i;
    }
    return count;
}

/* Where n-grams shorter than the smallest n may start: what follows their first word may be any. */
static size_t short_starts(struct roller *r)
{
    size_t count = 0;

    for (size_t i = 0; i < r->words; i++) word_hash(r, i);
    prefix_fill(r, 0, r->words);
    for (size_t i = 0; i < r->words; i++) {
        r->start[count] = (uint32_t)i;
        count += ngram_maybe(r->index->short_filter, r->index->short_shift, r->hash[i]);
    }
    return count;
}

int roller_search(struct roller *r)
{
    const struct ngram_index *index = r->index;
    const uint32_t            n = r->job->options->n[0];
    size_t                    count = 0;
    int                       rc = 0;

    if (index->lengths && index->length[0] < n) count = short_starts(r);
    for (uint32_t l = 0; l < index->lengths && rc == 0; l++) {
        if (index->length[l] == n) count = run_starts(r, n);
        rc = length_look(r, l, count, index->length[l] <= n ? 0 : index->length[l] - n);
        if (index->length[l] != n) continue;
        count = r->found_count;
        for (size_t k = 0; k < count; k++) r->start[k] = r->found[k].at;
    }
    return rc;
}
