/* export/edge_list.c -- see edge_list.h. */
#include "export/edge_list.h"

#include "base/bytes.h"
#include "base/file.h"
#include "graph/tables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { FIELDS = 12, TEXT_BYTES = 1 << 18, LINE_MOST = 512 };

struct list { sqlite3_vtab base; const char *path; };

/* text[at, text.len) is decoded and not yet taken. */
struct cursor {
    sqlite3_vtab_cursor base;
    FILE               *file;
    ZSTD_DCtx          *zstd;
    struct bytes        packed, text;
    ZSTD_inBuffer       in;
    size_t              at;
    struct slice        field[FIELDS];
    sqlite3_int64       row;                                /* number of the line, 0: the names */
    bool                over, full;                         /* full: the decoder may hold more */
    size_t              left;                               /* of a frame, as zstd has it: 0 at its end */
};

static int fail(struct cursor *cursor, int code, const char *what)
{
    struct list *list = (struct list *)cursor->base.pVtab;

    sqlite3_free(list->base.zErrMsg);
    list->base.zErrMsg = sqlite3_mprintf("%s:%lld: %s", list->path, (long long)cursor->row + 1, what);
    return code;
}

/* ---- lines ---- */

/* More text behind what is there, which moves to the front.  1; 0 at the list's end; <0: -code. */
static int decode(struct cursor *cursor)
{
    ZSTD_outBuffer out;

    memmove(cursor->text.at, cursor->text.at + cursor->at, cursor->text.len - cursor->at);
    cursor->text.len -= cursor->at;
    cursor->at = 0;
    if (cursor->in.pos == cursor->in.size && !cursor->full) {
        cursor->in = (ZSTD_inBuffer){ cursor->packed.at, fread(cursor->packed.at, 1, cursor->packed.room, cursor->file),
                                      0 };
        if (ferror(cursor->file)) return -fail(cursor, SQLITE_IOERR, "cannot be read");
        if (!cursor->in.size) return cursor->left || cursor->text.len ? -fail(cursor, SQLITE_CORRUPT, "cut off") : 0;
    }
    out = (ZSTD_outBuffer){ cursor->text.at, cursor->text.room, cursor->text.len };
    cursor->left = ZSTD_decompressStream(cursor->zstd, &out, &cursor->in);
    if (ZSTD_isError(cursor->left)) return -fail(cursor, SQLITE_CORRUPT, ZSTD_getErrorName(cursor->left));
    cursor->text.len = out.pos;
    cursor->full = out.pos == out.size;
    return 1;
}

static int take_fields(struct cursor *cursor, struct slice line)
{
    size_t n = 0;

    for (const char *end = line.at + line.len; n < FIELDS; n++) {
        const char *tab = memchr(line.at, '\t', (size_t)(end - line.at));

        cursor->field[n] = (struct slice){ line.at, (size_t)((tab ? tab : end) - line.at) };
        if (!tab) break;
        line.at = tab + 1;
    }
    return n + 1 == FIELDS ? SQLITE_OK : fail(cursor, SQLITE_CORRUPT, "no pair");
}

/* The next line; cursor->over when there is none. */
static int line_next(struct cursor *cursor)
{
    const char  *end;
    struct slice line;
    int          rc;

    while (!(end = memchr(cursor->text.at + cursor->at, '\n', cursor->text.len - cursor->at))) {
        rc = cursor->text.len - cursor->at > LINE_MOST ? -fail(cursor, SQLITE_CORRUPT, "no pair") : decode(cursor);
        if (rc < 0) return -rc;
        cursor->over = rc == 0;
        if (cursor->over) return SQLITE_OK;
    }
    line = (struct slice){ cursor->text.at + cursor->at, (size_t)(end - cursor->text.at) - cursor->at };
    cursor->at += line.len + 1;
    rc = take_fields(cursor, line);
    cursor->row++;
    return rc;
}

/* ---- what SQLite calls ---- */

static int list_connect(sqlite3 *db, void *path, int argc, const char *const *argv, sqlite3_vtab **out, char **error)
{
    struct list *list = sqlite3_malloc(sizeof *list);

    (void)argc, (void)argv, (void)error;
    *out = NULL;
    if (!list || !path) {
        sqlite3_free(list);
        return SQLITE_NOMEM;
    }
    *out = &list->base;
    *list = (struct list){ .path = path };
    return sqlite3_declare_vtab(db, "CREATE TABLE edges (pass, a INTEGER, b INTEGER, kind, shared INTEGER, \"union\" "
                                    "INTEGER, min_sum INTEGER, max_sum INTEGER, set_similarity REAL, "
                                    "multiset_similarity REAL, containment_a REAL, containment_b REAL)");
}

static int list_disconnect(sqlite3_vtab *list)
{
    sqlite3_free(list);
    return SQLITE_OK;
}

