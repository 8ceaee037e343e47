/* graph/fill.c -- see fill.h.
 *
 * Rows come sorted, so every table is filled at its end, and so are indices of that order; the others are built over
 * complete tables.  The journal is off, because a file that nobody else sees needs no way back.  SQLite locks through
 * the file system, which network file systems do badly: the `unix-none` VFS locks nothing. */
#include "graph/fill.h"

#include "base/file.h"
#include "graph/rows.h"
#include "graph/store.h"
#include "graph/tables.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

/* Pages are filled one after the other, so few are kept; and indices are sorted in as much memory as the cache has,
 * where more than a processor's cache is slower: 4 M pairs by their second document in 64, 16, 8 MB: 3.6, 2.7, 2.1 s.
 */
enum { FILL_CACHE_KIB = 8 << 10, FILL_PAGE = 32768 };

int fill_execute(sqlite3 *db, const char *sql, struct err *err)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : rows_fail(db, "schema", err);
}

static int fill_open(const char *path, sqlite3 **db, struct err *err)
{
    char pragmas[256];

    snprintf(pragmas, sizeof pragmas,
             "PRAGMA page_size=%d; PRAGMA cache_size=-%d; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; "
             "PRAGMA locking_mode=EXCLUSIVE; PRAGMA application_id=%d; PRAGMA user_version=%d; BEGIN", FILL_PAGE,
                 FILL_CACHE_KIB, STORE_APPLICATION, STORE_VERSION);
    if (sqlite3_open_v2(path, db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, "unix-none") != SQLITE_OK)
        return rows_fail(*db, path, err);
    return fill_execute(*db, pragmas, err);
}

static int fill_close(sqlite3 *db, const char *path, int rc, struct err *err)
{
    return sqlite3_close(db) != SQLITE_OK && rc == 0 ? err_set(err, -EIO, "graph database: cannot close %s", path) : rc;
}

/* ---- the schema ---- */

/* of the tables: what makes them, what makes their views, what comes when they are full (table.h) */
enum schema { SCHEMA_TABLES, SCHEMA_VIEWS, SCHEMA_AFTER };

/* Of the tables of a half, or of all: ROWS_HALVES. */
static int schema_append(const struct graph_table *const *tables, enum schema what, enum rows_half half,
                         struct bytes *out)
{
    int rc = 0;

    for (; *tables && rc == 0; tables++) {
        if (half != ROWS_HALVES && rows_half_of(*tables) != half) continue;
        if (what == SCHEMA_TABLES) rc = graph_table_create(*tables, out);
        if (what == SCHEMA_TABLES && rc == 0 && (*tables)->before) rc = bytes_printf(out, "%s\n", (*tables)->before);
        if (what == SCHEMA_VIEWS) rc = graph_table_views(*tables, false, out);
        if (what == SCHEMA_AFTER && (*tables)->after) rc = bytes_printf(out, "%s\n", (*tables)->after);
    }
    return rc;
}

static int schema_execute(const struct fill *fill, sqlite3 *db, enum schema what, enum rows_half half, struct err *err)
{
    struct bytes sql = { 0 };
    int          rc = 0;

    if (schema_append(graph_tables, what, half, &sql) < 0 || schema_append(fill->tables, what, half, &sql) < 0 ||
        (what == SCHEMA_VIEWS && graph_unions_create(graph_tables, fill->tables, false, &sql) < 0))
        rc = err_memory(err, sql.len, "the schema");
    if (rc == 0 && sql.len) rc = fill_execute(db, sql.at, err);
    bytes_free(&sql);
    return rc;
}

/* Rows and indices of tables that are there. */
static int half_fill(const struct fill *fill, sqlite3 *db, enum rows_half half, struct contents *given, struct err *err)
{
    int rc = rows_fill(db, fill->graph, half, fill->edges_aside, given, err);

    return rc < 0 ? rc : schema_execute(fill, db, SCHEMA_AFTER, half, err);
}

/* ---- a half in a file of its own ---- */

struct aside_half {
    const struct fill *fill;
    enum rows_half     half;
    int                file, rc;
    char               name[FILE_NAME_MAX];
    struct contents    given;
    struct err         err;
    pthread_t          thread;
};

