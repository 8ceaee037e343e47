/* page/report_write.c -- see report_write.h. */
#include "page/report_write.h"

#include "base/file.h"
#include "graph/read.h"
#include "page/explorer.h"
#include "page/page.h"
#include "report/ahead.h"

#include <errno.h>
#include <stdio.h>

const char *const report_write_names[REPORT_WRITE_FILES] = { "report.json", "report.md", "report.html" };

static int (*const renderings[REPORT_WRITE_FILES])(const struct report_document *, struct bytes *) = {
    report_json, report_markdown, page_html,
};

static int write_as(const struct report_document *document, const char *dir, size_t form, struct err *err)
{
    const char  *name = report_write_names[form];
    struct bytes text = { 0 };
    char         path[FILE_NAME_MAX];
    int          rc = renderings[form](document, &text) < 0 ? err_memory(err, text.len, name)
        : file_join(dir, name, path, err);

    if (rc == 0) rc = file_write(path, bytes_slice(&text), err);
    bytes_free(&text);
    return rc;
}

int report_write_document(const struct report_document *document, const char *dir, int threads, struct err *err)
{
    struct err failed[REPORT_WRITE_FILES] = { 0 };
    size_t     first = 0;

#pragma omp parallel for num_threads(threads < REPORT_WRITE_FILES ? threads : REPORT_WRITE_FILES) schedule(dynamic, 1)
    for (size_t i = 0; i < REPORT_WRITE_FILES; i++) write_as(document, dir, i, &failed[i]);
    while (first < REPORT_WRITE_FILES && !failed[first].code) first++;
    if (first == REPORT_WRITE_FILES) return 0;
    *err = failed[first];
    return err->code;
}

/* Of each connection.  What is sorted is sorted in as much memory, and faster in a processor's cache: the report of
 * 900,000 removed documents takes 3.3 s, with 32 MB 4.4; one of 10,000 items takes as long with both. */
enum { REPORT_CACHE_KIB = 8 << 10 };

static int cache_bound(sqlite3 *db, struct err *err)
{
    char sql[64];

    snprintf(sql, sizeof sql, "PRAGMA cache_size=-%d", REPORT_CACHE_KIB);
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0
        : err_set(err, -EIO, "graph database: %s", sqlite3_errmsg(db));
}

/* A connection to the graph in `path`; *db is to be closed either way. */
static int graph_join(const char *path, const struct graph_table *const *tables, sqlite3 **db, struct err *err)
{
    int rc = graph_open(db, path, err);

    if (rc == 0) rc = cache_bound(*db, err);
    return rc < 0 ? rc : graph_define_views(*db, tables, err);
}

/* The items of the page, with a connection of their own. */
static int items_make(const char *path, const struct graph_table *const *tables, const struct show_reader *reader,
                      items_mask *mask, struct explorer *out, struct err *err)
{
    sqlite3 *db = NULL;
    int      rc = graph_join(path, tables, &db, err);

    if (rc == 0) rc = explorer_read(out, db, reader, mask, err);
    graph_close(db);
    return rc;
}

/* Small graphs are asked sooner than they are opened. */
static int ahead_begin(struct report_document *document, sqlite3 *db, const struct report_part *const *part,
                       struct err *err)
{
    bool large;
    int  rc = graph_is_large(db, &large, err);

    return rc == 0 && large ? ahead_open(document, part, err) : rc;
}

/* What the document will want, with another; where there is none, the document asks it itself. */
static void ahead_make(const char *path, const struct graph_table *const *tables, struct ahead *ahead)
{
    struct err unused = { 0 };
    sqlite3   *db = NULL;

    if (graph_join(path, tables, &db, &unused) == 0) ahead_ask(ahead, db);
    graph_close(db);
}

static int document_make(struct report_document *document, sqlite3 *db, const struct report_part *const *part,
                         const struct graph_table *const *tables, struct err *err)
{
    int rc = graph_settle_views(db, tables, err);

    if (rc == 0) rc = report_build(document, db, part, err);
    if (document->ahead) ahead_enough(document->ahead);
    return rc;
}

int report_write(const char *dir, const struct report_part *const *part, const struct graph_table *const *tables,
                 const struct show_reader *reader, int threads, struct err *err)
{
    struct report_document document = { 0 };
    struct explorer        explorer = { 0 };
    struct err             failed = { 0 };
    sqlite3               *db = NULL;
    char                   path[FILE_NAME_MAX];
    int                    rc = file_join(dir, "graph.db", path, err), items = 0;

    if (rc == 0) rc = graph_join(path, tables, &db, err);
    if (rc == 0) rc = report_begin(&document, db, part, err);
    if (rc == 0 && threads > 1) rc = ahead_begin(&document, db, part, err);
    if (rc == 0) {
#pragma omp parallel sections num_threads(threads < 3 ? threads : 3)
        {
#pragma omp section
            rc = document_make(&document, db, part, tables, err);
#pragma omp section
            items = items_make(path, tables, reader, document.mask, &explorer, &failed);
#pragma omp section
            if (document.ahead) ahead_make(path, tables, document.ahead);
        }
    }
    if (rc == 0 && items < 0) *err = failed, rc = items;
    if (rc == 0) rc = explorer_add(&document, &explorer, err);
    explorer_free(&explorer);
    if (rc == 0) rc = report_write_document(&document, dir, threads, err);
    ahead_close(&document);
    report_close(&document);
    graph_close(db);
    return rc;
}
