/* graph/contents.c -- see contents.h. */
#define XXH_INLINE_ALL
#include "graph/contents.h"

#include "graph/read.h"
#include "graph/rows.h"
#include "graph/settings.h"
#include "graph/tables.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

static bool is_core(const struct graph_table *table)
{
    size_t i = 0;

    while (graph_tables[i] && graph_tables[i] != table) i++;
    return graph_tables[i] != NULL;
}

static void hash_number(XXH3_state_t *hash, uint64_t number)
{
    uint8_t byte[8];

    for (int i = 0; i < 8; i++) byte[i] = (uint8_t)(number >> 8 * i);
    XXH3_128bits_update(hash, byte, sizeof byte);
}

static void hash_value(XXH3_state_t *hash, sqlite3_stmt *query, int column)
{
    const int     type = sqlite3_column_type(query, column);
    const uint8_t tag = (uint8_t)type;
    struct slice  text;
    double        real;
    uint64_t      bits;

    XXH3_128bits_update(hash, &tag, 1);
    switch (type) {
    case SQLITE_NULL: return;
    case SQLITE_INTEGER:
        hash_number(hash, (uint64_t)sqlite3_column_int64(query, column));
        return;
    case SQLITE_FLOAT:
        real = sqlite3_column_double(query, column);
        memcpy(&bits, &real, sizeof bits);
        hash_number(hash, bits);
        return;
    default:
        text = graph_text(query, column);
        hash_number(hash, text.len);
        XXH3_128bits_update(hash, text.len ? text.at : "", text.len);
    }
}

static int digest_of(sqlite3 *db, const char *sql, char out[33], uint64_t *rows, struct err *err)
{
    XXH3_state_t  *hash = XXH3_createState();
    sqlite3_stmt  *query = NULL;
    XXH128_hash_t  sum;
    uint64_t       count = 0;
    int            rc = hash ? 0 : err_memory(err, sizeof *hash, "a digest");

    if (rc == 0) rc = graph_prepare(db, &query, sql, err);
    if (rc == 0) XXH3_128bits_reset(hash);
    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        for (int c = 0; c < sqlite3_column_count(query); c++) hash_value(hash, query, c);
        count++;
        rc = 0;
    }
    graph_finish(query);
    if (rc == 0) {
        sum = XXH3_128bits_digest(hash);
        snprintf(out, 33, "%016llx%016llx", (unsigned long long)sum.high64, (unsigned long long)sum.low64);
        if (rows) *rows = count;
    }
    XXH3_freeState(hash);
    return rc < 0 ? rc : 0;
}

int contents_digest(sqlite3 *db, const struct graph_table *table, char out[33], uint64_t *rows, struct err *err)
{
    char sql[128];

    snprintf(sql, sizeof sql, "SELECT * FROM main.%s ORDER BY rowid", table->name);
    return digest_of(db, sql, out, rows, err);
}

/* ---- telling ---- */

/* What comes last: the schema, and table run with all that it says of others. */
static const struct { const char *key, *sql; } last[] = {
    { "contents.sqlite_schema", "SELECT type, name, tbl_name, sql FROM main.sqlite_schema ORDER BY type, name" },
    { "contents.run", "SELECT key, value FROM main.run WHERE key IS NOT 'contents.run' ORDER BY rowid" },
};

static int rows_tell(sqlite3 *db, struct settings *settings, struct err *err)
{
    const struct graph none = { 0 };
    int                rc = settings->failed ? err_memory(err, sizeof *settings->row, "digests") : 0;

    if (rc == 0) rc = rows_add(db, &none, &(struct graph_rows){ &table_run, settings->row, settings->count, 0 }, err);
    settings_free(settings);
    return rc;
}

static int tables_tell(sqlite3 *db, const struct graph_table *const *tables, struct settings *settings,
                       struct err *err)
{
    int rc = 0;

    for (; *tables && rc == 0; tables++) {
        char     digest[33], key[80];
        uint64_t rows = 0;

        if (!(*tables)->column_count || *tables == &table_run) continue;
        rc = contents_digest(db, *tables, digest, &rows, err);
        if (rc < 0) break;
        snprintf(key, sizeof key, "contents.%s", (*tables)->name);
        settings_add_text(settings, key, slice_of(digest));
        snprintf(key, sizeof key, "digest.%s", (*tables)->name);
        if (rows && !(*tables)->digest && !is_core(*tables)) settings_add_text(settings, key, slice_of(digest));
    }
    return rc;
}

int contents_tell(sqlite3 *db, const struct graph_table *const *tables, struct err *err)
{
    struct settings settings = { 0 };
    int             rc = tables_tell(db, graph_tables, &settings, err);

    if (rc == 0) rc = tables_tell(db, tables, &settings, err);
    if (rc == 0) rc = rows_tell(db, &settings, err);
    settings_free(&settings);
    for (size_t i = 0; i < sizeof last / sizeof *last && rc == 0; i++) {
        char digest[33];

        rc = digest_of(db, last[i].sql, digest, NULL, err);
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
        if (rc > 0) rc = digest_of(db, last[i].sql, digest, NULL, err);
        if (rc == 0 && strcmp(said, digest) != 0)
            rc = disagree(said, last[i].key + sizeof "contents." - 1, digest, err);
    }
    return rc;
}
