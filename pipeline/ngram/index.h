/* ngram/index.h -- the committed table of the items' n-grams, for the scanner and the result.
 *
 * One file (a unit of kind "ngrams") that every rank maps.  An entry is one field of one item; a line is an entry with
 * one of the n.  All arrays point into the mapping. */
#ifndef LEAKGRAPH_NGRAM_INDEX_H
#define LEAKGRAPH_NGRAM_INDEX_H

#include "base/scatter.h"
#include "ngram/ngram.h"
#include "view/hash.h"

struct ngram_entry {
    uint64_t record, word_at, text_at;                      /* first of its words, of its text's bytes */
    uint32_t shard, field, words, text_len;
};
_Static_assert(sizeof(struct ngram_entry) == 40, "unit format");

struct ngram_line {
    uint64_t at;                                            /* first of its n-grams in order, repetitions included */
    /* length: words in its n-grams; count 0: the field has no word */
    uint32_t entry, n, length, count, distinct;
    uint32_t distinct_kept;                                 /* of those as written */
    uint32_t weight_at;                                     /* n = 5, not short: first of its weights */
    uint32_t unused;
};
_Static_assert(sizeof(struct ngram_line) == 40, "unit format");

/* Boilerplate puts many n-grams in a row into the same lines, so that lists of lines are kept once, as classes: an
 * n-gram stands `times` times in each line of its class, first at the line's n-gram base + first (modulo 2^32).  Of two
 * n-grams of a class with bases that follow each other, the second so follows the first in every one of its lines. */
struct ngram_known {
    /* its hash as written, where the job tells both cases; 0: items write it in several ways, its variants */
    uint64_t key;
    uint32_t class, base, anchor;                           /* anchor: the first of its list in the index's anchors */
    uint32_t unused;
};
_Static_assert(sizeof(struct ngram_known) == 24, "unit format");
struct ngram_posting { uint32_t line, times, first; };

struct ngram_index {
    struct unit                 file;
    uint32_t                    entries, lines, grams, lengths;
    uint32_t                    ids;                        /* of grams, and behind them of their variants */
    uint32_t                    classes;
    const struct ngram_entry   *entry;
    const struct ngram_line    *line;                       /* by entry, then n */
    /* hashes; as written, the same where the job has one case */
    const uint64_t             *word, *word_kept;
    const uint32_t             *word_place;                 /* in the entry's text */
    const char                 *text;                       /* without white space around it */
    /* ids of the lines' n-grams; as written, the same where the job has one case */
    const uint32_t             *gram, *gram_kept;
    /* of the n-grams of lines that have weights, in order; 0: the line has had it before */
    const double               *weight;
    const uint32_t             *length;                     /* [lengths] of all n-grams, ascending */
    const struct ngram_known   *known;                      /* [ids] */
    const uint64_t             *posting_start;              /* [classes + 1] */
    const struct ngram_posting *posting;                    /* of a class, in the order of lines */
    /* entries whose text may begin one word before the n-gram; a list ends with UINT32_MAX */
    const uint32_t             *anchor;
    /* bitmaps of all words, of the first ones of n-grams shorter than the smallest n */
    const uint64_t             *word_filter, *short_filter;
    uint32_t                    word_shift, short_shift;
    /* of how the words begin; NULL where nearly every word would be one of them, and where words are tokens */
    const uint64_t             *heads;
    /* [lengths] first word of the bitmap of a length's keys: the few short n-grams need a small one */
    const uint64_t             *filter_start;
    const uint32_t             *filter_shift;               /* [lengths] */
    /* base/slots.h */
    const uint64_t             *key;                        /* 0: free */
    const uint32_t             *id;
    const uint64_t             *filter;
    uint64_t                    slot_mask, factor;          /* base/scatter.h */
    unsigned                    slot_shift;
    /* the same of variants, by their hashes as written */
    const uint64_t             *variant_key;
    const uint32_t             *variant_id;
    uint64_t                    variant_mask;
    unsigned                    variant_shift;
};

/* Words of the items as collected, by rank 0. */
int  ngram_index_build(const struct ngram_job *job, struct unit_key key, struct err *err);

/* Maps it: 1; 0 when there is none; <0 with err set. */
int  ngram_index_open(struct stage *stage, struct unit_key key, struct ngram_index *out, struct err *err);
void ngram_index_close(struct ngram_index *index);
struct unit_key ngram_index_key(const struct ngram_job *job);

/* ---- collected items ---- */

/* PART_ROWS: one for each field that a record has; its words' hashes are in PART_VALUES from value_at on, where a job
 * tells both cases those as written behind them; their places in PART_COUNTS from place_at on. */
struct ngram_item { uint64_t record, value_at, place_at; uint32_t field, words; struct heap_string text; };
_Static_assert(sizeof(struct ngram_item) == 40, "unit format");

/* Bytes that the scanner takes of each thread, what documents need aside. */
uint64_t ngram_scan_need(const struct ngram_job *job);

struct pass_scanner ngram_collector(const struct ngram_job *job);
struct unit_key     ngram_options_key(const struct ngram_job *job);

/* A text as the job finds windows in it: itself, or in lower case in `folded`, which is kept for the next call, where
 * the job folds and does not tell both cases.  0 or -ENOMEM with err set. */
