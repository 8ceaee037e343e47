/* cmd/folder.h -- the folder of a run, as the commands meet it. */
#ifndef LEAKGRAPH_CMD_FOLDER_H
#define LEAKGRAPH_CMD_FOLDER_H

#include "base/err.h"
#include "base/file.h"
#include "base/slice.h"
#include "corpus/dataset.h"

#include <stdbool.h>

struct config;

/* The path of the folder's graph.db; dir may be that file itself.  0; -ENOENT when the run is not finished: there is
 * work/, but no graph.db; -ENAMETOOLONG.  A folder that has neither gives 0, and whoever opens the path says what
 * is wrong. */
int folder_find_graph(const char *dir, char path[FILE_NAME_MAX], struct err *err);

/* What a run may do with what is there. */
struct folder_use {
    bool clean, replace;                                    /* as the user said */
    bool extends;                                           /* its results are a part of what is asked */
};

/* Before a run writes there.  -EINVAL when the folder holds a file of a name that a run writes but no work/ of a run:
 * nobody knows whose they are, so only `clean` replaces them; and when the results there are of a configuration with
 * other results than `resolved` (config_same_results), unless use allows it, or they are of a dataset that could not be
 * read: nothing is lost with those. */
int folder_check_target(const char *dir, struct slice resolved, const struct folder_use *use, struct err *err);

/* Before the folders below dir are written to that capabilities of these settings have there (clean/, lists/, ...):
 * -EINVAL with what to do when one of them is a link, or has files and there is no manifest that says whose they are.
 * Where there is one, files that it does not name are left, with a warning. */
int folder_check_outputs(const char *dir, const struct config *config, struct err *err);

/* Before files of these names are written to dir itself, which are of one command alone: -EINVAL with what to do when
 * one is there that no manifest names, or is one of the shards. */
int folder_check_files(const char *dir, const char *const *files, size_t count, const struct shard_list *shards,
                       struct err *err);

bool folder_has_manifest(const char *dir);

/* Removes what killed runs have left unfinished in dir and in the folders of all capabilities.  Its lock is held. */
void folder_sweep(const char *dir);

/* Before results are written there: -EINVAL when a shard lies in one of dir's own folders (up to NULL), where what an
 * earlier run wrote is removed. */
int folder_check_shards(const char *dir, const char *const *folders, const struct shard_list *shards, struct err *err);

/* The same for everything that a run of these settings writes, and that a listing of its datasets could have, now or
 * then: -EINVAL with what to do.  shards: of all datasets that the run does not make itself. */
int folder_check_datasets(const struct config *config, const struct shard_list *shards, struct err *err);

#endif
