/* dedup/sample.h -- documents at the beginnings of shards, read as a pass reads them: what a plan rests on.
 *
 * Shards are taken evenly from each dataset, and of each the same number of bytes, whole batches of records.  The
 * sample ends at the share asked for, and before that at SAMPLE_TEXT_BYTES of text, SAMPLE_SECONDS, SAMPLE_DOCUMENTS or
 * SAMPLE_KEYS: each shard has its part of all of them, so what is cut short is cut short everywhere.  Little data is
 * read whole, if it has no more text and documents than that, however long it takes: its numbers are exact on a slow
 * machine, too. */
#ifndef LEAKGRAPH_DEDUP_SAMPLE_H
#define LEAKGRAPH_DEDUP_SAMPLE_H

#include "dedup/dedup.h"

/* on disk: less than this is read whole, whatever the share */
#define SAMPLE_ALL_BYTES  (16ull << 20)
#define SAMPLE_TEXT_BYTES (256ull << 20)
#define SAMPLE_SECONDS    10.0
#define SAMPLE_DOCUMENTS  (1ull << 20)
#define SAMPLE_KEYS       (8ull << 20)
#define SAMPLE_SHARDS     256u                              /* looked into, unless everything is read */
#define SAMPLE_PACK_BYTES (32ull << 20)                     /* compressed to know what that takes */

struct sample_options {
    const struct dataset       *datasets;
    size_t                      dataset_count;
    const struct shard_list    *shards;
    const bool                 *wanted;                     /* [dataset_count] */
    const struct view_options  *view;
    uint32_t                    min_tokens;
    double                      share;                      /* of the bytes on disk, 0 to 1 */
    const struct dedup_options *dedup;                      /* for keys, pairs and compression; NULL: none of them */
};

/* A dataset, and what was seen of it. */
struct sample_dataset {
    uint64_t shards, bytes;                                 /* all of it, as it lies on disk */
    uint64_t shards_read, bytes_read;                       /* the sample's part of that */
    uint64_t documents, rejected, admitted;
    uint64_t empty;                                         /* documents without a feature */
    uint64_t text_bytes, decoded_bytes;                     /* of texts; of whole records */
    uint64_t distinct;                                      /* distinct features of admitted documents, summed */
    /* documents that are byte-equal to an earlier one of the sample */
    uint64_t copies;
    /* those that are not the first of their class (dedup.h), and their text */
    uint64_t repeats, repeated_bytes;
    uint64_t prefix_documents, band_documents;              /* classes that emit records of each kind; some do both */
    uint64_t records_prefix, records_lsh;
    /* processor time: read, parsed, turned into features and keys */
    double   seconds;
    bool     whole;                                         /* everything was read: the numbers are exact */
};

struct sample {
    struct sample_dataset *dataset;                         /* [dataset_count]; zeros where not wanted */
    uint32_t              *features;                        /* [documents] distinct features, ascending */
    uint64_t               documents;
    /* classes that meet in a bucket, each pair once; estimated in buckets of more than 46 */
    double                 pairs;
    uint64_t               largest_bucket;
    /* bytes of records compressed at options->dedup->zstd_level: before, after */
    uint64_t               packed_from, packed_to;
    double                 pack_seconds;
};

/* 0; -EIO, -EINVAL, -ENOENT, -ENOMEM with err set, as a run would say it; then nothing is to be freed. */
int  sample_read(const struct sample_options *options, struct sample *out, struct err *err);
void sample_free(struct sample *sample);

/* What a number of the sample is in the whole dataset: itself when the dataset was read whole. */
double sample_scaled(const struct sample_dataset *dataset, double value);

#endif
