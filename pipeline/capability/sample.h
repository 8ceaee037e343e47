/* capability/sample.h -- documents at the beginnings of shards, read as a pass reads them: what a plan rests on.
 *
 * Shards are taken evenly from each dataset, and of each the same number of bytes, whole batches of records.  The
 * sample ends at the share asked for, and before that at SAMPLE_TEXT_BYTES of text, SAMPLE_SECONDS, SAMPLE_DOCUMENTS or
 * what a watcher can hold: each shard has its part of all of them, so what is cut short is cut short everywhere.
 * Little data is read whole, if it has no more text and documents than that, however long it takes: its numbers are
 * exact on a slow machine, too. */
#ifndef LEAKGRAPH_CAPABILITY_SAMPLE_H
#define LEAKGRAPH_CAPABILITY_SAMPLE_H

#include "base/table.h"
#include "corpus/dataset.h"
#include "corpus/record.h"
#include "view/view.h"

/* on disk: less than this is read whole, whatever the share */
#define SAMPLE_ALL_BYTES  (16ull << 20)
#define SAMPLE_TEXT_BYTES (256ull << 20)
#define SAMPLE_SECONDS    10.0
#define SAMPLE_DOCUMENTS  (1ull << 20)
#define SAMPLE_SHARDS     256u                              /* looked into, unless everything is read */

struct sample_dataset;

/* documents are told apart by their features up to this number */
enum { SAMPLE_LENGTH = 20 };

/* Who sees more of a sample than its sums.  The functions are given the watcher itself, which is the first member of
 * the watcher's own struct. */
struct sample_watcher {
    /* Each document; the features are sorted; copy: it is byte-equal to an earlier one.  0, or <0 with err set. */
    int    (*document)(struct sample_watcher *watcher, struct sample_dataset *dataset, const struct multiset *features,
                       const struct record *record, bool admitted, bool copy, struct err *err);
    /* Each batch's records as they were decoded; of files, their texts.  0, or <0 with err set. */
    int    (*batch)(struct sample_watcher *watcher, struct slice records, struct err *err);
    double (*filled)(const struct sample_watcher *watcher);     /* 1: it can hold no more, and the sample ends */
};

struct sample_options {
    const struct dataset       *datasets;
    size_t                      dataset_count;
    const struct shard_list    *shards;
    const bool                 *wanted;                     /* [dataset_count] */
    const struct view_options  *view;
    uint32_t                    min_tokens;
    double                      share;                      /* of the bytes on disk, 0 to 1 */
    struct sample_watcher      *watcher;                    /* or NULL */
};

/* A dataset, and what was seen of it. */
struct sample_dataset {
    uint64_t shards, bytes;                                 /* all of it, as it lies on disk */
    uint64_t shards_read, bytes_read;                       /* the sample's part of that */
    uint64_t documents, rejected, admitted;
    uint64_t empty;                                         /* documents without a feature */
    uint64_t text_bytes, decoded_bytes;                     /* of texts; of whole records */
    uint64_t lengths[SAMPLE_LENGTH + 1];                    /* documents with so many features; the last: or more */
    uint64_t distinct;                                      /* distinct features of admitted documents, summed */
    /* documents that are byte-equal to an earlier one of the sample */
    uint64_t copies;
    /* processor time: read, parsed, turned into features and what a watcher makes of them */
    double   seconds;
    bool     whole;                                         /* everything was read: the numbers are exact */
};

struct sampled {
    struct sample_dataset *dataset;                         /* [dataset_count]; zeros where not wanted */
    uint32_t              *features;                        /* [documents] distinct features, ascending */
    uint64_t               documents;
};

/* 0; -EIO, -EINVAL, -ENOENT, -ENOMEM with err set, as a run would say it; then nothing is to be freed. */
int  sample_read(const struct sample_options *options, struct sampled *out, struct err *err);
void sample_free(struct sampled *sample);

/* Was the hash met before?  1, 0, or -ENOMEM with err set. */
int  sample_met_before(struct table *table, struct content_hash hash, struct err *err);

/* What a number of the sample is in the whole dataset: itself when the dataset was read whole. */
double sample_scaled(const struct sample_dataset *dataset, double value);

#endif
