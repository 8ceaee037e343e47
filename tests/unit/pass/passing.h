/* tests/unit/pass/passing.h -- a pass over a few shards of JSON lines, for the tests of its parts. */
#ifndef LEAKGRAPH_TESTS_UNIT_PASS_PASSING_H
#define LEAKGRAPH_TESTS_UNIT_PASS_PASSING_H

#include "base/log.h"
#include "pass/private.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

/* Datasets `a` and `b`: a's shards are the files a*.jsonl, b's are b*.jsonl of a folder of their own. */
struct passing {
    char                 root[40];
    char                 glob[2][64], *globs[2];
    struct dataset       dataset[2];
    struct dataset_split split[2];
    struct shard_list    shards;
    struct run           told;
    struct pass          pass;                              /* without a scanner */
    struct pass_run      run;
    struct err           err;
};

struct content { const char *name, *text; };

static inline void passing_must(struct passing *g, int rc)
{
    if (rc < 0) fail_msg("%s", g->err.text);
}

static inline void passing_open(struct passing *g, const struct content *files, size_t count)
{
    static char names[2][2] = { "a", "b" };

    memset(g, 0, sizeof *g);
    log_open(&(struct log_options){ .quiet = true });
    snprintf(g->root, sizeof g->root, "/tmp/leakgraph-pass.XXXXXX");
    assert_non_null(mkdtemp(g->root));
    for (size_t i = 0; i < count; i++) {
        char  path[96];
        FILE *file;

        snprintf(path, sizeof path, "%s/%s", g->root, files[i].name);
        file = fopen(path, "w");
        assert_true(file && fputs(files[i].text, file) >= 0 && fclose(file) == 0);
    }
    for (size_t d = 0; d < 2; d++) {
        snprintf(g->glob[d], sizeof g->glob[d], "%s/%s*.jsonl", g->root, names[d]);
        g->globs[d] = g->glob[d];
        g->split[d] = (struct dataset_split){ .name = strdup(""), .globs = &g->globs[d], .glob_count = 1 };
        g->dataset[d] = (struct dataset){ .name = names[d], .url = g->split[d].name, .splits = &g->split[d],
                                          .split_count = 1, .role = d ? ROLE_CORPUS : ROLE_BENCHMARK };
    }
    passing_must(g, shard_list_open(&g->shards, g->dataset, 2, g->root, &g->err));
    g->told = (struct run){ .version = "test", .datasets = g->dataset, .dataset_count = 2, .shards = &g->shards,
                            .threads = 1 };
    passing_must(g, comm_open(&g->told.comm, &g->err));
    passing_must(g, stage_open(&g->told.stage, g->root, true, &g->err));
    g->pass = (struct pass){ .run = &g->told, .view = { .kind = VIEW_IDENTIFIERS } };
    g->run = (struct pass_run){ .pass = &g->pass };
    pthread_mutex_init(&g->run.lock, NULL);
}

static inline void passing_close(struct passing *g)
{
    char command[64];

    pthread_mutex_destroy(&g->run.lock);
    shard_list_free(&g->shards);
    stage_close(g->told.stage);
    comm_close(g->told.comm);
    for (size_t d = 0; d < 2; d++) free(g->split[d].name);
    snprintf(command, sizeof command, "rm -rf '%s'", g->root);
    assert_int_equal(system(command), 0);
}

/* Removes every unit. */
static inline void passing_clear(struct passing *g) { passing_must(g, stage_clear(g->told.stage, &g->err)); }

/* ---- a scanner that keeps the numbers of records ---- */

struct keeper { struct scanner scanner; uint64_t fails_at; };

static inline int keeper_document(struct scanner *scanner, const struct document *document, struct part *part,
                                  struct err *err)
{
    struct keeper *keeper = (struct keeper *)scanner;

    if (document->record->number == keeper->fails_at) return err_set(err, -EIO, "record %d", (int)keeper->fails_at);
    return bytes_append(&part->section[PART_ROWS], &document->record->number, sizeof document->record->number);
}

static inline int keeper_end(struct scanner *scanner, struct part *part, struct err *err)
{
    (void)scanner, (void)err;
    return bytes_append(&part->section[PART_COUNTS], "end", 3);
}

static inline void keeper_close(struct scanner *scanner) { free(scanner); }

/* shared: a uint64_t, the record that it fails at; NULL: none. */
static inline int keeper_open(void *shared, struct scanner **out, struct err *err)
{
    struct keeper *keeper = calloc(1, sizeof *keeper);

    (void)err;
    assert_non_null(keeper);
    keeper->scanner = (struct scanner){ .document = keeper_document, .end = keeper_end, .close = keeper_close };
    keeper->fails_at = shared ? *(uint64_t *)shared : UINT64_MAX;
    *out = &keeper->scanner;
    return 0;
}

static inline bool takes_b(const void *shared, const struct dataset *dataset)
{
    (void)shared;
    return dataset->name[0] == 'b';
}

static inline void passing_add(struct passing *g, const char *kind, enum pass_needs needs, bool only_b)
{
    passing_must(g, pass_add(&g->pass, (struct pass_scanner){ .kind = kind, .needs = needs, .min_tokens = 2,
                                                              .open = keeper_open, .takes = only_b ? takes_b : NULL },
                             &g->err));
}

static inline struct pass_unit passing_unit(struct passing *g, size_t scanner, size_t shard, uint64_t number)
{
    struct pass_unit unit;

    passing_must(g, pass_unit_need(g->pass.run, &g->pass.scanner[scanner], (uint32_t)shard, number, &unit, &g->err));
    return unit;
}

#endif
