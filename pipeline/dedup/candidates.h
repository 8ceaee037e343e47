/* dedup/candidates.h -- which documents are compared by exact prefixes and which by bands; the parts of the stage
 * `bands`. */
#ifndef LEAKGRAPH_DEDUP_CANDIDATES_H
#define LEAKGRAPH_DEDUP_CANDIDATES_H

#include "dedup/state.h"

/* Documents of at most `border` distinct features meet exactly; longer ones by bands.  A pair across the border has
 * sizes within the threshold of each other, so prefixes go up to border / threshold: whoever is between does both, and
 * nothing falls between. auto: where a prefix has as many records as there are bands; lsh: only those too short for an
 * estimate; exact: all. */
/* distinct features: prefixes up to prefix_most, bands from bands_from on */
struct border { uint32_t prefix_most, bands_from; };
struct border border_of(const struct dedup_options *options);

#define RECORDS_SEED 0x6c65616b67726170ull                  /* of the lanes of bands: part of the scheme */

/* Features of a prefix. */
static inline uint32_t prefix_length(struct ratio threshold, uint32_t n)
{
    return (uint32_t)ratio_prefix(threshold, n);
}

/* How often features occur, roughly: counters by hash, summed over ranks.  Only an order and what is crowded follow
 * from it, so it may be wrong, but must be the same everywhere, and of earlier documents whatever is added later.
 * rank: in the first generation that has the feature.  crowd: the first generation with which, and all before it, more
 * documents have it than a bucket may, or NOT_CROWDED; NULL where there is one generation, and rank tells. */
struct frequency { uint32_t *rank; uint16_t *crowd; uint64_t mask; uint32_t cap; };
#define NOT_CROWDED UINT16_MAX
int  frequency_make(struct dedup_state *state, struct frequency *out, struct err *err);         /* collective */
void frequency_free(struct frequency *frequency);
static inline uint32_t frequency_rank(const struct frequency *f, uint64_t feature)
{
    return f->rank ? f->rank[feature >> 8 & f->mask] : 0;
}
static inline uint32_t frequency_crowd(const struct frequency *f, uint64_t feature)
{
    if (f->crowd) return f->crowd[feature >> 8 & f->mask];
    return frequency_rank(f, feature) > f->cap ? 0 : NOT_CROWDED;
}

/* What stands beside an id in a record: the document's size and the feature's place in the prefix, in 12 bits each.
 * Below 256 they are exact, above rounded to 1/128; code_low and code_high bound what a code stands for. */
#define CODE_NONE 4095u
static inline uint32_t code_of(uint32_t value)
{
    uint32_t exponent;

    if (value < 256) return value;
    exponent = 31 - (uint32_t)__builtin_clz(value);
    return 256 + (exponent - 8) * 128 + (value >> (exponent - 7) & 127);
}

static inline uint64_t code_low(uint32_t code)
{
    uint32_t exponent = (code - 256) / 128 + 8;

    return code < 256 ? code : (uint64_t)(128 + (code - 256) % 128) << (exponent - 7);
}

static inline uint64_t code_high(uint32_t code)
{
    return code < 256 ? code : code_low(code) + (1ull << ((code - 256) / 128 + 1)) - 1;
}

static inline uint64_t record_value(uint64_t id, uint32_t size_code, uint32_t place_code)
{
    return (uint64_t)size_code << 52 | (uint64_t)place_code << DEDUP_ID_BITS | id;
}

/* In the place of a place: of a band's record that is there from a later generation on than its document, because what
 * was added then made a feature of its prefix crowded.  It meets documents of that generation and of those after it.
 * Codes of numbers are smaller; generations beyond LATE_MOST have no such records. */
#define CODE_LATE 3328u
#define LATE_MOST (CODE_NONE - CODE_LATE - 1)
static inline uint32_t record_place(uint64_t value) { return (uint32_t)(value >> DEDUP_ID_BITS) & CODE_NONE; }
static inline bool record_is_band(uint64_t value) { return record_place(value) >= CODE_LATE; }
static inline uint32_t record_late(uint64_t value)          /* the generation; 0: it is there with its document */
{
    return record_is_band(value) && record_place(value) != CODE_NONE ? record_place(value) - CODE_LATE : 0;
}

/* May documents of these records, ordered by size code, reach the threshold?  By their sizes and, in a prefix bucket,
 * by what is left behind the shared feature.  With containment every pair may. */
bool records_may_match(const struct dedup_options *options, uint64_t smaller, uint64_t larger);

uint32_t record_partitions(const struct dedup_state *state);                /* of the shuffle of records */
/* records.c; collective: every document's records, delivered */
int records_make(struct dedup_state *state, struct shuffle *records, struct err *err);

/* records.c: what records follow from, frequencies among it */
struct recording;

/* The records of a document with these features, as value of id 0.  *out is owned by the caller, also after -ENOMEM. */
int records_of(const struct recording *recording, struct column_features features, struct sort_item **out,
               size_t *count);

/* mutants.c; collective.  Counts in the job's stats how many mutants of sampled documents reach the threshold and how
 * many of those meet their original in a bucket or are of its class. */
int mutants_measure(struct dedup_state *state, const struct recording *recording, struct err *err);

/* buckets.c; collective */
int buckets_join(struct dedup_state *state, struct shuffle *records, struct shuffle *pairs, const bool *block_done,
                 struct err *err);

#endif
