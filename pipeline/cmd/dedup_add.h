/* cmd/dedup_add.h -- datasets added to the run folder of dedup, which is a store then: the settings of the store with
 * them. */
#ifndef LEAKGRAPH_CMD_DEDUP_ADD_H
#define LEAKGRAPH_CMD_DEDUP_ADD_H

#include "base/err.h"
#include "config/yaml_text.h"

/* Reads dir/config.resolved.yaml and appends to *yaml the same with the datasets of the globs as the last ones, each a
 * generation of its own.  Their records are read like those of the store's last dataset; language: of all new ones, may
 * be NULL.  A dataset that was added before with the same files is left as it is.  0; -EINVAL when dir is no store, its
 * shards are not those that its graph.db names, it has a dataset of that name, or a file of the new ones; -EIO,
 * -ENOMEM; with err set. */
int dedup_add_settings(const char *dir, const struct named_glob *glob, size_t count, const char *language,
                       struct bytes *yaml, struct err *err);

#endif
