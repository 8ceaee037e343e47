/* corpus/distinct.h -- files that a list of shards has under several names: links, hard links, paths written in two
 * ways, globs that overlap, a file beside the folder that holds it.
 *
 * A document counted twice would be its own duplicate, and a benchmark that is also a corpus would be all leaked. */
#ifndef LEAKGRAPH_CORPUS_DISTINCT_H
#define LEAKGRAPH_CORPUS_DISTINCT_H

#include "corpus/dataset.h"

/* Takes out of the list, from `first` on the shards of one dataset, those that are a file or folder under a second name
 * or lie in a folder of the same split; the first name stays, and a warning says how many went.  0; -EINVAL (one file
 * in two splits: it cannot be told where it belongs), -EIO, -ENOMEM with err set. */
int  shards_make_distinct(struct shard_list *list, size_t first, const struct dataset *dataset, struct err *err);

/* Adds a warning for each benchmark and corpus that have files in common.  0; -EIO, -ENOMEM with err set. */
int  shards_find_shared(struct shard_list *list, const struct dataset *datasets, size_t count, struct err *err);

/* Refuses datasets from `first` on that have files in common with one before them, and names both.  0; -EINVAL, -EIO,
 * -ENOMEM with err set. */
int  shards_refuse_shared(const struct shard_list *list, const struct dataset *datasets, size_t count, size_t first,
                          struct err *err);

#endif
