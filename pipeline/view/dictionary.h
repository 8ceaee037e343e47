/* view/dictionary.h -- which features of a document an index has.
 *
 * Whatever compares documents with the items of benchmarks begins with the same question about the same features: the
 * join, passages, functions.  It is asked once, by the pass, and those go on with the answer.  Features have ranks in
 * the dictionary, so what is kept of them is arrays and bitmaps by rank, which are small beside tables of hashes. */
#ifndef LEAKGRAPH_VIEW_DICTIONARY_H
#define LEAKGRAPH_VIEW_DICTIONARY_H

#include "base/scatter.h"
#include "view/view.h"

/* Open addressing, and a bitmap in front that tells most absent features from one bit.  The bitmap may have more than
 * the dictionary: features that somebody looks for who needs no rank. */
struct dictionary {
    uint32_t        features;                               /* ranks are 0 .. features - 1 */
    const uint64_t *key;                                    /* [slot_mask + 1], 0 = free */
    const uint32_t *rank;                                   /* [slot_mask + 1] */
    const uint64_t *filter;
    uint64_t        slot_mask, factor;                      /* base/scatter.h */
    unsigned        slot_shift, filter_shift;
};

#define DICTIONARY_NONE UINT32_MAX                          /* never a rank */

/* False: neither the dictionary nor the bitmap has the feature. */
static inline bool dictionary_maybe(const struct dictionary *dictionary, uint64_t feature)
{
    const uint64_t bit = feature >> dictionary->filter_shift;

    return dictionary->filter[bit >> 6] >> (bit & 63) & 1;
}

/* The rank of a feature, or DICTIONARY_NONE. */
static inline uint32_t dictionary_rank(const struct dictionary *dictionary, uint64_t feature)
{
    uint64_t at = scatter(feature, dictionary->factor, dictionary->slot_shift);

    for (; dictionary->key[at]; at = (at + 1) & dictionary->slot_mask)
        if (dictionary->key[at] == feature) return dictionary->rank[at];
    return DICTIONARY_NONE;
}

struct knower;                                              /* one a thread and document */

/* What is known of the features of a document, or of a part of it.  All is borrowed from who was asked.  At first that
 * is which ones are likely, which rules most documents out for who needs no more; ranks are told to those who ask. */
struct known {
    size_t          count;                                  /* features */
    /* bitmap by place of those that the dictionary's has, [count / 64 + 1], zero behind the last; of a part: of the
     * document, whose feature `first` is the part's first */
    const uint64_t *likely;
    size_t          first;
    struct knower  *untold;                                 /* who has the ranks still to tell; NULL: they are told */
    /* told: */
    const uint32_t *rank;                                   /* [count] of each; DICTIONARY_NONE */
    const uint32_t *different;                              /* [distinct] their ranks, each once, as they come */
    const uint64_t *present;                                /* bitmap of them, by rank */
    size_t          distinct;
    const uint32_t *place;                                  /* [placed] where features with a rank are, ascending */
    size_t          placed;                                 /* of a part: 0 */
};

/* Of the 64 features from place `from` < count on those that are not likely; bits behind the last are 0. */
static inline uint64_t known_unlikely(const struct known *known, size_t from)
{
    const size_t   at = known->first + from, left = known->count - from;
    const unsigned shift = at % 64;
    const uint64_t low = known->likely[at / 64] >> shift;
    const uint64_t bits = ~(shift && 64 - shift < left ? low | known->likely[at / 64 + 1] << (64 - shift) : low);

    return left < 64 ? bits & ((1ull << left) - 1) : bits;
}

static inline bool known_has(const struct known *known, uint32_t rank)
{
    return known->present[rank >> 6] >> (rank & 63) & 1;
}

/* Borrows the dictionary as long as it lives.  0, or -ENOMEM with err set. */
int  knower_open(struct knower **out, const struct dictionary *dictionary, struct err *err);
void knower_close(struct knower *knower);                   /* accepts NULL */

/* Which of the features are likely; they, and what is known of them, are valid until the next question.  0, or -ENOMEM
 * with err set. */
int  knower_ask(struct knower *knower, struct feature_list features, struct known *out, struct err *err);

/* Tells the ranks, once. */
void known_rank(struct known *known);

/* The same of `count` of them from `from` on, as another knower tells of all. */
struct known knower_part(struct knower *knower, struct known *all, size_t from, size_t count);

#endif
