/* tests/unit/small_run.h -- a run over shards that a test writes: pipeline.yaml read, shards listed, a stage of its
 * own, one process, two threads.  Globs start at the folder; the run folder is run/ in there. */
#ifndef LEAKGRAPH_TESTS_UNIT_SMALL_RUN_H
#define LEAKGRAPH_TESTS_UNIT_SMALL_RUN_H

#include "config/config.h"
#include "pass_harness.h"
#include "tests/unit/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct small_run {
    char              folder[64], output[80];
    struct config     config;
    struct shard_list shards;
    struct comm      *comm;
    struct stage     *stage;
    struct run        run;
};

/* The folder, for small_write. */
static inline void small_open(struct small_run *r)
{
    *r = (struct small_run){ .folder = "/tmp/leakgraph-small-XXXXXX" };
    assert_non_null(mkdtemp(r->folder));
    snprintf(r->output, sizeof r->output, "%s/run", r->folder);
}

static inline void small_write(const struct small_run *r, const char *name, const char *text)
{
    char path[256];

    snprintf(path, sizeof path, "%s/%s", r->folder, name);
    write_file(path, text, strlen(text));
}

/* Reads the configuration and makes the run; it may be done again with another one. */
static inline void small_start(struct small_run *r, const char *yaml)
{
    struct err err = { 0 };

    if (config_parse(&r->config, "p.yaml", yaml, strlen(yaml), r->folder, NULL, 0, &err) < 0 ||
        shard_list_open(&r->shards, r->config.datasets, r->config.dataset_count, r->folder, &err) < 0 ||
        comm_open(&r->comm, &err) < 0 || stage_open(&r->stage, r->output, true, &err) < 0) fail_msg("%s", err.text);
    r->run = (struct run){ .comm = r->comm, .stage = r->stage, .version = "test", .output = r->output,
                           .datasets = r->config.datasets, .dataset_count = r->config.dataset_count,
                           .shards = &r->shards, .store_text = true, .threads = 2 };
}

/* All capabilities of the configuration through the pass. */
static inline void small_pass(struct small_run *r)
{
    struct err err = { 0 };

    if (harness_pass(&r->config, &r->run, 0, &err) < 0) fail_msg("%s", err.text);
}

/* Accepts a run that is not started, or has been stopped. */
static inline void small_stop(struct small_run *r)
{
    if (!r->stage) return;
    stage_close(r->stage);
    r->stage = NULL;
    comm_close(r->comm);
    shard_list_free(&r->shards);
    config_free(&r->config);
}

static inline void small_close(struct small_run *r)
{
    small_stop(r);
    remove_tree(r->folder);
}

#endif
