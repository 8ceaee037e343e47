/* dedup/fate.h -- what became of each document; and where documents lie. */
#ifndef LEAKGRAPH_DEDUP_FATE_H
#define LEAKGRAPH_DEDUP_FATE_H

#include "dedup/dedup.h"

/* A unit of columns: documents [first, first + documents) are those of one shard's unit, in order. */
/* number: the unit's in its shard */
struct catalogue_unit { uint64_t first, documents, rejected, text_bytes, bytes, xxh3, number; uint32_t shard, spare; };

/* All units of the pass in the contract's order.  The same on every rank. */
struct catalogue {
    struct catalogue_unit *unit;
    size_t                 count;
    uint64_t               documents;
    /* [dataset_count] ordinal of a dataset's first document: id_within_dataset is ordinal - this */
    uint64_t              *dataset_first;
};

/* The unit that holds an ordinal below catalogue->documents. */
size_t catalogue_find(const struct catalogue *catalogue, uint64_t ordinal);

/* What the classes of a document and of its cluster's best one are to each other: one class, or alone; a pair, by
 * similarity or by containment; two of a component that others join. */
enum dedup_kin { DEDUP_SAME, DEDUP_NEAR, DEDUP_CONTAINED, DEDUP_INDIRECT };

struct dedup_fate {
    /* ordinal: stands for this document's class; own ordinal: alone, or the first of it */
    uint64_t representative;
    /* ordinal of the cluster's best document; own ordinal when it is that, or alone */
    uint64_t canonical;
    uint32_t size;                                          /* documents in the cluster, 1: alone */
    uint16_t removed;                                       /* 1: not written to the cleaned shard */
    uint16_t kin;                                           /* enum dedup_kin */
    uint32_t shared, union_size;                            /* features of the two classes; 0 where they are one */
};
_Static_assert(sizeof(struct dedup_fate) == 32, "unit format");

/* A verified pair of classes, by the ordinals of their representatives, first < second. */
struct dedup_link { uint64_t first, second; uint32_t marks, shared, union_size, min_sum, max_sum, spare; };
_Static_assert(sizeof(struct dedup_link) == 40, "unit format");
enum dedup_mark { DEDUP_SIMILAR = 1, DEDUP_FIRST_INSIDE = 2, DEDUP_SECOND_INSIDE = 4 };

/* Commits the fates of a unit's documents under job->fate_key.  Any rank, any thread.  0, or <0 with err set. */
int fate_commit(const struct dedup_job *job, size_t unit, const struct dedup_fate *fate, size_t count, struct err *err);

/* The fates of a unit's documents, as committed by dedup_run: row i is document unit->first + i.  Any rank, any thread.
 * 0, or <0 with err set; close with unit_close. */
struct fate_unit { struct unit file; const struct dedup_fate *fate; size_t count; };
int fate_load(const struct dedup_job *job, const struct catalogue *catalogue, size_t unit, struct fate_unit *out,
              struct err *err);

/* Writes the results from the fates, as options->write says.  Collective; work is dealt over ranks and threads, and
 * what an earlier run finished is not done again.  Files in clean/ and lists/ that are of an earlier run and not of
 * this one are removed.
 *
 * shards: clean/DATASET/SHARD.jsonl.zst, the records that stay, in their order.  A line of JSON is copied byte for
 *   byte; where the cluster has more than one document, "duplicate_count":N is put in as the last member (where the
 *   record has one of its own, N replaces its value).  Other documents become {"path": ..., "text": ...}, lines
 *   {"text": ...}.  SHARD is the shard's name without the suffixes of packing and JSON lines; with them where two would
 *   be called the same.  Small shards share a file (options->shard_size, corpus/cleaned.h), and where nothing stays
 *   there is none.
 * shards, lists: lists/DATASET.tsv.zst, a line for every document removed, in order: the shard, the record's number in
 *   it, the document's id_within_dataset, source_id, path, dataset and id_within_dataset of the document kept for it,
 *   documents in the cluster, the kept one's shard, record and path, the pair's kind and set similarity.  Control
 *   characters and backslashes are \xNN. */
int rewrite_run(struct dedup_job *job, const struct catalogue *catalogue, struct err *err);

#endif
