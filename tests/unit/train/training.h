/* tests/unit/train/training.h -- a training whose steps are taken one by one, on shards of JSON lines. */
#ifndef LEAKGRAPH_TESTS_UNIT_TRAIN_TRAINING_H
#define LEAKGRAPH_TESTS_UNIT_TRAIN_TRAINING_H

#include "base/log.h"
#include "train/private.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

struct training {
    char                 folder[40], path[64];              /* path: of the model */
    char                 glob[64], *globs[1];
    struct dataset_split split;
    struct dataset       dataset;
    struct shard_list    shards;
    struct train_options options;
    struct run run;
    struct train_job     job;
    struct train         t;
    struct err           err;
};

static inline void training_must(struct training *g, int rc)
{
    if (rc < 0) fail_msg("%s", g->err.text);
}

/* The content of shard number i, as far as it is one: those of a training stand behind each other, parted by \f. */
static inline const char *shard_write(const struct training *g, size_t i, const char *lines)
{
    size_t len = strcspn(lines, "\f");
    char   name[64];
    FILE  *file;

    snprintf(name, sizeof name, "%s/%c.jsonl", g->folder, (char)('c' + i));
    file = fopen(name, "w");
    assert_true(file && fwrite(lines, 1, len, file) == len && fclose(file) == 0);
    return lines[len] ? lines + len + 1 : NULL;
}

static inline void training_open(struct training *g, const char *lines, uint32_t order, uint32_t least, int threads)
{
    memset(g, 0, sizeof *g);
    log_open(&(struct log_options){ .quiet = true });
    snprintf(g->folder, sizeof g->folder, "/tmp/leakgraph-train.XXXXXX");
    assert_non_null(mkdtemp(g->folder));
    snprintf(g->glob, sizeof g->glob, "%s/*.jsonl", g->folder);
    snprintf(g->path, sizeof g->path, "%s/model", g->folder);
    for (size_t i = 0; lines; i++) lines = shard_write(g, i, lines);
    g->globs[0] = g->glob;
    g->split = (struct dataset_split){ .name = strdup(""), .globs = g->globs, .glob_count = 1 };
    g->dataset = (struct dataset){ .name = strdup("c"), .url = strdup(""), .role = ROLE_CORPUS, .splits = &g->split,
                                   .split_count = 1 };
    g->options = (struct train_options){ .order = order, .least = least, .smoothing = SMOOTH_KNESER_NEY,
                                         .memory = 1 << 20 };
    g->run = (struct run){ .version = "test", .datasets = &g->dataset, .dataset_count = 1, .shards = &g->shards,
                           .threads = threads };
    g->job = (struct train_job){ .run = &g->run, .options = &g->options };
    training_must(g, comm_open(&g->run.comm, &g->err));
    training_must(g, stage_open(&g->run.stage, g->folder, true, &g->err));
    training_must(g, shard_list_open(&g->shards, &g->dataset, 1, "/", &g->err));
    g->t.job = &g->job;
    g->t.pass = (struct pass){ .run = &g->run, .scanner_count = 1 };
    g->t.pass.scanner[0] = train_scanner(&g->job);
}

/* The pass, and the list of its units. */
static inline void training_scan(struct training *g)
{
    training_must(g, pass_stream(&g->t.pass, g->shards.count, &g->err));
    training_must(g, train_list(&g->t, &g->err));
}

static inline void training_number(struct training *g)
{
    training_scan(g);
    training_must(g, train_merge_vocabularies(&g->t, &g->err));
    training_must(g, train_number(&g->t, &g->err));
}

static inline void training_close(struct training *g)
{
    char command[64];

    train_vocabulary_free(&g->t.vocabulary);
    free(g->t.unit);
    free(g->t.range);
    shard_list_free(&g->shards);
    stage_close(g->run.stage);
    comm_close(g->run.comm);
    free(g->split.name);
    free(g->dataset.name);
    free(g->dataset.url);
    snprintf(command, sizeof command, "rm -rf '%s'", g->folder);
    assert_int_equal(system(command), 0);
}

/* A line of the shard. */
static inline void line_add(struct bytes *lines, const char *text)
{
    assert_int_equal(bytes_printf(lines, "{\"text\": \"%s\"}\n", text), 0);
}

/* Random lines of `pieces` pieces each, of 20 different ones. */
static inline struct bytes random_lines(uint64_t seed, size_t count, size_t pieces)
{
    struct bytes lines = { 0 };

    for (size_t i = 0; i < count; i++) {
        assert_int_equal(bytes_printf(&lines, "{\"text\": \""), 0);
        for (size_t k = 0; k < pieces; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            assert_int_equal(bytes_append(&lines, &"!#$%&'()*+,-./:;<=>?"[(seed >> 33) % 20], 1), 0);
        }
        assert_int_equal(bytes_printf(&lines, "\"}\n"), 0);
    }
    return lines;
}

#endif
