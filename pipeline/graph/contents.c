/* graph/contents.c -- see contents.h. */
#include "graph/contents.h"

#include "graph/read.h"
#include "graph/rows.h"
#include "graph/settings.h"
#include "graph/tables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_core(const struct graph_table *table)
{
    size_t i = 0;

    while (graph_tables[i] && graph_tables[i] != table) i++;
    return graph_tables[i] != NULL;
}

/* ---- of rows as they are given ---- */

struct contents_table *contents_of(struct contents *contents, const struct graph_table *table)
{
    struct contents_table *of = contents->table, *const end = of + contents->count;

    while (of < end && of->table != table) of++;
    if (of < end) return of;
    if (contents->count == CONTENTS_TABLES) return NULL;
    *of = (struct contents_table){ .table = table, .hash = calloc(1, sizeof *of->hash) };
    if (of->hash && value_hash_begin(of->hash)) {
        contents->count++;
        return of;
    }
    free(of->hash);
    return NULL;
}

void contents_free(struct contents *contents)
{
    for (size_t i = 0; i < contents->count; i++) {
        value_hash_drop(contents->table[i].hash);
        free(contents->table[i].hash);
    }
    contents->count = 0;
}

bool contents_move(struct contents *to, struct contents *from)
{
    if (to->count + from->count > CONTENTS_TABLES) return false;
    memcpy(to->table + to->count, from->table, from->count * sizeof *from->table);
    to->count += from->count;
    from->count = 0;
    return true;
}

/* Of a table of which no row was given too. */
static int given_digest(struct contents *contents, const struct graph_table *table, char out[33], uint64_t *rows,
                        struct err *err)
{
    struct contents_table *of = contents_of(contents, table);

    if (!of) return err_memory(err, sizeof *of->hash, "a digest");
    *rows = of->rows;
    value_hash_end(of->hash, out);
    return 0;
}

/* ---- values that are read ---- */

static void hash_value(struct value_hash *hash, sqlite3_value *value)
{
    const int   type = sqlite3_value_type(value);
    const void *bytes;

    switch (type) {
    case SQLITE_NULL: value_hash_null(hash); return;
    case SQLITE_INTEGER: value_hash_number(hash, (uint64_t)sqlite3_value_int64(value)); return;
    case SQLITE_FLOAT: value_hash_real(hash, sqlite3_value_double(value)); return;
    default:
        bytes = sqlite3_value_blob(value);                  /* of a text its UTF-8 */
        value_hash_bytes(hash, type, (struct slice){ bytes, (size_t)sqlite3_value_bytes(value) });
    }
}

/* ---- rows ---- */

/* As an aggregate function the digest is given values where they lie: without a statement that stops at each row, and
 * without a call that copies each value. */
static void rows_step(sqlite3_context *context, int count, sqlite3_value **value)
{
    struct value_hash *digest = sqlite3_aggregate_context(context, sizeof *digest);

    if (!digest || (!digest->hash && !value_hash_begin(digest))) {
        sqlite3_result_error_nomem(context);
        return;
    }
    for (int v = 0; v < count; v++) hash_value(digest, value[v]);
}

static void rows_final(sqlite3_context *context)
{
    struct value_hash *digest = sqlite3_aggregate_context(context, 0), none = { 0 };
    char           out[33];

    if (!digest || !digest->hash) digest = &none;           /* of no rows */
    if (!digest->hash && !value_hash_begin(digest)) {
        sqlite3_result_error_nomem(context);
        return;
    }
    value_hash_end(digest, out);
    sqlite3_result_text(context, out, 32, SQLITE_TRANSIENT);
}

