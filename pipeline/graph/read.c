/* graph/read.c -- see read.h. */
#include "graph/read.h"

#include "graph/store.h"
#include "graph/tables.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int graph_fail(sqlite3 *db, struct err *err)
{
    int rc = db ? sqlite3_errcode(db) & 0xFF : SQLITE_NOMEM;
    int code = rc == SQLITE_NOMEM ? -ENOMEM : rc == SQLITE_CORRUPT || rc == SQLITE_NOTADB || rc == SQLITE_ERROR
        ? -EBADMSG : -EIO;

    return err_set(err, code, "%s: %s", db && sqlite3_db_filename(db, "main") ? sqlite3_db_filename(db, "main")
                   : "graph.db", db ? sqlite3_errmsg(db) : "out of memory");
}

int graph_count(sqlite3 *db, const char *sql, uint64_t *out, struct err *err)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(db, &query, sql, err);

    *out = 0;
    if (rc == 0) rc = graph_step(query, err);
    if (rc == 1) *out = graph_number(query, 0);
    graph_finish(query);
    return rc < 0 ? rc : 0;
}

int graph_run_says(sqlite3 *db, const char *key, bool *out, struct err *err)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(db, &query, "SELECT 1 FROM run WHERE key = ?1", err);

    if (rc == 0) rc = graph_bind_text(query, 1, slice_of(key), err);
    if (rc == 0) rc = graph_step(query, err);
    *out = rc == 1;
    graph_finish(query);
    return rc < 0 ? rc : 0;
}

