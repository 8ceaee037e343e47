/* cmd/dedup_add.c -- see dedup_add.h. */
#include "cmd/dedup_add.h"

#include "base/file.h"
#include "config/config.h"
#include "config/said.h"
#include "corpus/distinct.h"
#include "dedup/task.h"
#include "graph/read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the store ---- */

static int store_open(struct config *out, const char *dir, struct err *err)
{
    char path[FILE_NAME_MAX];
    int  rc = file_join(dir, "config.resolved.yaml", path, err);

    *out = (struct config){ 0 };
    if (rc == 0 && access(path, F_OK) != 0)
        rc = err_set(err, -EINVAL, "%s is no store: it has no config.resolved.yaml; --store names the run folder of a "
                                   "finished `leakgraph dedup CORPUS... --output DIR`", dir);
    if (rc == 0) rc = config_read(out, path, NULL, 0, err);
    if (rc < 0) return rc;
    /* as it is called from here, wherever the run was started that made it */
    free(out->output);
    out->output = strdup(dir);
    if (!out->output) rc = err_memory(err, strlen(dir) + 1, "a path");
    else if (out->made)                                     /* they are the last ones of a run, and not the store's */
        rc = err_set(err, -EINVAL, "%s cannot be extended: some of its datasets were written by that run itself", dir);
    else if (config_has(out, &dedup_capability)) return 0;
    config_free(out);
    return rc < 0 ? rc : err_set(err, -EINVAL, "%s is no store: that run had no `dedup`; --store names the run folder "
                                               "of `leakgraph dedup CORPUS... --output DIR`", dir);
}

/* The next shard in graph.db that is of the store's datasets.  1, 0 at the end, <0 with err set. */
static int recorded_next(sqlite3_stmt *query, const struct config *store, struct err *err)
{
    int rc;

    while ((rc = graph_step(query, err)) > 0)
        for (size_t d = 0; d < store->dataset_count; d++)
            if (slice_equal(graph_text(query, 0), slice_of(store->datasets[d].name))) return 1;
    /* others are of a run that was killed before its settings were written */
    return rc;
}

static bool recorded_is(sqlite3_stmt *query, const struct config *store, const struct shard *shard)
{
    const struct dataset *dataset = &store->datasets[shard->dataset];

    return slice_equal(graph_text(query, 0), slice_of(dataset->name)) &&
        slice_equal(graph_text(query, 1), slice_of(dataset->splits[shard->split].name)) &&
           slice_equal(graph_text(query, 2), slice_of(shard->name)) && graph_number(query, 3) == shard->bytes;
}

/* A glob that finds other files than it did would change what is in the store already. */
static int shards_compare(const char *dir, const struct config *store, const struct shard_list *shards,
                          sqlite3_stmt *query, struct err *err)
{
    for (size_t s = 0; s < shards->count; s++) {
        const struct dataset *dataset = &store->datasets[shards->at[s].dataset];
        int                   rc = recorded_next(query, store, err);

        if (rc < 0) return rc;
        if (rc == 0 || !recorded_is(query, store, &shards->at[s]))
            return err_set(err, -EINVAL, "%s: dataset `%s` has other shards than when it was stored: %s is new, "
                                         "changed or follows one that is gone.  "
                           "Old shards must stay as they were, and new ones lie where `%s` does not find them", dir,
                               dataset->name, shards->at[s].path,
                           dataset->splits[shards->at[s].split].globs[0]);
    }
    switch (recorded_next(query, store, err)) {
    case 0:  return 0;
    case 1:
        return err_set(err, -EINVAL, "%s: shard %.*s of dataset `%.*s` is gone since it was stored; "
                                     "old shards must stay where they were", dir, (int)graph_text(query, 2).len,
                       graph_text(query, 2).at, (int)graph_text(query, 0).len, graph_text(query, 0).at);
    default: return err->code;
    }
}

static int store_check(const char *dir, const struct config *store, struct err *err)
{
    struct shard_list shards = { 0 };
    sqlite3_stmt     *query = NULL;
    sqlite3          *db = NULL;
    char              path[FILE_NAME_MAX];
    int               rc = file_join(dir, "graph.db", path, err);

    if (rc == 0) rc = graph_open(&db, path, err);
    if (rc == 0) rc = graph_prepare(db, &query, "SELECT dataset, split, shard, bytes FROM shards ORDER BY rowid", err);
    if (rc == 0) rc = shard_list_open(&shards, store->datasets, store->dataset_count, store->base, err);
    if (rc == 0) rc = shards_compare(dir, store, &shards, query, err);
    graph_finish(query);
    graph_close(db);
    shard_list_free(&shards);
    return rc;
}

/* ---- what is added ---- */

/* The new datasets alone, as a settings file has them, with globs from the root: those that the store's own are
 * compared with. */
static int added_read(struct config *out, const struct named_glob *glob, size_t count, const char *language,
                      struct err *err)
{
    struct config relative = { 0 };
    struct bytes  given = { 0 }, resolved = { 0 };
    int           rc = yaml_datasets(&given, glob, count, language, false);

    *out = (struct config){ 0 };
    if (rc == 0) rc = bytes_append(&given, "dedup: {}\n", sizeof "dedup: {}\n");
    if (rc < 0) rc = err_memory(err, given.len, "the settings");
    if (rc == 0) rc = config_parse(&relative, "--add", given.at, given.len - 1, ".", NULL, 0, err);
    if (rc < 0 && given.len) said_explain(err, "--add", given.at, NULL, NULL, 0);
    if (rc == 0 && config_print(&relative, &resolved) < 0) rc = err_memory(err, resolved.len, "the settings");
    if (rc == 0) rc = config_parse(out, "--add", resolved.at, resolved.len, ".", NULL, 0, err);
    config_free(&relative);
    bytes_free(&given);
    bytes_free(&resolved);
    return rc;
}

