/* tests/unit/portrait/world.h -- three shards of random texts, and portraits of them. */
#ifndef LEAKGRAPH_TESTS_UNIT_PORTRAIT_WORLD_H
#define LEAKGRAPH_TESTS_UNIT_PORTRAIT_WORLD_H

#include "portrait/private.h"
#include "tests/unit/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH = 512, SHARDS = 3, RECORDS = 40 };

struct world {
    char              root[64], text[SHARDS][RECORDS][600];
    struct comm      *comm;
    struct stage     *stage;
    struct dataset    dataset;
    struct dataset_split split;
    struct shard      shard[SHARDS];
    struct shard_list shards;
    uint64_t          random;
};

static inline void shard_write(struct world *w, int s, const char *first)
{
    char        path[PATH];
    struct stat is;
    FILE       *file;

    snprintf(path, sizeof path, "%s/%d.jsonl", w->root, s);
    file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%s", first);
    for (int r = 0; r < RECORDS; r++) {
        size_t len = r == 0 ? 30 : 100 + draw(&w->random) % 400;

        for (size_t i = 0; i < len; i++) w->text[s][r][i] = (char)('a' + draw(&w->random) % 26);
        w->text[s][r][len] = '\0';
        fprintf(file, "{\"text\": \"%s\"}\n", w->text[s][r]);
    }
    assert_int_equal(fclose(file), 0);
    assert_int_equal(stat(path, &is), 0);
    free(w->shard[s].path);
    free(w->shard[s].name);
    w->shard[s] = (struct shard){ .path = strdup(path), .name = strdup(strrchr(path, '/') + 1),
                                  .bytes = (uint64_t)is.st_size, .inode = (uint64_t)is.st_ino,
                                  .mtime_ns = is.st_mtim.tv_sec * 1000000000 + is.st_mtim.tv_nsec };
}

static inline int set_up(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    struct err    err = { 0 };

    if (!w) return -1;
    w->random = seed_of_run();
    strcpy(w->root, "/tmp/test_portrait.XXXXXX");
    if (!mkdtemp(w->root) || comm_open(&w->comm, &err) < 0 || stage_open(&w->stage, w->root, true, &err) < 0) return -1;
    w->split.name = strdup("");
    w->dataset = (struct dataset){ .name = (char *)(uintptr_t)"c", .role = ROLE_CORPUS, .splits = &w->split,
                                   .split_count = 1 };
    for (int s = 0; s < SHARDS; s++) shard_write(w, s, "");
    w->shards = (struct shard_list){ .at = w->shard, .count = SHARDS };
    *state = w;
    return 0;
}

static inline int tear_down(void **state)
{
    struct world *w = *state;
    char          command[PATH];

    stage_close(w->stage);
    comm_close(w->comm);
    for (int s = 0; s < SHARDS; s++) {
        free(w->shard[s].path);
        free(w->shard[s].name);
    }
    free(w->split.name);
    snprintf(command, sizeof command, "rm -r %s", w->root);
    free(w);
    return system(command) == 0 ? 0 : -1;
}

static inline int make(struct world *w, const struct portrait_options *options, struct shard_list shards,
                       struct err *err)
{
    const bool          member = true;
    const struct run    run = { .comm = w->comm, .stage = w->stage, .version = "test", .output = w->root,
                                .datasets = &w->dataset, .dataset_count = 1, .shards = &shards, .threads = 2 };
    struct portrait_job job = { .run = &run, .member = &member, .options = options };
    struct pass         pass = { .run = &run, .scanner_count = 1 };
    int         rc;

    pass.scanner[0] = portrait_scanner(&job);
    rc = pass_stream(&pass, shards.count, err);
    return rc < 0 ? rc : portrait_make(&job, err);
}

#endif
