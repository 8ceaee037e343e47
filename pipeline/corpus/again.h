/* corpus/again.h -- records of a shard, read again long after a run. */
#ifndef LEAKGRAPH_CORPUS_AGAIN_H
#define LEAKGRAPH_CORPUS_AGAIN_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/slice.h"
#include "corpus/dataset.h"

/* The shard as it was: bytes and mtime of struct shard, xxh3 as source_xxh3 gives it. */
struct shard_was { uint64_t bytes, xxh3; int64_t mtime_ns; };

/* A record that is wanted.  read: text is its text, path its path if it has one; else note says in one line why it
 * cannot be had: the shard is another one now, has no such record, or that is one that cannot be used. */
struct again_record { uint64_t number; struct bytes text, path, note; bool read; };

/* Reads the records, whose numbers ascend and whose buffers are empty, in one pass.  A shard of another time is read to
 * its end, for its hash.  0, or <0 (it cannot be read, no memory) with err set. */
int  again_read(const struct dataset *dataset, const struct shard *shard, const struct shard_was *was,
                struct again_record *record, size_t count, struct err *err);
void again_record_free(struct again_record *record);        /* accepts a zeroed one */

/* A record by what is known of it: its path, one of two, or its id, or, when numbered, its place among the documents of
 * the shards that are asked one after the other, counting down in `number`.  Texts are borrowed; len 0: not asked. */
struct again_wanted { struct slice path[2], id; bool numbered; uint64_t number; };

/* The first record of the shard, from record `from` on, that is wanted: its number and its path, if it has one.  1; 0:
 * none; <0 (it cannot be read, no memory) with err set. */
int again_find(const struct dataset *dataset, const struct shard *shard, struct again_wanted *wanted, uint64_t from,
               uint64_t *number, struct bytes *path, struct err *err);

#endif
