/* dedup/dedup.h -- a corpus of any size joined with itself: which documents repeat others, and which of them stay.
 *
 *   columns   shards -> rows of every document; features of short ones, bands and sketches of long ones
 *                                                                             units by shard (pass/pass.h)
 *   order     every document gets an id: its place in the order of preference (`keep`); the smaller stays
 *   classes  equal multisets of features (and equal bytes where there are none) are one class, its smallest id stands
 *             for it
 *   bands     LSH bands of long documents, exact prefixes of short ones -> (key, id), exchanged by key
 *   pairs     documents that meet in a bucket -> candidates, exchanged by id, in parts of a block of ids
 *   features  of long documents that are compared, made again from the shards  units by shard
 *   verify    features fetched, intersected, decided in integers              units by block of ids
 *   measure   sampled documents compared with all others, exactly: how many of their pairs were found
 *   clusters  star or component; every document's fate                        units by unit of columns
 *   write     cleaned shards or lists                                         files by shard
 *
 * Two numberings.  An ordinal is a document's place in the contract's order over all datasets of the pass (dataset,
 * split, shard, record; readable documents only), from 0: it is what files hold, and with later shards added at the end
 * it does not change. An id is its place in the order of preference; it lives in memory only.  Neither depends on ranks
 * or threads. */
#ifndef LEAKGRAPH_DEDUP_DEDUP_H
#define LEAKGRAPH_DEDUP_DEDUP_H

#include "base/comm.h"
#include "base/ratio.h"
#include "base/stage.h"
#include "pass/pass.h"
#include "pass/run.h"
#include "view/view.h"

enum dedup_method  { DEDUP_AUTO, DEDUP_LSH, DEDUP_EXACT };
enum dedup_cluster { DEDUP_STAR, DEDUP_COMPONENT };
enum dedup_write   { DEDUP_WRITE_SHARDS, DEDUP_WRITE_LISTS, DEDUP_WRITE_NONE };

/* What makes a document preferred, first criterion first; then the smaller content hash, then the earlier document. */
enum dedup_keep {
    KEEP_DATASET,                                           /* earlier in dedup.datasets, then the earlier split */
    KEEP_LONGEST,                                           /* more bytes of text */
    KEEP_STARS,                                             /* larger number in field `stars`; none: last */
    KEEP_NEWEST,                                            /* later `date` (ISO 8601, or a number); none: last */
    KEEP_PATH,                                              /* shorter path; none: last */
    KEEP_CRITERIA
};

struct dedup_options {
    struct view_options view;
    /* occurrences of features below which documents are only compared as bytes; at least 1 */
    uint32_t            min_tokens;
    struct ratio        threshold;                          /* set Jaccard, >= */
    /* den 0: off.  multiset: must hold too.  containment: or this share of the less preferred document is in the other
     * */
    struct ratio        multiset_threshold, containment;
    enum dedup_method   method;
    double              recall;                             /* of pairs at the threshold, wanted from LSH */
    /* bands, rows: resolved, never 0; hashes: what the user gave, 0: nothing */
    uint32_t            hashes, bands, rows;
    enum dedup_cluster  cluster;
    enum dedup_keep     keep[KEEP_CRITERIA];
    size_t              keep_count;
    enum dedup_write    write;
    /* every verified pair in edges; off: only those to the document that stays */
    bool                pairs_all;
    uint32_t            bucket_cap;                         /* larger buckets and classes become a star */
    int                 zstd_level;
    uint64_t            shard_size;                         /* bytes of small shards that are written as one file */
    /* documents whose neighbours and mutants are looked for exactly; 0: recall is not measured */
    uint32_t            measure;
};

enum dedup_stage { DEDUP_COLUMNS, DEDUP_ORDER, DEDUP_CLASSES, DEDUP_BANDS, DEDUP_PAIRS, DEDUP_FEATURES, DEDUP_VERIFY,
                   DEDUP_MEASURE, DEDUP_CLUSTERS, DEDUP_REWRITE, DEDUP_STAGES };
extern const char *const dedup_stage_names[DEDUP_STAGES];
/* Says so to base/status.h; what the stage before has freed goes back to the system. */
void dedup_stage_begins(enum dedup_stage stage);

/* What a run can say of itself; summed over ranks. */
struct dedup_stats {
    /* copies: documents that are not the first of their class */
    uint64_t documents, admitted, classes, copies;
    uint64_t apart;                                         /* with the bytes of one of another language: no copies */
    uint64_t records_lsh, records_prefix, buckets, largest_bucket;
    /* buckets above bucket_cap, and documents in them: compared with their best only */
    uint64_t hot_buckets, hot_members;
    uint64_t candidates, verified;                          /* pairs of classes that were intersected; that passed */
    uint64_t removed, removed_bytes, text_bytes, clusters, largest_cluster;
    /* largest rank's memory for its documents, shuffles not counted */
    uint64_t state_bytes;
    uint64_t spilled_bytes, exchanged_bytes;
    /* recall as measured: pairs that an exact comparison found among sampled documents, and with mutants made of them;
     * how many of them the run found */
    uint64_t sample_documents, sample_pairs, sample_found, mutants, mutants_found;
};

struct dedup_job {
    const struct run *run;
    /* [member_count] datasets of this pass in the order of dedup.datasets */
    const uint32_t             *member;
    size_t                      member_count;
    const bool                 *protect;                    /* [dataset_count] documents of it are never removed */
    const struct dedup_options *options;
    struct unit_key             fate_key;                   /* of everything the fates depend on; set by dedup_run */
    /* of features that were made again; set by features_make, zeros where there are none */
    struct unit_key             features_key;
    struct pass_totals          totals;                     /* out, summed over ranks */
    struct dedup_stats          stats;                      /* out, on every rank */
    double                      seconds[DEDUP_STAGES];      /* out, of this rank */
};

/* Everything up to the written shards, resuming what is committed.  Collective.  Afterwards rank 0 reads the result
 * (result.h). */
int dedup_run(struct dedup_job *job, struct err *err);

#endif