static void *aside_fill(void *context)
{
    struct aside_half *aside = context;
    sqlite3           *db = NULL;
    int                rc = fill_open(aside->name, &db, &aside->err);

    if (rc == 0) rc = schema_execute(aside->fill, db, SCHEMA_TABLES, aside->half, &aside->err);
    if (rc == 0) rc = half_fill(aside->fill, db, aside->half, &aside->given, &aside->err);
    if (rc == 0) rc = fill_execute(db, "COMMIT", &aside->err);
    aside->rc = fill_close(db, aside->name, rc, &aside->err);
    return NULL;
}

/* False: there is no file, or no thread, and the half is to be filled without. */
static bool aside_begin(struct aside_half *aside, const char *folder)
{
    struct err unused = { 0 };

    aside->file = file_create_aside(folder, aside->name, &unused);
    if (aside->file < 0) return false;
    if (pthread_create(&aside->thread, NULL, aside_fill, aside) == 0) return true;
    unlink(aside->name);
    close(aside->file);
    return false;
}

/* Records go over as they are, in their order, and those of indices too, where a table and its indices are empty here
 * and the same there (SQLite's documentation calls it the transfer optimization). */
static int aside_copy(const struct aside_half *aside, sqlite3 *db, struct err *err)
{
    sqlite3_stmt *attach = NULL;
    char          sql[160];
    int           rc = fill_execute(db, "COMMIT", err);

    if (rc < 0) return rc;
    if (sqlite3_prepare_v2(db, "ATTACH ?1 AS aside", -1, &attach, NULL) != SQLITE_OK ||
        sqlite3_bind_text(attach, 1, aside->name, -1, SQLITE_STATIC) != SQLITE_OK ||
        sqlite3_step(attach) != SQLITE_DONE)
        rc = rows_fail(db, aside->name, err);
    sqlite3_finalize(attach);
    if (rc == 0) rc = fill_execute(db, "BEGIN", err);
    if (rc == 0) rc = schema_execute(aside->fill, db, SCHEMA_AFTER, aside->half, err);
    for (size_t i = 0; i < aside->given.count && rc == 0; i++) {
        const char *name = aside->given.table[i].table->name;

        snprintf(sql, sizeof sql, "INSERT INTO main.%s SELECT * FROM aside.%s", name, name);
        if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) rc = rows_fail(db, name, err);
    }
    return rc < 0 ? rc : fill_execute(db, "COMMIT; DETACH aside; BEGIN", err);
}

/* Waits for the other thread; rc: of what was done meanwhile. */
static int aside_end(struct aside_half *aside, int rc, sqlite3 *db, struct contents *given, struct err *err)
{
    pthread_join(aside->thread, NULL);
    if (rc == 0 && aside->rc < 0) {
        *err = aside->err;
        rc = aside->rc;
    }
    if (rc == 0) rc = aside_copy(aside, db, err);
    if (rc == 0 && !contents_move(given, &aside->given)) rc = err_memory(err, sizeof aside->given, "digests");
    contents_free(&aside->given);
    unlink(aside->name);
    close(aside->file);
    return rc;
}

/* ---- all ---- */

int fill_database(struct fill *fill, const char *folder, const char *path, struct contents *given, sqlite3 **db,
                  struct err *err)
{
    const uint64_t       documents = rows_values(fill->graph, ROWS_DOCUMENTS, fill->edges_aside),
        pairs = rows_values(fill->graph, ROWS_PAIRS, fill->edges_aside);
    const enum rows_half smaller = pairs < documents ? ROWS_PAIRS : ROWS_DOCUMENTS,
        larger = smaller == ROWS_PAIRS ? ROWS_DOCUMENTS : ROWS_PAIRS;
    struct aside_half    aside = { .fill = fill, .half = smaller };
    int                  rc = fill_open(path, db, err);

    if (rc == 0) rc = schema_execute(fill, *db, SCHEMA_TABLES, ROWS_HALVES, err);
    if (rc == 0) rc = schema_execute(fill, *db, SCHEMA_VIEWS, ROWS_HALVES, err);
    if (rc < 0) return rc;
    if ((pairs < documents ? pairs : documents) < fill->aside_from || !aside_begin(&aside, folder)) {
        rc = half_fill(fill, *db, larger, given, err);
        return rc < 0 ? rc : half_fill(fill, *db, smaller, given, err);
    }
    rc = half_fill(fill, *db, larger, given, err);
    rc = aside_end(&aside, rc, *db, given, err);
    if (rc == -ENOSPC) fill->aside_from = UINT64_MAX;       /* without, it takes less */
    return rc;
}