/* SELECT over all columns that the file has of a table, whether they are those that it ought to have or not. */
static int rows_query(sqlite3 *db, const char *table, const char *where, struct bytes *sql, struct err *err)
{
    sqlite3_stmt *query = NULL;
    char          all[128];
    int           rc;

    snprintf(all, sizeof all, "SELECT * FROM main.%s", table);
    rc = graph_prepare(db, &query, all, err);
    if (rc < 0) return rc;
    rc = bytes_printf(sql, "SELECT contents_of_rows(");
    for (int c = 0; c < sqlite3_column_count(query) && rc == 0; c++) {
        rc = bytes_printf(sql, "%s\"", c ? ", " : "");
        for (const char *name = sqlite3_column_name(query, c); *name && rc == 0; name++)
            rc = bytes_printf(sql, *name == '"' ? "\"\"" : "%c", *name);
        if (rc == 0) rc = bytes_printf(sql, "\"");
    }
    graph_finish(query);
    /* without an index the rows come in their order */
    if (rc == 0) rc = bytes_printf(sql, "), count(*) FROM main.%s NOT INDEXED%s", table, where);
    if (rc == 0) rc = bytes_append(sql, "", 1);
    return rc < 0 ? err_memory(err, sql->len, "a query") : 0;
}

static int rows_digest(sqlite3 *db, const char *table, const char *where, char out[33], uint64_t *rows,
                       struct err *err)
{
    sqlite3_stmt *query = NULL;
    struct bytes  sql = { 0 };
    int           rc;

    rc = sqlite3_create_function_v2(db, "contents_of_rows", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL, NULL, rows_step,
                                    rows_final, NULL);
    rc = rc == SQLITE_OK ? 0 : err_set(err, -EIO, "graph.db: %s", sqlite3_errmsg(db));
    if (rc == 0) rc = rows_query(db, table, where, &sql, err);
    if (rc == 0) rc = graph_prepare(db, &query, sql.at, err);
    if (rc == 0) rc = graph_step(query, err);
    if (rc == 1) {
        snprintf(out, 33, "%s", graph_text(query, 0).at);
        if (rows) *rows = graph_number(query, 1);
    }
    graph_finish(query);
    bytes_free(&sql);
    return rc < 0 ? rc : 0;
}

int contents_digest(sqlite3 *db, const struct graph_table *table, char out[33], uint64_t *rows, struct err *err)
{
    return rows_digest(db, table->name, "", out, rows, err);
}

/* ---- telling ---- */

/* The schema has no order of its own. */
static int schema_digest(sqlite3 *db, char out[33], struct err *err)
{
    static const char sql[] = "SELECT type, name, tbl_name, sql FROM main.sqlite_schema ORDER BY type, name";
    struct value_hash     digest = { 0 };
    sqlite3_stmt     *query = NULL;
    int               rc = value_hash_begin(&digest) ? 0 : err_memory(err, sizeof digest, "a digest");

    if (rc == 0) rc = graph_prepare(db, &query, sql, err);
    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        rc = 0;
        for (int c = 0; c < sqlite3_column_count(query) && rc == 0; c++) {
            sqlite3_value *value = sqlite3_value_dup(sqlite3_column_value(query, c));

            if (value) hash_value(&digest, value);
            else rc = err_memory(err, sizeof digest, "a digest");
            sqlite3_value_free(value);
        }
    }
    graph_finish(query);
    if (rc == 0) value_hash_end(&digest, out);
    else value_hash_drop(&digest);
    return rc;
}

/* All that run says of others. */
static int run_digest(sqlite3 *db, char out[33], struct err *err)
{
    return rows_digest(db, "run", " WHERE key IS NOT 'contents.run'", out, NULL, err);
}

/* What comes last: the schema, and table run with all that it says of others. */
static const struct { const char *key; int (*digest)(sqlite3 *, char *, struct err *); } last[] = {
    { "contents.sqlite_schema", schema_digest }, { "contents.run", run_digest },
};

static int rows_tell(sqlite3 *db, struct settings *settings, struct err *err)
{
    const struct graph none = { 0 };
    int                rc = settings->failed ? err_memory(err, sizeof *settings->row, "digests") : 0;

    if (rc == 0) rc = rows_add(db, &none, &(struct graph_rows){ &table_run, settings->row, settings->count, 0 },
                               NULL, err);
    settings_free(settings);
    return rc;
}

static int tables_tell(sqlite3 *db, const struct graph_table *const *tables, struct contents *given,
                       struct settings *settings, struct err *err)
{
    int rc = 0;

