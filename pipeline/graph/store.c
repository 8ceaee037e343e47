/* graph/store.c -- graph.db and edges.tsv.zst: built aside, synced, renamed.  The file has a name of its own until it
 * is complete. */
#include "graph/store.h"

#include "base/file.h"
#include "graph/digest.h"
#include "graph/edges.h"
#include "graph/fill.h"
#include "graph/ids.h"
#include "graph/rows.h"
#include "graph/tables.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Values in the smaller half of the tables: less is not worth a second thread and file. */
enum { STORE_ASIDE_FROM = 1 << 20 };

/* What is written, wherever; making: the digest, when it is not known yet. */
struct store {
    struct fill           fill;
    char                 *digest;
    struct digest_making *making;
    bool                  undigested;                       /* it could not be made: no other place mends that */
};

/* Waits for the digest, and for the room that it takes on disk. */
static int store_digest(struct store *store, struct err *err)
{
    int rc = digest_end(store->making, store->digest, err);

    store->making = NULL;
    store->undigested = rc < 0;
    return rc;
}

/* The rows of table run that only now are known. */
static int store_tell(const struct store *store, sqlite3 *db, struct contents *given, struct err *err)
{
    const struct graph_setting row[] = { { "digest", slice_of(store->digest) }, { "edges_file", SLICE(EDGES_FILE) } };

    return rows_add(db, store->fill.graph, &(struct graph_rows){ &table_run, row, store->fill.edges_aside ? 2 : 1, 0 },
                    given, err);
}

/* Fills the empty file at `path`, which lies in `folder`. */
static int store_build(struct store *store, const char *folder, const char *path, struct err *err)
{
    const struct graph *graph = store->fill.graph;
    struct contents     given = { .count = 0 };
    sqlite3            *db = NULL;
    int                 rc = fill_database(&store->fill, folder, path, &given, &db, err);

    if (rc == 0) rc = store_digest(store, err);
    if (rc == 0) rc = store_tell(store, db, &given, err);
    if (rc == 0) rc = fill_execute(db, "PRAGMA cache_size=-" STORE_CACHE_ASKED, err);
    if (rc == 0 && graph->ask) rc = graph->ask(graph->asking, db, &given, err);
    contents_free(&given);
    if (rc == 0) rc = fill_execute(db, "COMMIT", err);
    if (sqlite3_close(db) != SQLITE_OK && rc == 0) rc = err_set(err, -EIO, "graph database: cannot close %s", path);
    return rc;
}

/* ---- to its place ---- */

/* What SQLite's writers and readers leave beside a database when they are killed would be taken for the new one's: a
 * journal would roll old pages back into it.  They go with the database that they belong to, and after it, because it
 * is none without its journal. */
static int store_clear(const char *path, struct err *err)
{
    static const char *const ending[] = { "-journal", "-wal", "-shm" };
    const size_t             endings = sizeof ending / sizeof *ending;
    char                     name[FILE_NAME_MAX + sizeof "-journal"];
    struct stat              is;
    size_t                   there = 0;

    for (size_t i = 0; i < endings; i++) {
        snprintf(name, sizeof name, "%s%s", path, ending[i]);
        there += lstat(name, &is) == 0;
    }
    if (!there) return 0;
    if (unlink(path) < 0 && errno != ENOENT)
        return err_set(err, -EIO, "%s: cannot remove: %s", path, strerror(errno));
    for (size_t i = 0; i < endings; i++) {
        snprintf(name, sizeof name, "%s%s", path, ending[i]);
        if (unlink(name) < 0 && errno != ENOENT)
            return err_set(err, -EIO, "%s: cannot remove: %s", name, strerror(errno));
    }
    return 0;
}

/* Builds the database in `folder` and moves it to `path`. */
static int store_try_in(struct store *store, const char *folder, const char *path, struct err *err)
{
    char name[FILE_NAME_MAX];
    int  file = file_create_aside(folder, name, err), rc;

    if (file < 0) return file;
    rc = store_build(store, folder, name, err);
    if (rc == 0) rc = store_clear(path, err);
    if (rc == 0) rc = file_move(file, name, path, err);
    close(file);
    if (rc < 0) unlink(name);
    return rc;
}

/* The same, with what takes less room where there is too little. */
static int store_build_in(struct store *store, const char *folder, const char *path, struct err *err)
{
    const uint64_t was = store->fill.aside_from;
    int            rc = store_try_in(store, folder, path, err);

    return rc == -ENOSPC && store->fill.aside_from != was ? store_try_in(store, folder, path, err) : rc;
}

static int store_write_edges(const struct graph *graph, const char *folder, const char *path, struct err *err)
{
    char name[FILE_NAME_MAX];
    int  file = file_create_aside(folder, name, err), rc;

    if (file < 0) return file;
    rc = edges_write(graph, file, name, err);
    if (rc == 0) rc = file_move(file, name, path, err);
    close(file);
    if (rc < 0) unlink(name);
    return rc;
}

static bool store_is_elsewhere(const struct store *store, int rc)
{
    return !store->undigested && (rc == -ENOSPC || rc == -ENOENT || rc == -EACCES || rc == -EROFS);
}

static int store_place(struct store *store, const char *path, struct err *err)
{
    const char *temporary = getenv("TMPDIR");
    char        folder[FILE_NAME_MAX], edges[FILE_NAME_MAX];
    int         rc;

    if (!temporary || !*temporary) temporary = "/tmp";
    file_sweep_folder(temporary, FILE_FRESH);
    rc = file_folder(path, folder, err);
    if (rc == 0) rc = file_join(folder, EDGES_FILE, edges, err);
    /* The list comes first: a database that names it never stands without it. */
    if (rc == 0 && store->fill.edges_aside) rc = store_write_edges(store->fill.graph, folder, edges, err);
    if (rc < 0) return rc;
    rc = file_same_system(temporary, folder) ? -ENOSPC : store_build_in(store, temporary, path, err);
    /* No room there, or nothing gained there: a rename is all it takes when it is built beside its place. */
    if (store_is_elsewhere(store, rc)) rc = store_build_in(store, folder, path, err);
    /* The digest's pairs were in the way. */
    if (rc == -ENOSPC && store->making && (rc = store_digest(store, err)) == 0)
        rc = store_build_in(store, folder, path, err);
    return rc;
}

static int store_make(struct store *store, const char *path, int threads, struct err *err)
{
    struct err ignored = { 0 };
    int        rc = graph_ids_fit(store->fill.graph, err);

    if (threads < 2) store->fill.aside_from = UINT64_MAX;
    if (rc == 0 && !*store->digest) rc = digest_begin(store->fill.graph, threads > 1, &store->making, err);
    if (rc == 0) rc = store_place(store, path, err);
    digest_end(store->making, NULL, &ignored);
    return rc;
}

int store_write(const struct graph *graph, const struct graph_table *const *tables, const char *path, char digest[33],
                uint64_t edge_limit, int threads, struct err *err)
{
    struct store store = { .fill = { graph, tables, graph_edges_aside(graph, edge_limit), 0 }, .digest = digest };

    return store_make(&store, path, threads, err);
}

int graph_write(const struct graph *graph, const struct graph_table *const *tables, const char *path, char digest[33],
                int threads, struct err *err)
{
    struct store store = { .fill = { graph, tables, graph_edges_aside(graph, GRAPH_EDGE_LIMIT), STORE_ASIDE_FROM },
                           .digest = digest };

    return store_make(&store, path, threads, err);
}
