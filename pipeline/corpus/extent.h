/* corpus/extent.h -- how far datasets extend: the folder that a dataset's shards lie in, and whether the files that a
 * run writes would be among them.
 *
 * A run that writes where it reads has the next run read its results, as documents; one that packs a folder into
 * itself does not even end.  So it is asked before anything is written, of the globs, not of what they match now. */
#ifndef LEAKGRAPH_CORPUS_EXTENT_H
#define LEAKGRAPH_CORPUS_EXTENT_H

#include "base/bytes.h"
#include "base/err.h"
#include "corpus/dataset.h"

/* The longest literal folder that the globs of all splits share: names of shards are relative to it.  Relative globs
 * start at base.  0 or -ENOMEM. */
int extent_folder(struct bytes *out, const struct dataset *dataset, const char *base);

/* Whether a listing of the datasets could have one of the files that are written: globs below `output`, up to NULL,
 * "graph.db", "work/" followed by `**` and so on.  Links are followed, of the output's path too, which need not be
 * there yet.  What a dataset excludes is not in its listing.  shards: of these datasets, as they are now.
 * 0; -EINVAL with err set, which names dataset, glob and what to do; -ENOMEM. */
int extent_check(const struct dataset *datasets, size_t count, const char *base, const struct shard_list *shards,
                 const char *output, const char *const *written, struct err *err);

#endif