    for (; *tables && rc == 0; tables++) {
        char     digest[33], key[80];
        uint64_t rows = 0;

        if (!(*tables)->column_count || *tables == &table_run) continue;
        rc = given ? given_digest(given, *tables, digest, &rows, err)
            : contents_digest(db, *tables, digest, &rows, err);
        if (rc < 0) break;
        snprintf(key, sizeof key, "contents.%s", (*tables)->name);
        settings_add_text(settings, key, slice_of(digest));
        snprintf(key, sizeof key, "digest.%s", (*tables)->name);
        if (rows && !(*tables)->digest && !((*tables)->flags & TABLE_ASIDE) && !is_core(*tables))
            settings_add_text(settings, key, slice_of(digest));
    }
    return rc;
}

int contents_tell(sqlite3 *db, const struct graph_table *const *tables, struct contents *given, struct err *err)
{
    struct settings settings = { 0 };
    int             rc = tables_tell(db, graph_tables, given, &settings, err);

    if (rc == 0) rc = tables_tell(db, tables, given, &settings, err);
    if (rc == 0) rc = rows_tell(db, &settings, err);
    settings_free(&settings);
    for (size_t i = 0; i < sizeof last / sizeof *last && rc == 0; i++) {
        char digest[33];

        rc = last[i].digest(db, digest, err);
        if (rc == 0) settings_add_text(&settings, last[i].key, slice_of(digest));
        if (rc == 0) rc = rows_tell(db, &settings, err);
    }
    return rc;
}

/* ---- checking ---- */

/* A row of run: 1 with its value, 0 when there is none. */
static int said_of(sqlite3 *db, const char *prefix, const char *name, char out[33], struct err *err)
{
    sqlite3_stmt *query = NULL;
    char          key[96];
    int           rc = graph_prepare(db, &query, "SELECT value FROM run WHERE key = ?1", err);

    snprintf(key, sizeof key, "%s%s", prefix, name);
    if (rc == 0) rc = graph_bind_text(query, 1, slice_of(key), err);
    if (rc == 0) rc = graph_step(query, err);
    if (rc == 1) {
        struct slice value = graph_text(query, 0);

        snprintf(out, 33, "%.*s", (int)(value.len < 32 ? value.len : 32), value.at);
    }
    graph_finish(query);
    return rc;
}

static int disagree(const char *said, const char *name, const char *digest, struct err *err)
{
    return err_set(err, -EBADMSG, "table run says %s of table %s, its rows give %s", said, name, digest);
}

/* whole: there must be a row that says it. */
static int table_check(sqlite3 *db, const struct graph_table *table, bool whole, struct err *err)
{
    static const char *const prefix[] = { "contents.", "digest." };
    char                     digest[33] = "", said[33];
    int                      rc = 0;

    for (size_t i = 0; i < 2 && rc == 0; i++) {
        if (i == 1 && (table->digest || is_core(table))) break;
        rc = said_of(db, prefix[i], table->name, said, err);
        if (rc == 0 && i == 0 && whole)
            rc = err_set(err, -EBADMSG, "table run does not say what is in table %s", table->name);
        if (rc <= 0) continue;
        rc = *digest ? 0 : contents_digest(db, table, digest, NULL, err);
        if (rc == 0 && strcmp(said, digest) != 0) rc = disagree(said, table->name, digest, err);
    }
    return rc;
}

int contents_check(sqlite3 *db, const struct graph_table *const *tables, struct err *err)
{
    char said[33], digest[33];
    bool whole;
    int  rc = said_of(db, "", "contents.run", said, err);

    whole = rc > 0;                                         /* versions before said less */
    if (rc > 0) rc = 0;
    for (size_t i = 0; graph_tables[i] && rc == 0; i++)
        if (graph_tables[i] != &table_run && graph_tables[i]->column_count)
            rc = table_check(db, graph_tables[i], whole, err);
    for (; *tables && rc == 0; tables++)
        if ((*tables)->column_count) rc = table_check(db, *tables, whole, err);
    for (size_t i = sizeof last / sizeof *last; i-- > 0 && whole && rc == 0;) {
        rc = said_of(db, "", last[i].key, said, err);
        if (rc == 0) rc = err_set(err, -EBADMSG, "run has no row %s", last[i].key);
        if (rc > 0) rc = last[i].digest(db, digest, err);
        if (rc == 0 && strcmp(said, digest) != 0)
            rc = disagree(said, last[i].key + sizeof "contents." - 1, digest, err);
    }
    return rc;
}
