/* cmd/audit_licence_lines.c -- see audit_licence_lines.h. */
#include "cmd/audit_licence_lines.h"

#include "base/file.h"
#include "base/log.h"
#include "config/capabilities.h"
#include "graph/read.h"
#include "report/visible.h"

#include <errno.h>
#include <string.h>

enum { REJECTS_SAID = 5 };

#define SHARE(column) "iif(" column " IS NULL, '', printf('%.4f', " column "))"

static const char pairs_sql[] =
    "SELECT answers_of AS \"group\", name AS id, printf('%.6f', bleu) AS bleu, printf('%.6f', jaccard) AS jaccard, "
    "printf('%.6f', edit) AS edit, printf('%.6f', most) AS most, comments_shared, lines, complexity, striking, "
    "license, license_class AS type, named, iif(license IS NULL, NULL, ifnull(named_right, 0)) AS \"right\" FROM "
    "compliance_pairs";
static const char groups_sql[] =
    "SELECT answers_of AS \"group\", answers, benchmark, striking, printf('%.2f', percent) AS percent, "
    SHARE("accuracy") " AS accuracy, permissive, " SHARE("accuracy_permissive") " AS accuracy_permissive, copyleft, "
    SHARE("accuracy_copyleft") " AS accuracy_copyleft, iif(lico IS NULL, '', printf('%.3f', lico)) AS lico FROM "
    "compliance_models";

/* A line of the columns' names, a line a row.  0, or <0 with err set. */
static int lines_make(sqlite3 *db, const char *sql, struct bytes *out, struct err *err)
{
    sqlite3_stmt *query = NULL;
    int           rc = graph_prepare(db, &query, sql, err);
    const int     columns = rc == 0 ? sqlite3_column_count(query) : 0;

    out->len = 0;
    for (int c = 0; c < columns && rc == 0; c++)
        if (bytes_printf(out, "%s%c", sqlite3_column_name(query, c), c + 1 < columns ? '\t' : '\n') < 0)
            rc = err_memory(err, out->len, "lines");
    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        rc = 0;
        for (int c = 0; c < columns && rc == 0; c++)
            if (visible_append(out, graph_text(query, c), true) < 0 ||
                bytes_append(out, c + 1 < columns ? "\t" : "\n", 1) < 0) rc = err_memory(err, out->len, "lines");
    }
    graph_finish(query);
    return rc;
}

/* -EBADMSG where there are some. */
static int rejects_tell(sqlite3 *db, struct err *err)
{
    static const char sql[] = "SELECT h.dataset, h.shard, record, detail FROM rejects AS h ORDER BY h.rowid LIMIT ?1";
    sqlite3_stmt     *query = NULL;
    uint64_t          count = 0;
    int               rc = graph_count(db, "SELECT value FROM run WHERE key = 'rejected'", &count, err);

    if (rc < 0 || !count) return rc;
    rc = graph_prepare(db, &query, sql, err);
    if (rc == 0) rc = graph_bind_number(query, 1, REJECTS_SAID, err);
    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        const struct slice shard = graph_text(query, 1), detail = graph_text(query, 3);

        log_warn("%.*s: record %llu: %.*s", (int)shard.len, shard.at, (unsigned long long)graph_number(query, 2),
                 (int)detail.len, detail.at);
        rc = 0;
    }
    graph_finish(query);
    return rc < 0 ? rc : err_set(err, -EBADMSG, "audit licence: %llu record%s could not be read%s",
                                 (unsigned long long)count, count == 1 ? "" : "s",
                                 count > REJECTS_SAID ? ", of which the first are listed" : "");
}

static int graph_of(const char *folder, sqlite3 **db, struct err *err)
{
    char path[FILE_NAME_MAX];
    int  rc = file_join(folder, "graph.db", path, err);

    *db = NULL;
    if (rc == 0) rc = graph_open(db, path, err);
    return rc < 0 ? rc : graph_define_views(*db, capability_tables(), err);
}

const char *const audit_licence_files[AUDIT_LICENCE_FILES] = { "pairs.tsv", "summary.tsv" };

int audit_licence_write(void *context, const char *folder, struct err *err)
{
    static const char *const sql[AUDIT_LICENCE_FILES] = { pairs_sql, groups_sql };
    struct bytes out = { 0 };
    sqlite3     *db;
    char         path[FILE_NAME_MAX];
    int          rc = graph_of(folder, &db, err);

    (void)context;
    for (size_t f = 0; f < AUDIT_LICENCE_FILES && rc == 0; f++) {
        rc = lines_make(db, sql[f], &out, err);
        if (rc == 0) rc = file_join(folder, audit_licence_files[f], path, err);
        if (rc == 0) rc = file_write(path, bytes_slice(&out), err);
    }
    if (rc == 0) rc = rejects_tell(db, err);
    graph_close(db);
    bytes_free(&out);
    return rc;
}

int audit_licence_print(void *context, const char *folder, struct err *err)
{
    struct bytes out = { 0 };
    sqlite3     *db;
    int          rc = graph_of(folder, &db, err);

    (void)context;
    if (rc == 0) rc = lines_make(db, pairs_sql, &out, err);
    if (rc == 0 && out.len && fwrite(out.at, 1, out.len, stdout) != out.len)
        rc = err_set(err, -EIO, "standard output: cannot write: %s", strerror(errno));
    if (rc == 0) rc = rejects_tell(db, err);
    graph_close(db);
    bytes_free(&out);
    return rc < 0 ? rc : 1;
}
