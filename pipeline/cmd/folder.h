/* cmd/folder.h -- the folder of a run, as the commands meet it. */
#ifndef LEAKGRAPH_CMD_FOLDER_H
#define LEAKGRAPH_CMD_FOLDER_H

#include "base/err.h"
#include "base/file.h"
#include "base/slice.h"
#include "corpus/dataset.h"

#include <stdbool.h>

/* The path of the folder's graph.db.  0; -ENOENT when the run is not finished: there is work/, but no graph.db;
 * -ENAMETOOLONG.  A folder that has neither gives 0, and whoever opens the path says what is wrong. */
int folder_find_graph(const char *dir, char path[FILE_NAME_MAX], struct err *err);

/* Before a run writes there.  -EINVAL when the folder holds a graph.db or report.md but no work/: nobody knows whose
 * they are, so only --clean (clean) replaces them.  Warns when the results there are of another configuration than
 * `resolved`; extends: it is theirs with more datasets, and that is said. */
int folder_check_target(const char *dir, struct slice resolved, bool clean, bool extends, struct err *err);

/* Before results are written there: -EINVAL when a shard lies in one of dir's own folders (up to NULL), where what an
 * earlier run wrote is removed. */
int folder_check_shards(const char *dir, const char *const *folders, const struct shard_list *shards, struct err *err);

#endif
