/* history/runs.c -- see runs.h. */
#include "history/runs.h"

#include "base/bytes.h"
#include "base/file.h"
#include "corpus/glob.h"
#include "graph/read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- one run ---- */

static int keep(struct history_runs *runs, struct slice text, struct slice *out, struct err *err)
{
    return pool_copy(&runs->pool, text, out) < 0 ? err_memory(err, text.len, "a run") : 0;
}

static const char facts_sql[] = "SELECT key, value FROM run WHERE key IN ('started', 'finished', 'version', 'commit', "
                                "'digest', 'configuration_hash', 'gates')";

static int facts_read(struct history_runs *runs, sqlite3 *db, struct history_run *run, struct err *err)
{
    const struct { const char *key; struct slice *to; } fact[] = {
        { "started", &run->started }, { "finished", &run->finished }, { "version", &run->version },
        { "commit", &run->commit }, { "digest", &run->digest }, { "configuration_hash", &run->configuration_hash },
        { "gates", &run->gates },
    };
    sqlite3_stmt *query;
    int           rc = graph_prepare(db, &query, facts_sql, err);

    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        rc = 0;
        for (size_t i = 0; i < sizeof fact / sizeof *fact && rc == 0; i++)
            if (slice_equal(graph_text(query, 0), slice_of(fact[i].key)))
                rc = keep(runs, graph_text(query, 1), fact[i].to, err);
    }
    graph_finish(query);
    return rc;
}

/* Rows of a query: source, split, target, documents, direct, contained, copies, transitive. */
static int leaks_add(struct history_runs *runs, sqlite3_stmt *query, uint32_t run, struct err *err)
{
    struct history_leak *to;
    int                  rc;

    if (ARRAY_GROW(runs->leak, runs->leak_room, runs->leaks) < 0)
        return err_memory(err, runs->leaks * sizeof *runs->leak, "leakage of runs");
    to = &runs->leak[runs->leaks];
    *to = (struct history_leak){ .run = run, .documents = graph_number(query, 3), .direct = graph_number(query, 4),
                                 .contained = graph_number(query, 5), .copies = graph_number(query, 6),
                                 .transitive = graph_number(query, 7) };
    rc = keep(runs, graph_text(query, 0), &to->source, err);
    if (rc == 0) rc = keep(runs, graph_text(query, 1), &to->split, err);
    if (rc == 0) rc = keep(runs, graph_text(query, 2), &to->target, err);
    runs->leaks += rc == 0;
    return rc;
}

static const char leaks_sql[] =
    "SELECT source, split, target, documents, direct, contained, copies, transitive FROM overlap AS o JOIN datasets AS "
    "d ON d.id = o.source WHERE d.role = 'benchmark' AND source <> target AND target_split = '' AND language = '' "
    "ORDER BY o.rowid";

static int leaks_read(struct history_runs *runs, sqlite3 *db, uint32_t run, struct err *err)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(db, &query, leaks_sql, err);

    while (rc == 0 && (rc = graph_step(query, err)) == 1) rc = leaks_add(runs, query, run, err);
    graph_finish(query);
    return rc;
}

static int run_add(struct history_runs *runs, const struct history_run *run, struct err *err)
{
    if (ARRAY_GROW(runs->run, runs->room, runs->count) < 0)
        return err_memory(err, runs->count * sizeof *run, "runs");
    runs->run[runs->count++] = *run;
    return 0;
}

int history_read(struct history_runs *runs, sqlite3 *db, const char *folder, struct err *err)
{
    const struct slice none = SLICE("");
    struct history_run run = { none, none, none, none, none, none, none, none, false };
    int                rc = keep(runs, slice_of(folder), &run.folder, err);

    if (rc == 0) rc = facts_read(runs, db, &run, err);
    if (rc == 0) rc = leaks_read(runs, db, (uint32_t)runs->count, err);
    return rc < 0 ? rc : run_add(runs, &run, err);
}

/* ---- is it one of these? ---- */