int ngram_text(const struct ngram_job *job, struct slice *text, struct bytes *folded, struct err *err);

/* Words, or tokens, of a text in order, by a view opened with ngram_view; the record, and the language of its dataset,
 * tell the lexer's language. */
struct view_options ngram_view(const struct ngram_options *options);
int ngram_sequence(struct view_scratch *view, const struct ngram_options *options, const char *language,
                   const struct record *record, struct slice text, struct view_sequence *out, struct err *err);

/* ---- what the scan's units hold, in PART_ROWS, PART_VALUES and PART_COUNTS ---- */

/* Only what an earlier document of the shard, seen by the same thread, has not outdone already (pass/pass.h): run, at,
 * lcs and covered are 0 otherwise. */
struct ngram_hit {                                          /* of a line in a part */
    uint64_t record;                                        /* the document with the longest run */
    double   weight;                                        /* most that a document has of the line's weights */
    /* line: as written beside folded ones from the index's `lines` on; exact: NGRAM_EXACT and NGRAM_EXACT_KEPT */
    uint32_t line, documents, run, at, covered, lcs, lcs_of, exact;
    uint32_t text_line;                                     /* of the document's text, where the run starts */
    uint32_t near;                                          /* enum ngram_near: of all documents of the part */
};
_Static_assert(sizeof(struct ngram_hit) == 56, "unit format");

enum { NGRAM_EXACT = 1, NGRAM_EXACT_KEPT = 2 };             /* as the job looks for n-grams; as written beside that */

/* Adds what another part, which comes behind, says of the line: whether its run is the longer one. */
bool ngram_hit_add(struct ngram_hit *to, const struct ngram_hit *hit);

/* gram: below the index's `grams` one of those; from there on, less `grams`: a variant; or an n-gram that is written in
 * one way, and what it has not as written. */
struct ngram_count { uint64_t occurrences; uint32_t gram, documents; };
_Static_assert(sizeof(struct ngram_count) == 16, "unit format");

/* windows of the entry that start there, `to` not among them, were found */
struct ngram_stretch { uint32_t entry, from, to; };
/* Puts them in order, those that meet as one; how many are left. */
size_t ngram_stretches_join(struct ngram_stretch *at, size_t count);

enum { NGRAM_WEIGHED = 5 };                                 /* n of decon's rule */

static inline bool ngram_has_weights(const struct ngram_line *line)
{
    return line->n == NGRAM_WEIGHED && line->length == NGRAM_WEIGHED;
}

/* ---- hashes of n-grams ---- */

#define NGRAM_BASE 0x9e3779b97f4a7c15ull                    /* odd: multiplying loses nothing modulo 2^64 */

static inline uint64_t ngram_power(uint32_t length)
{
    uint64_t power = 1;

    while (length--) power *= NGRAM_BASE;
    return power;
}

/* From the polynomials of a text's first words up to the n-gram's start and up to its end.  Never 0. */
static inline uint64_t ngram_key(uint64_t before, uint64_t after, uint64_t power, uint32_t length)
{
    uint64_t key = after - before * power + length * VIEW_HASH_K2;

    return key + !key;
}

/* A bitmap that stays in the nearest cache knows words by how they begin and how long they are, in either case: it is
 * asked before a word is hashed.  [NGRAM_HEAD_WORDS] */
enum { NGRAM_HEAD_BITS = 17, NGRAM_HEAD_WORDS = 1 << (NGRAM_HEAD_BITS - 6) };

/* The word's place there.  8 bytes from its first one on must be readable. */
static inline uint32_t ngram_head(struct slice word)
{
    const uint64_t four = view_hash_load(word.at) & view_hash_mask[8 + (word.len < 4 ? word.len : 4)];

    return (uint32_t)(((four | 0x20202020) + ((uint64_t)word.len << 32)) * VIEW_HASH_K1 >> (64 - NGRAM_HEAD_BITS));
}

/* Where the filter has the bit of a key. */
static inline const uint64_t *ngram_bits(const uint64_t *filter, uint32_t shift, uint64_t key)
{
    return filter + (key >> shift >> 6);
}

/* False: no n-gram of the filter's length has the key. */
static inline bool ngram_maybe(const uint64_t *filter, uint32_t shift, uint64_t key)
{
    return *ngram_bits(filter, shift, key) >> (key >> shift & 63) & 1;
}

/* The id of a key, or UINT32_MAX. */
static inline uint32_t ngram_find(const struct ngram_index *index, uint64_t key)
{
    uint64_t at;

    for (at = scatter(key, index->factor, index->slot_shift); index->key[at]; at = (at + 1) & index->slot_mask)
        if (index->key[at] == key) return index->id[at];
    return UINT32_MAX;
}

/* The id of an n-gram as written, whose id in lower case is known: the same, that of a variant, or UINT32_MAX. */
static inline uint32_t ngram_find_kept(const struct ngram_index *index, uint32_t gram, uint64_t key)
{
    uint64_t at;

    if (index->known[gram].key) return index->known[gram].key == key ? gram : UINT32_MAX;
    for (at = scatter(key, index->factor, index->variant_shift); index->variant_key[at];
         at = (at + 1) & index->variant_mask)
        if (index->variant_key[at] == key) return index->grams + index->variant_id[at];
    return UINT32_MAX;
}

#endif
