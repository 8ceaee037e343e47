/* pass/paths.h -- the paths of records that a result names, from the units whose scanner kept them (part_add_path).
 *
 * Units keep the path of every record that may come into the result, the result names a few of them: so they are looked
 * up when it is known which.
 *     paths_want(&paths, shard, record) ... of each, in any order, some of them several times
 *     paths_read(&paths, run, &scanner, err)
 *     paths_find(&paths, shard, record) */
#ifndef LEAKGRAPH_PASS_PATHS_H
#define LEAKGRAPH_PASS_PATHS_H

#include "pass/pass.h"

/* at: in the text; len 0: it has none */
struct wanted_path { uint64_t record; uint32_t shard, len; size_t at; };

/* A zeroed struct is empty. */
struct paths {
    struct wanted_path *at;                                 /* [count] by shard and record, once read, each once */
    size_t              count, room;
    struct bytes        text;
};

int  paths_want(struct paths *paths, uint32_t shard, uint64_t record);      /* 0 or -ENOMEM */

/* After the last one.  Shards that none of them is in are not looked at.  0, or <0 with err set. */
int  paths_read(struct paths *paths, const struct run *run, const struct pass_scanner *scanner, struct err *err);

/* Of one that was wanted and read: valid until paths_free; at NULL: it has none, or was not wanted. */
struct slice paths_find(const struct paths *paths, uint32_t shard, uint64_t record);
void paths_free(struct paths *paths);

#endif