/* A run of the same pipeline has a benchmark of this one; where this one has none, another dataset. */
static int is_related(sqlite3 *there, sqlite3 *now, bool *out, struct err *err)
{
    sqlite3_stmt *name = NULL, *here = NULL;
    int           rc = graph_prepare(there, &name, "SELECT id, role FROM datasets", err);

    *out = false;
    if (rc == 0)
        rc = graph_prepare(now, &here, "SELECT 1 FROM datasets WHERE id = ?1 AND role = ?2 AND (role = 'benchmark' OR "
                           "NOT EXISTS (SELECT 1 FROM datasets WHERE role = 'benchmark'))", err);
    while (rc == 0 && !*out && (rc = graph_step(name, err)) == 1) {
        rc = graph_bind_text(here, 1, graph_text(name, 0), err);
        if (rc == 0) rc = graph_bind_text(here, 2, graph_text(name, 1), err);
        if (rc == 0) rc = graph_step(here, err);
        *out = rc == 1;
        rc = rc < 0 ? rc : 0;
        sqlite3_reset(here);
    }
    graph_finish(name);
    graph_finish(here);
    return rc;
}

/* A dataset of which no record could be used: the run ended as failed. */
static int is_usable(sqlite3 *db, bool *out, struct err *err)
{
    uint64_t unused = 0;
    int      rc = graph_count(db, "SELECT count(*) FROM (SELECT 1 FROM splits GROUP BY dataset HAVING sum(documents) = "
                                  "0 AND sum(rejected) > 0)", &unused, err);

    *out = unused == 0;
    return rc;
}

/* ---- folders ---- */

/* The places of graph.db that have been looked at: a folder may have several names. */
struct places { char **at; size_t count, room; };

static bool place_is_new(struct places *places, char *real, struct err *err, int *rc)
{
    for (size_t i = 0; i < places->count; i++)
        if (strcmp(places->at[i], real) == 0) {
            free(real);
            return false;
        }
    if (ARRAY_GROW(places->at, places->room, places->count) < 0) {
        free(real);
        *rc = err_memory(err, places->count * sizeof *places->at, "runs");
        return false;
    }
    places->at[places->count++] = real;
    return true;
}

/* What a file says that is no graph, or damaged, stops nobody. */
static int unreadable(struct history_runs *runs, int rc, struct err *err)
{
    if (rc == 0 || rc == -ENOMEM) return rc;
    if (runs->unreadable++ == 0) snprintf(runs->reason, sizeof runs->reason, "%s", err->text);
    *err = (struct err){ 0 };
    return 0;
}

static int graph_take(struct history_runs *runs, const char *path, const char *folder, sqlite3 *now, struct err *err)
{
    const size_t runs_before = runs->count, leaks_before = runs->leaks;
    sqlite3     *db = NULL;
    bool         usable = false, related = false;
    int          rc = graph_open(&db, path, err);

    if (rc == 0) rc = is_usable(db, &usable, err);
    if (rc == 0) rc = is_related(db, now, &related, err);
    if (rc == 0 && usable && related) rc = history_read(runs, db, folder, err);
    else if (rc == 0 && !related) runs->others++;
    else if (rc == 0) runs->unusable++;
    if (rc < 0) runs->count = runs_before, runs->leaks = leaks_before;
    graph_close(db);
    return unreadable(runs, rc, err);
}

/* Is it the folder `own`, or a file in it?  Both are there. */
static int is_own(const char *path, const char *own, bool *out, struct err *err)
{
    const size_t len = own ? strlen(own) : 0;
    char        *real;
    int          rc = file_real_path(path, &real, err);

    *out = real && own && strncmp(real, own, len) == 0 && (real[len] == '\0' || strcmp(real + len, "/graph.db") == 0);
    free(real);
    return rc;
}

/* A path that a glob gave: a folder, or a graph.db; other files, as a lock or a log, are no runs.  own: the folder that
 * is left out; NULL: none. */
