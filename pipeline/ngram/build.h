/* ngram/build.h -- the table of the items' n-grams under construction.  Private to build.c (items, lines, n-grams),
 * filters.c (its bitmaps) and index.c (its file). */
#ifndef LEAKGRAPH_NGRAM_BUILD_H
#define LEAKGRAPH_NGRAM_BUILD_H

#include "base/bytes.h"
#include "base/slots.h"
#include "ngram/index.h"

struct ngram_builder {
    const struct ngram_job *job;
    /* as the file has them */
    struct bytes            entry, line, word, place, text, gram, length, known, posting_start, posting, anchor;
    struct bytes            filter, filter_start, filter_shift, word_filter, short_filter, heads, weight;
    struct bytes            length_of, last;                /* by id: uint8_t, struct last_posted */
    /* uint64_t: first words of n-grams shorter than the smallest n */
    struct bytes            short_word;
    struct bytes            posted;                         /* in the order of lines */
    uint64_t                grams_of[NGRAM_N_MAX + 1];      /* by length */
    uint32_t                grams, classes, word_shift, short_shift;
    struct slots            slots;                          /* of n-grams, as the file has them */
    /* of a job that tells both cases: words and ids as written; by id: uint64_t, the first hash as written, 0: not
     * known yet; a bit where there are others; the variants */
    struct bytes            word_kept, gram_kept, kept, several;
    struct slots            variant;
    uint32_t                variants;
};

/* Bitmaps of words, of how they begin and of n-grams, once all are there.  0 or -ENOMEM; with err set by heads. */
int ngram_filters_fill(struct ngram_builder *b);
int ngram_heads_fill(struct ngram_builder *b, struct err *err);

/* Writes the file.  0, or <0 as stage_commit says. */
int ngram_index_commit(struct ngram_builder *b, struct unit_key key, struct err *err);

#endif
