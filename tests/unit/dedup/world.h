/* tests/unit/dedup/world.h -- the stages of a deduplication, one after the other, over a few made documents.
 *
 * Datasets a, b and c, one shard each.  A word is a feature (shingles:1), pairs from a set Jaccard index of 0.5 on are
 * similar, all are compared exactly, unless the settings say otherwise. */
#ifndef LEAKGRAPH_TESTS_UNIT_DEDUP_WORLD_H
#define LEAKGRAPH_TESTS_UNIT_DEDUP_WORLD_H

#include "dedup/candidates.h"
#include "dedup/features.h"
#include "dedup/task.h"
#include "dedup/wanted.h"
#include "tests/unit/small_run.h"

#include <errno.h>

struct world { struct small_run r; struct dedup_job job; struct dedup_state state; };

/* settings: more of them, each with a comma before it; files: of a, b and c, NULL: a document alone. */
static inline void world_open(struct world *w, const char *settings, const char *const files[3])
{
    /* the records' own where they are of java and others */
    const char        *language = files[0] && strstr(files[0], "\"java\"") ? "" : ", language: text";
    struct dedup_task *task;
    char               yaml[512], name[] = "a.jsonl";

    *w = (struct world){ 0 };
    small_open(&w->r);
    for (int d = 0; d < 3; d++, name[0]++)
        small_write(&w->r, name, files[d] ? files[d] : d == 1 ? "{\"text\": \"alone in b\"}\n"
                    : "{\"text\": \"nothing like it\"}\n");
    snprintf(yaml, sizeof yaml, "datasets:\n  - {name: a%s, files: a.jsonl}\n"
             "  - {name: b%s, files: b.jsonl}\n  - {name: c%s, files: c.jsonl}\n"
             "dedup: {view: 'shingles:1', threshold: 0.5%s%s%s%s}\n",
             language, language, language, strstr(settings, "measure") ? "" : ", measure: 0",
             strstr(settings, "write") ? "" : ", write: none",
             strstr(settings, "method") ? "" : ", method: exact", settings);
    small_start(&w->r, yaml);
    task = dedup_task(&w->r.config);
    w->job = (struct dedup_job){ .run = &w->r.run, .member = task->member, .member_count = task->member_count,
                                 .protect = task->protect,
                                 .options = &task->options };
}

#define WORLD_DO(call) \
    do { struct err err_ = { 0 }, *err = &err_; if ((call) < 0) fail_msg("%s", err_.text); } while (0)

/* Each does what those before it do. */
static inline void world_columns(struct world *w)
{
    struct pass pass;

    WORLD_DO(columns_pass(&w->job, &pass, err));
    WORLD_DO(pass_run(&pass, err));
    free((void *)(uintptr_t)pass.item);
    WORLD_DO(state_open(&w->state, &w->job, err));
}

static inline void world_order(struct world *w)
{
    world_columns(w);
    WORLD_DO(order_make(&w->state, err));
}

static inline void world_classes(struct world *w)
{
    world_order(w);
    WORLD_DO(classes_make(&w->state, err));
}

static inline void world_links(struct world *w)
{
    struct shuffle *pairs = NULL;
    struct wanted   wanted;
    bool           *done;

    world_classes(w);
    done = calloc(w->state.blocks + 1, sizeof *done);
    assert_non_null(done);
    WORLD_DO(candidates_make(&w->state, done, &pairs, err));
    WORLD_DO(wanted_open(&wanted, &w->state, err));
    WORLD_DO(wanted_pairs(&wanted, pairs, done, false, err));
    WORLD_DO(features_make(&w->state, &wanted, err));
    wanted_close(&wanted);
    WORLD_DO(links_make(&w->state, pairs, done, err));
    shuffle_close(pairs);
    free(done);
}

static inline void world_clusters(struct world *w)
{
    world_links(w);
    WORLD_DO(clusters_make(&w->state, err));
}

static inline void assert_same_features(struct column_features x, struct column_features y)
{
    assert_true(x.distinct == y.distinct && x.total == y.total && !x.count == !y.count);
    assert_memory_equal(x.hash, y.hash, x.distinct * sizeof *x.hash);
    if (x.count) assert_memory_equal(x.count, y.count, x.distinct * sizeof *x.count);
}

static inline void world_close(struct world *w)
{
    state_close(&w->state);
    small_close(&w->r);
}

#endif
