/* corpus/again.h -- one record of a shard, read again long after a run. */
#ifndef LEAKGRAPH_CORPUS_AGAIN_H
#define LEAKGRAPH_CORPUS_AGAIN_H

#include "base/bytes.h"
#include "base/err.h"
#include "corpus/dataset.h"

/* The shard as it was: bytes and mtime of struct shard, xxh3 as source_xxh3 gives it. */
struct shard_was { uint64_t bytes, xxh3; int64_t mtime_ns; };

/* Appends the text of record `number` to *text, its path, if it has one, to *path.  A shard of another time is read to
 * its end, for its hash.  1; 0 when the text cannot be had, *note saying why in one line: the shard is another one now,
 * has no such record, or that is one that cannot be used; <0 (it cannot be read, no memory) with err set. */
int again_read(const struct dataset *dataset, const struct shard *shard, const struct shard_was *was, uint64_t number,
               struct bytes *text, struct bytes *path, struct bytes *note, struct err *err);

#endif
