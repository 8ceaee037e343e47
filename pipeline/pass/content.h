/* pass/content.h -- whether a shard still has the content that its units were made of.
 *
 * Units name a shard by path, size and modification time, because reading it again to see whether it is the same would
 * cost what a resume saves.  But whoever reads a shard to its end has the hash of all its bytes for nothing: it is
 * committed as a unit `content`, and each later reading is compared with it, of the next pass of a run and of a run
 * that goes on.  Of those who pass parts of a shard over it is who has its last unit, or has found units there that may
 * be of another time.  `run --verify` reads all shards for that alone.  A folder has its listing, no hash of its
 * content. */
#ifndef LEAKGRAPH_PASS_CONTENT_H
#define LEAKGRAPH_PASS_CONTENT_H

#include "pass/run.h"

/* A shard was read to its end.  0; -EIO when it had another content when it was read first, though the same size and
 * time; -ENOSPC, -ENOMEM; with err set. */
int content_settle(const struct run *run, const struct shard *shard, uint64_t xxh3, struct err *err);

/* Reads every shard of which a content is known, and says in the log which ones have another now.  anew: [shards],
 * zeroed; those of which none is known, folders too: no unit of them can be trusted.  changed: how many have another
 * content, on all ranks.  Collective.  0, or <0 with err set. */
int content_verify(const struct run *run, bool *anew, uint64_t *changed, struct err *err);

#endif