int graph_open(sqlite3 **db, const char *path, struct err *err)
{
    uint64_t application, version;
    int      rc = 0;

    *db = NULL;
    if (access(path, R_OK) < 0) return err_set(err, -errno, "%s: %s", path, strerror(errno));
    if (sqlite3_open_v2(path, db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, "unix-none") != SQLITE_OK)
        rc = graph_fail(*db, err);
    /* The file may come from anywhere: its schema must not call functions with side effects, and a view is expanded no
     * further than needed. */
    if (rc == 0) sqlite3_db_config(*db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    if (rc == 0) rc = graph_count(*db, "PRAGMA application_id", &application, err);
    if (rc == 0) rc = graph_count(*db, "PRAGMA user_version", &version, err);
    if (rc == 0 && application != STORE_APPLICATION)
        rc = err_set(err, -EBADMSG, "%s: not a graph database of leakgraph", path);
    else if (rc == 0 && version != STORE_VERSION)
        rc = err_set(err, -EBADMSG, "%s: has version %llu of the format, this program reads version %d: %s", path,
                     (unsigned long long)version, STORE_VERSION, version > STORE_VERSION
                     ? "a newer leakgraph reads it" : "`leakgraph run` with its configuration makes it again");
    /* Queries go to and fro between tables, and the default cache holds 60 pages.  A file that says otherwise is not
     * asked.  In one transaction it is not looked at the disk before each of thousands of small queries. */
    if (rc == 0 && sqlite3_exec(*db, "PRAGMA cache_size=-" STORE_CACHE_ASKED "; BEGIN", NULL, NULL, NULL) != SQLITE_OK)
        rc = graph_fail(*db, err);
    if (rc == 0) return 0;
    sqlite3_close(*db);
    *db = NULL;
    return rc;
}

static int views_make(const struct graph_table *const *tables, bool temporary, struct bytes *sql, struct err *err)
{
    int rc = 0;

    sql->len = 0;
    for (size_t i = 0; graph_tables[i] && rc == 0; i++) rc = graph_table_views(graph_tables[i], temporary, sql);
    for (size_t i = 0; tables[i] && rc == 0; i++) rc = graph_table_views(tables[i], temporary, sql);
    if (rc == 0) rc = graph_unions_create(graph_tables, tables, temporary, sql);
    if (rc == 0) rc = bytes_append(sql, "", 1);
    return rc < 0 ? err_memory(err, sql->len, "the views") : 0;
}

/* Are the file's views these, text for text?  1, 0 or <0 with err set. */
static int views_there(sqlite3 *db, struct slice sql, struct err *err)
{
    sqlite3_stmt *query;
    bool          same = true;
    int           rc = graph_prepare(db, &query, "SELECT sql FROM sqlite_schema WHERE type = 'view' ORDER BY rowid",
                                     err);

    while (rc == 0 && same && (rc = graph_step(query, err)) == 1) {
        const struct slice text = graph_text(query, 0);

        same = text.len + 2 <= sql.len && memcmp(sql.at, text.at, text.len) == 0 &&
            memcmp(sql.at + text.len, ";\n", 2) == 0;
        if (same) sql = (struct slice){ sql.at + text.len + 2, sql.len - text.len - 2 };
        rc = 0;
    }
    graph_finish(query);
    return rc < 0 ? rc : same && sql.len == 0;
}

int graph_define_views(sqlite3 *db, const struct graph_table *const *tables, struct err *err)
{
    struct bytes sql = { 0 };
    int          rc = views_make(tables, false, &sql, err);

    /* to parse them all again takes longer than a small run's join */
    if (rc == 0) rc = views_there(db, (struct slice){ sql.at, sql.len - 1 }, err);
    if (rc == 0) {
        rc = views_make(tables, true, &sql, err);
        if (rc == 0 && sqlite3_exec(db, sql.at, NULL, NULL, NULL) != SQLITE_OK) rc = graph_fail(db, err);
    }
    bytes_free(&sql);
    return rc < 0 ? rc : 0;
}

/* The views that come after find it by its name, because theirs are temporary too. */
static int view_settle(const char *name, struct bytes *sql)
{
    return bytes_printf(sql, "CREATE TEMP TABLE settled_%s AS SELECT * FROM %s; DROP VIEW temp.%s; "
                             "CREATE TEMP VIEW %s AS SELECT * FROM temp.settled_%s;\n", name, name, name, name, name);
}

int graph_is_large(sqlite3 *db, bool *out, struct err *err)
{
    uint64_t many = 0;
    int      rc = graph_count(db, "SELECT count(*) FROM (SELECT id FROM snippets LIMIT 8192)", &many, err);

    *out = many == 8192;
    return rc;
}

int graph_settle_views(sqlite3 *db, const struct graph_table *const *tables, struct err *err)
{
    struct bytes sql = { 0 };
    uint64_t     there = 0;
    bool         large;
    int          rc = graph_is_large(db, &large, err);

    if (rc < 0 || !large) return rc;
    rc = graph_count(db, "SELECT count(*) FROM sqlite_temp_schema WHERE type = 'view'", &there, err);
    if (rc == 0 && !there) rc = views_make(tables, true, &sql, err);
    if (rc == 0 && sql.len) sql.len--;                      /* its NUL */
    for (size_t i = 0; tables[i] && rc == 0; i++)
        if (tables[i]->often && view_settle(tables[i]->often, &sql) < 0) rc = err_memory(err, sql.len, "the views");
    if (rc == 0 && sql.len && sqlite3_exec(db, sql.at, NULL, NULL, NULL) != SQLITE_OK) rc = graph_fail(db, err);
    bytes_free(&sql);
    return rc;
}

void graph_close(sqlite3 *db) { sqlite3_close(db); }

int graph_prepare(sqlite3 *db, sqlite3_stmt **query, const char *sql, struct err *err)
{
    return sqlite3_prepare_v2(db, sql, -1, query, NULL) == SQLITE_OK ? 0 : graph_fail(db, err);
}

int graph_bind_text(sqlite3_stmt *query, int parameter, struct slice text, struct err *err)
{
    int rc = sqlite3_bind_text64(query, parameter, text.len ? text.at : "", text.len, SQLITE_STATIC, SQLITE_UTF8);

    return rc == SQLITE_OK ? 0 : graph_fail(sqlite3_db_handle(query), err);
}

int graph_bind_number(sqlite3_stmt *query, int parameter, int64_t value, struct err *err)
{
    return sqlite3_bind_int64(query, parameter, value) == SQLITE_OK ? 0 : graph_fail(sqlite3_db_handle(query), err);
}

int graph_step(sqlite3_stmt *query, struct err *err)
{
    int rc = sqlite3_step(query);

    if (rc == SQLITE_ROW) return 1;
    if (rc != SQLITE_DONE) return graph_fail(sqlite3_db_handle(query), err);
    sqlite3_reset(query);
    return 0;
}

void graph_finish(sqlite3_stmt *query) { sqlite3_finalize(query); }

struct slice graph_text(sqlite3_stmt *query, int column)
{
    const char *at = (const char *)sqlite3_column_text(query, column);

    return (struct slice){ at ? at : "", at ? (size_t)sqlite3_column_bytes(query, column) : 0 };
}

uint64_t graph_number(sqlite3_stmt *query, int column)
{
    sqlite3_int64 value = sqlite3_column_int64(query, column);

    return value > 0 ? (uint64_t)value : 0;
}

double graph_real(sqlite3_stmt *query, int column) { return sqlite3_column_double(query, column); }
