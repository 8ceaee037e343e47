/* corpus/again.h -- one record of a shard, read again long after a run. */
#ifndef LEAKGRAPH_CORPUS_AGAIN_H
#define LEAKGRAPH_CORPUS_AGAIN_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/slice.h"
#include "corpus/dataset.h"

/* The shard as it was: bytes and mtime of struct shard, xxh3 as source_xxh3 gives it. */
struct shard_was { uint64_t bytes, xxh3; int64_t mtime_ns; };

/* Appends the text of record `number` to *text, its path, if it has one, to *path.  A shard of another time is read to
 * its end, for its hash.  1; 0 when the text cannot be had, *note saying why in one line: the shard is another one now,
 * has no such record, or that is one that cannot be used; <0 (it cannot be read, no memory) with err set. */
int again_read(const struct dataset *dataset, const struct shard *shard, const struct shard_was *was, uint64_t number,
               struct bytes *text, struct bytes *path, struct bytes *note, struct err *err);

/* A record by what is known of it: its path, one of two, or its id, or, when numbered, its place among the documents of
 * the shards that are asked one after the other, counting down in `number`.  Texts are borrowed; len 0: not asked. */
struct again_wanted { struct slice path[2], id; bool numbered; uint64_t number; };

/* The first record of the shard, from record `from` on, that is wanted: its number and its path, if it has one.  1; 0:
 * none; <0 (it cannot be read, no memory) with err set. */
int again_find(const struct dataset *dataset, const struct shard *shard, struct again_wanted *wanted, uint64_t from,
               uint64_t *number, struct bytes *path, struct err *err);

#endif