static int path_take(struct history_runs *runs, struct places *places, const char *path, const char *own, sqlite3 *now,
                     struct err *err)
{
    const char *slash = strrchr(path, '/');
    char        graph[FILE_NAME_MAX], *real = NULL;
    struct stat is;
    bool        leave = false;
    int         rc = is_own(path, own, &leave, err);

    if (rc < 0 || leave || stat(path, &is) < 0) return rc;
    if (S_ISREG(is.st_mode) && strcmp(slash ? slash + 1 : path, "graph.db") == 0)
        snprintf(graph, sizeof graph, "%s", path);
    else if (!S_ISDIR(is.st_mode)) return 0;
    else if (file_join(path, "graph.db", graph, err) < 0) return unreadable(runs, err->code, err);
    rc = file_real_path(graph, &real, err);
    if (rc == 0 && !real) runs->unfinished++;
    if (rc < 0 || !real) return rc;
    return place_is_new(places, real, err, &rc) ? graph_take(runs, real, path, now, err) : rc;
}

/* ---- in order ---- */

struct placed { const struct history_run *run; uint32_t number; };

static int run_compare(const struct history_run *a, const struct history_run *b)
{
    const int order = slice_compare(a->started, b->started);

    return order ? order : slice_compare(a->digest, b->digest);
}

static int placed_compare(const void *x, const void *y)
{
    const struct placed *a = x, *b = y;
    const int            order = run_compare(a->run, b->run);

    if (order) return order;
    return a->number < b->number ? -1 : 1;
}

/* Oldest first, each once, the newest `most`. */
static int runs_sort(struct history_runs *runs, size_t most, struct err *err)
{
    struct placed      *placed = calloc(runs->count + 1, sizeof *placed);
    struct history_run *run = calloc(runs->count + 1, sizeof *run);
    uint32_t           *to = calloc(runs->count + 1, sizeof *to);
    size_t              count = 0, first, leaks = 0;

    for (size_t i = 0; placed && i < runs->count; i++) placed[i] = (struct placed){ &runs->run[i], (uint32_t)i };
    if (placed && run && to && runs->count) {
        qsort(placed, runs->count, sizeof *placed, placed_compare);
        for (size_t i = 0; i < runs->count; i++) {
            const bool again = count && run_compare(placed[i].run, &run[count - 1]) == 0;

            to[placed[i].number] = again ? UINT32_MAX : (uint32_t)count;
            if (!again) run[count++] = *placed[i].run;
        }
        first = count > most ? count - most : 0;
        for (size_t l = 0; l < runs->leaks; l++) {
            const uint32_t number = to[runs->leak[l].run];

            if (number == UINT32_MAX || number < first) continue;
            runs->leak[leaks] = runs->leak[l];
            runs->leak[leaks++].run = number - (uint32_t)first;
        }
        runs->leaks = leaks;
        runs->count = count - first;
        memcpy(runs->run, run + first, runs->count * sizeof *run);
    }
    free(placed);
    free(run);
    free(to);
    return placed && run && to ? 0 : err_memory(err, runs->count * sizeof *run, "runs");
}

/* ---- what the newest remembers ---- */

static const char remembered_sql[] =
    "SELECT id, started, finished, version, \"commit\", digest, configuration_hash, gates FROM history_runs WHERE id < "
    "(SELECT max(id) FROM history_runs) ORDER BY id";
static const char remembered_leaks_sql[] =
    "SELECT source, split, target, documents, direct, contained, copies, transitive FROM history_leakage WHERE run = "
    "?1 ORDER BY rowid";

