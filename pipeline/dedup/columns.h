/* dedup/columns.h -- rows and feature columns of documents, as committed by the first pass: checksummed, one file a
 * unit.
 *
 * Most bytes of a corpus of files are in long documents, which meet by bands alone.  Of these a unit has the keys of
 * the bands and a sketch (view/sketch.h) in the place of features: it is brief about them.  Features of those few that
 * are compared are made again from the shards (features.h).  Where long documents do not have most of the features of
 * their part, as in a corpus of functions, theirs are kept, too: that costs less than to read shards again.
 *
 * The files are units of kind "columns".  Their key, which is their name, holds the scheme (view, languages, minimum,
 * version of the program, what is brief) beside the shard, so that features of two schemes never meet. */
#ifndef LEAKGRAPH_DEDUP_COLUMNS_H
#define LEAKGRAPH_DEDUP_COLUMNS_H

#include "dedup/fate.h"
#include "view/sketch.h"

/* A document; its strings are in the part's heap, its features in the part's values. */
struct dedup_row {
    uint64_t            record;
    struct content_hash raw;                                /* of the text's bytes */
    /* of the feature multiset; of text and language when not admitted */
    uint64_t            class_low, class_high;
    /* fields `stars`, `date` as numbers that keep their order; 0: none */
    uint64_t            stars, date;
    /* first of its values in the unit's part: features, or of a brief one bands and sketch; count_at: UINT64_MAX when
     * every feature occurs once, or it is brief */
    uint64_t            feature_at, count_at;
    uint64_t            bytes;                              /* of text */
    uint32_t            total, distinct;                    /* features: occurrences, distinct */
    uint32_t            group;
    uint16_t            admitted, brief;                    /* 0 or 1 */
    struct heap_string  source_id, path, repo, license, text;   /* text: only of benchmarks, with store_text */
    /* the text of a few documents in each part, for mutants.c */
    struct heap_string  sample;
};
_Static_assert(sizeof(struct dedup_row) == 144, "unit format");

/* Which documents may be brief: those of more than `above` distinct features, which have bands; UINT32_MAX: none, as
 * where candidates are found by prefixes alone, or `containment` is asked, which a sketch does not tell.  sketch.size
 * 0: there are no sketches, all features are looked at. */
struct brief { uint32_t above, bands; struct sketch_plan sketch; };
struct brief brief_of(const struct dedup_options *options);

/* Long documents of a part, or a dataset, have `many` features, the others `few`: are theirs kept, too?  Of functions
 * long ones have a fifth or a quarter of all, of files nearly all; twice as many as the others are not worth it. */
static inline bool brief_keeps(uint64_t many, uint64_t few) { return many <= 2 * few; }

/* Features of a document: hashes ascending, and their occurrences (NULL: all 1). */
struct column_features { const uint64_t *hash; const uint32_t *count; uint32_t distinct, total; };

/* Features of some of a unit's documents, ascending by index, in a file of their own; see features.h. */
struct features_row;
struct features_part {
    const struct features_row *row;
    size_t          count;
    const uint64_t *hash;
    const uint32_t *occurrence;
};
struct features { struct pass_unit file; struct features_part *part; size_t parts; };        /* without empty parts */

/* A loaded unit. */
struct column_unit {
    struct pass_unit file;
    uint32_t        *part_first;                            /* [parts + 1] row with which a part starts */
    uint64_t         documents;
    struct brief     brief;
    struct features  again;                                 /* of its brief documents those that were made again */
};

/* Number of the pass's text that a unit holds: smaller than a scan's, because a unit waits in memory until it is
 * complete. */
#define COLUMNS_UNIT_BYTES (64ull << 20)

/* The pass that makes the columns; item is owned by the caller (free). */
int columns_pass(const struct dedup_job *job, struct pass *out, struct err *err);

/* The same without its items: enough to name units. */
struct pass columns_frame(const struct dedup_job *job);

/* Key of a shard's first unit: what else is made of the shard's columns names it. */
struct unit_key columns_shard_key(const struct dedup_job *job, uint32_t shard);

/* Loads a unit of the catalogue.  verified: this process has checked the file before, so its checksum is not computed
 * again.  0, or <0 with err set. */
int  columns_load(const struct dedup_job *job, const struct catalogue *catalogue, size_t unit, bool verified,
                  struct column_unit *out, struct err *err);
void columns_close(struct column_unit *unit);               /* accepts a zeroed one */

/* Row i of a unit and its strings' base (heap may be NULL); its features.  A brief document has none (distinct 0),
 * unless they were made again. */
const struct dedup_row *columns_row(const struct column_unit *unit, uint64_t i, const char **heap);
struct column_features columns_features(const struct column_unit *unit, uint64_t i);
/* [brief.bands] of row i, which is brief; the smallest features of any admitted row: of its sketch, or all where there
 * are no sketches. */
const uint64_t *columns_bands(const struct column_unit *unit, uint64_t i);
struct sketch { const uint64_t *hash; size_t count; };
struct sketch columns_sketch(const struct column_unit *unit, uint64_t i);
/* For who reads rows that lie apart: asks the memory for row i; for its features, once the row has come. */
void columns_expect(const struct column_unit *unit, uint64_t i);
void columns_expect_features(const struct column_unit *unit, uint64_t i);
const struct part_group *columns_groups(const struct column_unit *unit, uint64_t part, size_t *count,
                                        const char **heap);
/* The group of row i, which the unit is known to have; its strings are in the heap of the row's. */
const struct part_group *columns_group(const struct column_unit *unit, uint64_t i);

/* Builds the catalogue from the committed units' headers; collective. */
int  catalogue_read(struct dedup_job *job, struct catalogue *out, struct err *err);             /* by this rank alone */
int  catalogue_make(struct dedup_job *job, struct catalogue *out, struct err *err);
void catalogue_free(struct catalogue *catalogue);

#endif