/* There is one way to read it, which is long: the documents are looked up, not the pairs. */
static int list_best(sqlite3_vtab *list, sqlite3_index_info *info)
{
    (void)list;
    info->estimatedCost = 1e12;
    info->estimatedRows = 100000000;
    return SQLITE_OK;
}

static int list_close(sqlite3_vtab_cursor *base)
{
    struct cursor *cursor = (struct cursor *)base;

    if (cursor->file) fclose(cursor->file);
    ZSTD_freeDCtx(cursor->zstd);
    bytes_free(&cursor->packed);
    bytes_free(&cursor->text);
    sqlite3_free(cursor);
    return SQLITE_OK;
}

static int list_open(sqlite3_vtab *list, sqlite3_vtab_cursor **out)
{
    struct cursor *cursor = sqlite3_malloc(sizeof *cursor);

    *out = NULL;
    if (!cursor) return SQLITE_NOMEM;
    *cursor = (struct cursor){ .base = { list }, .zstd = ZSTD_createDCtx() };
    *out = &cursor->base;
    if (cursor->zstd && bytes_reserve(&cursor->packed, ZSTD_DStreamInSize()) == 0 &&
        bytes_reserve(&cursor->text, TEXT_BYTES) == 0) return SQLITE_OK;
    *out = NULL;
    list_close(&cursor->base);
    return SQLITE_NOMEM;
}

static int list_next(sqlite3_vtab_cursor *cursor) { return line_next((struct cursor *)cursor); }

/* Begins, with the line of names behind. */
static int list_filter(sqlite3_vtab_cursor *base, int plan, const char *text, int argc, sqlite3_value **argv)
{
    struct cursor *cursor = (struct cursor *)base;
    int            rc;

    (void)plan, (void)text, (void)argc, (void)argv;
    if (cursor->file) fclose(cursor->file);
    ZSTD_DCtx_reset(cursor->zstd, ZSTD_reset_session_only);
    cursor->file = file_stream(((struct list *)base->pVtab)->path, "rbe");
    cursor->in = (ZSTD_inBuffer){ 0 };
    cursor->at = cursor->text.len = cursor->left = 0;
    cursor->over = cursor->full = false;
    cursor->row = 0;
    if (!cursor->file) return fail(cursor, SQLITE_CANTOPEN, strerror(errno));
    if ((rc = line_next(cursor)) != SQLITE_OK) return rc;
    if (cursor->over || !slice_equal(cursor->field[0], SLICE("pass"))) return fail(cursor, SQLITE_CORRUPT, "no list");
    return line_next(cursor);
}

static int list_eof(sqlite3_vtab_cursor *cursor) { return ((struct cursor *)cursor)->over; }

static int list_row(sqlite3_vtab_cursor *cursor, sqlite3_int64 *out)
{
    *out = ((struct cursor *)cursor)->row;
    return SQLITE_OK;
}

/* Texts of a and b, and so on, as numbers: a TAB or a line's end stops both calls. */
static int list_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int c)
{
    const struct slice field = ((struct cursor *)base)->field[c];

    if (c == 0 || c == 3) sqlite3_result_text(context, field.at, (int)field.len, SQLITE_TRANSIENT);
    else if (c < 8) sqlite3_result_int64(context, strtoll(field.at, NULL, 10));
    else sqlite3_result_double(context, strtod(field.at, NULL));
    return SQLITE_OK;
}

static const sqlite3_module list_module = {
    .xConnect = list_connect, .xDisconnect = list_disconnect, .xBestIndex = list_best, .xOpen = list_open,
    .xClose = list_close, .xFilter = list_filter, .xNext = list_next, .xEof = list_eof, .xColumn = list_column,
    .xRowid = list_row,
};

/* ---- the connection ---- */

int edge_list_attach(sqlite3 *db, const char *path, struct err *err)
{
    const struct graph_view *view = table_edges.views;
    struct bytes             sql = { 0 };
    int                      rc = bytes_printf(&sql, "DROP VIEW IF EXISTS temp.pairs; CREATE TEMP VIEW edges AS "
                                                     "SELECT * FROM edge_list; ");

    while (view->name && strcmp(view->name, "pairs") != 0) view++;
    if (rc == 0) rc = bytes_printf(&sql, "CREATE TEMP VIEW pairs (%s) AS %s", view->columns, view->select);
    if (rc == 0) rc = bytes_append(&sql, "", 1);
    if (rc < 0) rc = err_memory(err, sql.len, "a view");
    else if (sqlite3_create_module_v2(db, "edge_list", &list_module, sqlite3_mprintf("%s", path), sqlite3_free) !=
             SQLITE_OK || sqlite3_exec(db, sql.at, NULL, NULL, NULL) != SQLITE_OK)
        rc = err_set(err, sqlite3_errcode(db) == SQLITE_NOMEM ? -ENOMEM : -EBADMSG, "%s: %s", path, sqlite3_errmsg(db));
    bytes_free(&sql);
    return rc;
}
