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

/* What is known of the features of a document, or of a part of it.  All is borrowed from who was asked. */
struct known {
    size_t          count;                                  /* features */
    const uint32_t *rank;                                   /* [count] of each; DICTIONARY_NONE */
    const uint32_t *different;                              /* [distinct] their ranks, each once, as they come */
    const uint64_t *present;                                /* bitmap of them, by rank */
    size_t          distinct;
    /* where features with a rank are, ascending; bitmap by place of those that the dictionary's has.  Of a part: none
     * and NULL */
    const uint32_t *place;                                  /* [placed] */
    size_t          placed;
    const uint64_t *likely;                                 /* [count / 64 + 1], zero behind the last */
};

static inline bool known_has(const struct known *known, uint32_t rank)
{
    return known->present[rank >> 6] >> (rank & 63) & 1;
}

struct knower;                                              /* one a thread and document */

/* Borrows the dictionary as long as it lives.  0, or -ENOMEM with err set. */
int  knower_open(struct knower **out, const struct dictionary *dictionary, struct err *err);
void knower_close(struct knower *knower);                   /* accepts NULL */

/* What is known of the features.  Valid until the next question.  0, or -ENOMEM with err set. */
int  knower_ask(struct knower *knower, struct feature_list features, struct known *out, struct err *err);

/* The same of `count` of them from `from` on, as another knower has told of all. */
struct known knower_part(struct knower *knower, const struct known *all, size_t from, size_t count);

#endif