static int remembered_read(struct history_runs *runs, sqlite3 *db, struct err *err)
{
    sqlite3_stmt *query = NULL, *leak = NULL;
    int           rc = graph_prepare(db, &query, remembered_sql, err);

    if (rc == 0) rc = graph_prepare(db, &leak, remembered_leaks_sql, err);
    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        struct history_run run = { .folder = SLICE("") };
        struct slice      *to[] = { &run.started, &run.finished, &run.version, &run.commit, &run.digest,
                                    &run.configuration_hash, &run.gates };

        rc = 0;
        for (int i = 0; i < 7 && rc == 0; i++) rc = keep(runs, graph_text(query, i + 1), to[i], err);
        if (rc == 0) rc = graph_bind_number(leak, 1, (int64_t)graph_number(query, 0), err);
        while (rc == 0 && (rc = graph_step(leak, err)) == 1) rc = leaks_add(runs, leak, (uint32_t)runs->count, err);
        if (rc == 0) rc = run_add(runs, &run, err);
    }
    graph_finish(query);
    graph_finish(leak);
    return rc;
}

static int remembered_take(struct history_runs *runs, struct err *err)
{
    const size_t runs_before = runs->count, leaks_before = runs->leaks;
    sqlite3     *db = NULL;
    int          rc = graph_open(&db, runs->latest, err);

    if (rc == 0) rc = remembered_read(runs, db, err);
    if (rc < 0) runs->count = runs_before, runs->leaks = leaks_before;
    graph_close(db);
    return unreadable(runs, rc, err);
}

/* ---- the whole ---- */

static int patterns_take(struct history_runs *runs, const struct history_wanted *wanted, struct places *places,
                         const char *own, sqlite3 *now, struct err *err)
{
    int rc = 0;

    for (size_t r = 0; r < wanted->run_count && rc == 0; r++) {
        struct glob_paths paths = { 0 };

        rc = glob_expand(&paths, "", wanted->runs[r], err);
        if (rc < 0) rc = unreadable(runs, rc, err);
        else if (!paths.count && !strpbrk(wanted->runs[r], "*?[")) runs->unfinished++;       /* it was named */
        for (size_t i = 0; i < paths.count && rc == 0; i++)
            rc = path_take(runs, places, paths.at[i], own, now, err);
        glob_paths_free(&paths);
    }
    return rc;
}

/* The newest run of those that were read: its folder's graph.db. */
static int latest_choose(struct history_runs *runs, struct err *err)
{
    struct history_run *newest = runs->count ? &runs->run[runs->count - 1] : NULL;
    char                path[FILE_NAME_MAX];
    struct stat         is;
    int                 rc = 0;

    if (!newest) return 0;
    newest->compared = true;
    if (stat(newest->folder.at, &is) == 0 && S_ISDIR(is.st_mode))
        rc = file_join(newest->folder.at, "graph.db", path, err);
    else snprintf(path, sizeof path, "%s", newest->folder.at);
    if (rc < 0) return rc;
    runs->latest = strdup(path);
    return runs->latest ? 0 : err_memory(err, strlen(path), "a path");
}

int history_find(struct history_runs *runs, const struct history_wanted *wanted, sqlite3 *now, struct err *err)
{
    struct places places = { 0 };
    char          graph[FILE_NAME_MAX], *own = NULL;
    int           rc = file_join(wanted->own, "graph.db", graph, err);

    if (rc == 0 && wanted->run_count) {
        rc = file_real_path(wanted->own, &own, err);
        if (rc == 0) rc = patterns_take(runs, wanted, &places, own, now, err);
    } else if (rc == 0 && access(graph, F_OK) == 0) rc = path_take(runs, &places, wanted->own, NULL, now, err);
    if (rc == 0) rc = runs_sort(runs, wanted->most, err);
    if (rc == 0) rc = latest_choose(runs, err);
    if (rc == 0 && runs->latest) rc = remembered_take(runs, err);
    if (rc == 0) rc = runs_sort(runs, wanted->most, err);
    for (size_t i = 0; i < places.count; i++) free(places.at[i]);
    free(places.at);
    free(own);
    return rc;
}

void history_runs_free(struct history_runs *runs)
{
    free(runs->run);
    free(runs->leak);
    free(runs->latest);
    pool_free(&runs->pool);
    *runs = (struct history_runs){ 0 };
}
