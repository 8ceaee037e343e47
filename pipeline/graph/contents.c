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

int contents_digest(sqlite3 *db, const struct graph_table *table, char out[33], uint64_t *rows, struct err *err)
{
    XXH3_state_t  *hash = XXH3_createState();
    sqlite3_stmt  *query = NULL;
    XXH128_hash_t  sum;
    uint64_t       count = 0;
    char           sql[128];
    int            rc = hash ? 0 : err_memory(err, sizeof *hash, "a digest");

    snprintf(sql, sizeof sql, "SELECT * FROM main.%s ORDER BY rowid", table->name);
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

int contents_tell(sqlite3 *db, const struct graph_table *const *tables, struct err *err)
{
    const struct graph none = { 0 };
    struct settings    settings = { 0 };
    int                rc = 0;

    for (; *tables && rc == 0; tables++) {
        char     digest[33], key[80];
        uint64_t rows = 0;

        if ((*tables)->digest || !(*tables)->column_count) continue;
        rc = contents_digest(db, *tables, digest, &rows, err);
        snprintf(key, sizeof key, "digest.%s", (*tables)->name);
        if (rc == 0 && rows) settings_add_text(&settings, key, slice_of(digest));
    }
    if (rc == 0 && settings.failed) rc = err_memory(err, sizeof *settings.row, "digests");
    if (rc == 0) rc = rows_add(db, &none, &(struct graph_rows){ &table_run, settings.row, settings.count, 0 }, err);
    settings_free(&settings);
    return rc;
}

static int contents_compare(sqlite3 *db, const struct graph_table *table, struct slice said, struct err *err)
{
    char digest[33];
    int  rc = contents_digest(db, table, digest, NULL, err);

    if (rc < 0 || slice_equal(said, slice_of(digest))) return rc;
    return err_set(err, -EBADMSG, "run says %.*s of table %s, its rows give %s", (int)(said.len < 32 ? said.len : 32),
                   said.at, table->name, digest);
}

int contents_check(sqlite3 *db, const struct graph_table *const *tables, struct err *err)
{
    sqlite3_stmt *query = NULL;
    int           rc = graph_prepare(db, &query, "SELECT value FROM run WHERE key = 'digest.' || ?1", err);

    for (; *tables && rc == 0; tables++) {
        if ((*tables)->digest || !(*tables)->column_count) continue;
        rc = graph_bind_text(query, 1, slice_of((*tables)->name), err);
        if (rc == 0) rc = graph_step(query, err);
        if (rc == 1) rc = contents_compare(db, *tables, graph_text(query, 0), err);
        sqlite3_reset(query);
    }
    graph_finish(query);
    return rc;
}
