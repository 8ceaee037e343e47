/* page/report_write.c -- see report_write.h. */
#include "page/report_write.h"

#include "base/file.h"
#include "graph/read.h"
#include "page/explorer.h"
#include "page/page.h"

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

int report_write_document(const struct report_document *document, const char *dir, struct err *err)
{
    int rc = 0;

    for (size_t i = 0; i < REPORT_WRITE_FILES && rc == 0; i++) rc = write_as(document, dir, i, err);
    return rc;
}

int report_write(const char *dir, const struct report_part *const *part, const struct graph_table *const *tables,
                 const struct show_reader *reader, struct err *err)
{
    struct report_document document = { 0 };
    sqlite3               *db = NULL;
    char                   path[FILE_NAME_MAX];
    int                    rc = file_join(dir, "graph.db", path, err);

    if (rc == 0) rc = graph_open(&db, path, err);
    if (rc == 0) rc = graph_define_views(db, tables, err);
    if (rc == 0) rc = graph_settle_views(db, tables, err);
    if (rc == 0) rc = report_build(&document, db, part, err);
    if (rc == 0) rc = explorer_add(&document, db, reader, err);
    if (rc == 0) rc = report_write_document(&document, dir, err);
    report_close(&document);
    graph_close(db);
    return rc;
}
