/* cmd/settings.h -- the rows of table run: what was asked, by which program, and what it took. */
#ifndef LEAKGRAPH_CMD_SETTINGS_H
#define LEAKGRAPH_CMD_SETTINGS_H

#include "config/config.h"
#include "dedup/dedup.h"
#include "graph/graph.h"
#include "clone/clone.h"
#include "near/near.h"
#include "portrait/portrait.h"

#include <time.h>

enum { SETTINGS_MAX = 160 };

/* The values live in text, or where they were taken from. */
struct settings {
    struct graph_setting row[SETTINGS_MAX];
    size_t count;
    char text[SETTINGS_MAX][64], key[PASS_SCANNERS][48];
};

struct settings_source {
    const struct config     *config;
    struct slice             resolved;                      /* the configuration as YAML */
    const char              *config_hash;
    const struct near_job   *near;                          /* those that ran; NULL: did not */
    const struct dedup_job  *dedup;
    const struct clone_job  *clones;
    const struct portrait_job *portrait;
    const struct generate_job *generate;
    const struct pass       *scan;                          /* the pass over the corpora */
    const struct pass_totals *totals;
    int                      ranks, threads;
    uint64_t                 shard_bytes;
    double                   started;
    time_t                   started_at;
};

void settings_fill(struct settings *out, const struct settings_source *from);

#endif
