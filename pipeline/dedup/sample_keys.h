/* dedup/sample_keys.h -- what deduplication would make of a sample: records of classes, the pairs that meet in buckets,
 * and how small the records are compressed. */
#ifndef LEAKGRAPH_DEDUP_SAMPLE_KEYS_H
#define LEAKGRAPH_DEDUP_SAMPLE_KEYS_H

#include "capability/sample.h"
#include "dedup/candidates.h"
#include "dedup/dedup.h"
#include "view/signature.h"

#include <zstd.h>

struct sample_keys_dataset {
    /* those that are not the first of their class (dedup.h), and their text */
    uint64_t repeats, repeated_bytes;
    uint64_t prefix_documents, band_documents;              /* classes that emit records of each kind; some do both */
    uint64_t records_prefix, records_lsh;
    /* documents of which columns may be brief; their features */
    uint64_t brief, brief_distinct;
};

struct sample_keys {
    struct sample_watcher       watcher;                    /* of the sample's options */
    const struct dedup_options *options;
    const struct sampled        *sample;                     /* the one that is being read, or was */
    struct sample_keys_dataset *dataset;                    /* [dataset_count] */
    /* classes that meet in a bucket, each pair once; estimated in buckets of more than 46 */
    double                      pairs;
    uint64_t                    largest_bucket;
    /* bytes of records compressed at zstd_level: before, after */
    uint64_t                    packed_from, packed_to;
    double                      pack_seconds;
    struct table                classes;                    /* hashes that were met */
    struct signature_scheme     scheme;
    struct border               border;
    struct brief                brief;
    struct bytes                emitters, keys, packed;     /* struct emitter; uint64_t; bytes */
    uint32_t                   *rarity;                     /* by slot: classes that have a feature of it */
    ZSTD_CCtx                  *zstd;
};

/* Before the sample is read into *sample, which need not be made yet.  0 or -ENOMEM with err set; *s is to be freed
 * either way. */
int  sample_keys_open(struct sample_keys *s, const struct dedup_options *options, const struct sampled *sample,
                      size_t dataset_count, struct err *err);

/* After it was read: fills pairs and largest_bucket.  0 or -ENOMEM with err set. */
int  sample_keys_pair(struct sample_keys *s, struct err *err);
void sample_keys_free(struct sample_keys *s);

#endif