static bool same_files(const struct dataset *a, const struct dataset *b)
{
    bool same = a->split_count == 1 && b->split_count == 1 && a->splits[0].glob_count == b->splits[0].glob_count;

    for (size_t i = 0; same && i < a->splits[0].glob_count; i++)
        same = strcmp(a->splits[0].globs[i], b->splits[0].globs[i]) == 0;
    return same;
}

static bool same_language(const struct dataset *stored, const struct dataset *added)
{
    return !added->language || (stored->language && strcmp(stored->language, added->language) == 0);
}

/* 1: it was added before, by the same command; 0: it is new. */
static int added_look(const char *dir, const struct config *store, const struct dataset *added, struct err *err)
{
    for (size_t d = 0; d < store->dataset_count; d++) {
        if (strcmp(store->datasets[d].name, added->name) != 0) continue;
        if (store->datasets[d].added && same_files(&store->datasets[d], added) &&
            same_language(&store->datasets[d], added))
            return 1;
        return err_set(err, -EINVAL, "%s: the store has a dataset `%s` already; give the new shards another name: "
                                     "--add NAME=GLOB", dir, added->name);
    }
    return 0;
}

/* ---- both ---- */

/* Room for one more dataset. */
static int store_grow(struct config *store, struct err *err)
{
    struct dedup_task *dedup = dedup_task(store);
    size_t               count = store->dataset_count + 1;
    void                *datasets = realloc(store->datasets, count * sizeof *store->datasets), *member, *protect;

    if (datasets) store->datasets = datasets;
    member = realloc(dedup->member, count * sizeof *dedup->member);
    if (member) dedup->member = member;
    protect = realloc(dedup->protect, count * sizeof *dedup->protect);
    if (protect) dedup->protect = protect;
    return datasets && member && protect ? 0
        : err_memory(err, count * sizeof *store->datasets, "datasets");
}

/* Takes the dataset over as the store's last one; its records are read like those of the one before. */
static int store_append(struct config *store, struct dataset *added, struct err *err)
{
    struct dedup_task   *dedup = dedup_task(store);
    size_t                d = store->dataset_count;
    const struct dataset *last;
    int                   rc = store_grow(store, err);

    if (rc < 0) return rc;
    last = &store->datasets[dedup->member[dedup->member_count - 1]];
    added->format = last->format;
    added->utf8 = last->utf8;
    added->self_join = last->self_join;
    added->max_record_bytes = last->max_record_bytes;
    added->max_ratio = last->max_ratio;
    for (size_t i = 0; i < FIELD_COUNT; i++)
        if (last->fields[i] && !(added->fields[i] = strdup(last->fields[i])))
            return err_memory(err, strlen(last->fields[i]) + 1, "a field's name");
    store->datasets[d] = *added;
    *added = (struct dataset){ 0 };
    dedup->member[dedup->member_count++] = (uint32_t)d;
    dedup->protect[d] = false;
    store->datasets[d].added = (uint32_t)++dedup->added_count;
    store->dataset_count++;
    return 0;
}

/* Capabilities keep settings by dataset, with room for one that comes after them: all are read again with it. */
static int store_reread(struct config *store, struct err *err)
{
    struct bytes yaml = { 0 };
    int          rc = config_print(store, &yaml) < 0 ? err_memory(err, yaml.len, "the settings") : 0;

    config_free(store);
    if (rc == 0) rc = config_parse(store, "--add", yaml.at, yaml.len, ".", NULL, 0, err);
    bytes_free(&yaml);
    return rc;
}

/* All of a file that is there under another name would be removed, as its own duplicate. */
static int files_check(const struct config *store, size_t first, struct err *err)
{
    struct shard_list shards = { 0 };
    int               rc = 0;

    if (first == store->dataset_count) return 0;
    rc = shard_list_open(&shards, store->datasets, store->dataset_count, store->base, err);
    if (rc == 0) rc = shards_refuse_shared(&shards, store->datasets, store->dataset_count, first, err);
    if (rc == -EINVAL && shards.count) err_add(err, "--add takes files that the store does not have");
    shard_list_free(&shards);
    return rc;
}

int dedup_add_settings(const char *dir, const struct named_glob *glob, size_t count, const char *language,
                       struct bytes *yaml, struct err *err)
{
    struct config store = { 0 }, added = { 0 };
    size_t        stored;
    int           rc = store_open(&store, dir, err);

    stored = store.dataset_count;
    if (rc == 0) rc = store_check(dir, &store, err);
    if (rc == 0) rc = added_read(&added, glob, count, language, err);
    for (size_t d = 0; d < added.dataset_count && rc == 0; d++) {
        rc = added_look(dir, &store, &added.datasets[d], err);
        if (rc > 0) {
            rc = 0;
            continue;
        }
        if (rc == 0) rc = store_append(&store, &added.datasets[d], err);
        if (rc == 0) rc = store_reread(&store, err);
    }
    if (rc == 0) rc = files_check(&store, stored, err);
    if (rc == 0 && config_print(&store, yaml) < 0) rc = err_memory(err, yaml->len, "the settings");
    config_free(&store);
    config_free(&added);
    return rc;
}
