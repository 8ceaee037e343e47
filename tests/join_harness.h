/* tests/join_harness.h -- the join in this process: settings in, graph out. */
#ifndef LEAKGRAPH_TESTS_JOIN_HARNESS_H
#define LEAKGRAPH_TESTS_JOIN_HARNESS_H

#include "config/config.h"
#include "graph/build.h"
#include "near/result.h"
#include "near/task.h"
#include "near/build.h"
#include "pass_harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

struct joined {
    struct config      config;
    struct shard_list  shards;
    struct comm       *comm;
    struct stage      *stage;
    struct run         run;
    struct near_job   *job;
    struct near_result *result;
    struct graph_build build;
};

/* Runs the settings on two threads with the run folder `out`, from scratch; any error fails the test. */
static inline void joined_open(struct joined *j, const char *yaml, const char *out)
{
    struct err err = { 0 };

    *j = (struct joined){ 0 };
    if (config_parse(&j->config, "test", yaml, strlen(yaml), ".", NULL, 0, &err) < 0 ||
        shard_list_open(&j->shards, j->config.datasets, j->config.dataset_count, ".", &err) < 0 ||
            comm_open(&j->comm, &err) < 0 ||
        stage_open(&j->stage, out, true, &err) < 0 || stage_clear(j->stage, &err) < 0) fail_msg("%s", err.text);
    j->run = (struct run){ .comm = j->comm, .stage = j->stage, .version = "test", .datasets = j->config.datasets,
                           .dataset_count = j->config.dataset_count, .shards = &j->shards, .store_text = true,
                           .threads = 2 };
    j->job = &near_task(&j->config)->job;
    j->result = &near_task(&j->config)->result;
    if (harness_pass(&j->config, &j->run, 0, &err) < 0 || near_result_read(j->job, j->result, &err) < 0 ||
        near_build(&j->build, j->job, j->result, &err) < 0)
        fail_msg("%s", err.text);
}

static inline struct graph_document document_of(const struct graph *graph, size_t i)
{
    struct graph_document scratch;

    return *graph_document_at(graph, i, &scratch);
}

static inline void joined_close(struct joined *j)
{
    graph_build_free(&j->build);
    stage_close(j->stage);
    comm_close(j->comm);
    shard_list_free(&j->shards);
    config_free(&j->config);
}

static inline void write_file(const char *dir, const char *name, const char *text)
{
    char  path[512];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fputs(text, file) >= 0, 1);
    assert_int_equal(fclose(file), 0);
}

#endif
