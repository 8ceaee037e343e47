/* cmd/audit_rows.c -- see audit_rows.h. */
#include "cmd/audit_rows.h"

#include "base/file.h"
#include "cmd/folder.h"
#include "config/capabilities.h"
#include "graph/read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool audit_rows_is_run(const char *path)
{
    const size_t len = strlen(path);
    struct stat  is;

    return (stat(path, &is) == 0 && S_ISDIR(is.st_mode)) || (len >= 3 && strcmp(path + len - 3, ".db") == 0);
}

static int open_graph(const char *path, sqlite3 **db, struct err *err)
{
    char     graph[FILE_NAME_MAX];
    uint64_t answers = 0;
    int      rc = folder_find_graph(path, graph, err);

    *db = NULL;
    if (rc == 0) rc = graph_open(db, graph, err);
    if (rc == 0) rc = graph_define_views(*db, capability_tables(), err);
    if (rc == 0) rc = graph_count(*db, "SELECT count(*) FROM inclusion_answers", &answers, err);
    if (rc == 0 && answers == 0)
        rc = err_set(err, -EINVAL, "%s: this run has asked no model for elements of files (`inclusion` in "
                                   "pipeline.yaml)", graph);
    return rc;
}

/* ---- rows ---- */

enum { FIRST = 1, LABEL = FIRST + 2 * AUDIT_CATEGORIES, REPOSITORY };

static int rows_of(sqlite3 *db, struct slice model, int64_t threshold, struct audit_features *out, struct err *err)
{
    static const char sql[] =
        "SELECT file, class_hits, class_nums_total, function_hits, function_nums_total, variable_hits, "
        "variable_nums_total, string_hits, string_nums_total, comment_hits, comment_nums_total, docstring_hits, "
        "docstring_nums_total, trained_on, repository FROM inclusion_features WHERE model = ?1 AND threshold = ?2";
    sqlite3_stmt *query = NULL;
    int           rc = graph_prepare(db, &query, sql, err);

    if (rc == 0) rc = graph_bind_text(query, 1, model, err);
    if (rc == 0) rc = graph_bind_number(query, 2, threshold, err);
    while (rc == 0 && (rc = graph_step(query, err)) > 0) {
        double       hits[AUDIT_CATEGORIES], total[AUDIT_CATEGORIES];
        struct slice repository = graph_text(query, REPOSITORY);
        const bool   told = sqlite3_column_type(query, LABEL) != SQLITE_NULL;

        for (int c = 0; c < AUDIT_CATEGORIES; c++) {
            hits[c] = graph_real(query, FIRST + 2 * c);
            total[c] = graph_real(query, FIRST + 2 * c + 1);
        }
        if (repository.len == 0) repository.at = NULL;
        rc = audit_features_add(out, graph_text(query, 0), repository, hits, total,
                                told ? graph_number(query, LABEL) > 0 : -1, err);
    }
    graph_finish(query);
    return rc;
}

static int name_row(struct audit_rows *row, struct slice model, uint64_t threshold, struct err *err)
{
    const int len = snprintf(row->name, sizeof row->name, "%.*s-%llu", (int)(model.len < 4096 ? model.len : 4096),
                             model.at, (unsigned long long)threshold);

    return len < (int)sizeof row->name ? 0
        : err_set(err, -EINVAL, "model `%.40s...` has a name of more than 48 bytes", row->name);
}

int audit_rows_read(const char *path, struct audit_rows **out, size_t *count, struct err *err)
{
    static const char sql[] = "SELECT DISTINCT model, threshold FROM inclusion_features ORDER BY model, threshold";
    sqlite3          *db;
    sqlite3_stmt     *query = NULL;
    size_t            room = 0;
    int               rc = open_graph(path, &db, err);

    *out = NULL;
    *count = 0;
    if (rc == 0) rc = graph_prepare(db, &query, sql, err);
    while (rc == 0 && (rc = graph_step(query, err)) > 0) {
        struct audit_rows *row;

        if (ARRAY_GROW(*out, room, *count) < 0) {
            rc = err_memory(err, room * sizeof *row, "rows of a run");
            break;
        }
        row = &(*out)[(*count)++];
        *row = (struct audit_rows){ .name = "" };
        rc = name_row(row, graph_text(query, 0), graph_number(query, 1), err);
        if (rc == 0)
            rc = rows_of(db, graph_text(query, 0), (int64_t)graph_number(query, 1), &row->features, err);
    }
    graph_finish(query);
    graph_close(db);
    return rc;
}

/* ---- what gives repositories away ---- */

int audit_rows_tell(const char *path, struct report_document *out, struct err *err)
{
    static const char sql[] =
        "SELECT model, repo, role, path, line, wanted FROM (SELECT a.model, f.repo, a.role, f.path, a.line, a.wanted, "
        "row_number() OVER (PARTITION BY a.model, f.repo ORDER BY length(a.wanted) DESC, a.wanted, f.path, a.line) AS "
        "place FROM inclusion_answers AS a JOIN inclusion_files AS f ON f.id = a.file WHERE a.score = 100 AND "
        "f.trained IS NOT 0 AND (a.model, a.wanted) NOT IN (SELECT b.model, b.wanted FROM inclusion_answers AS b JOIN "
        "inclusion_files AS g ON g.id = b.file WHERE b.score = 100 AND g.trained = 0)) WHERE place <= 5 "
        "ORDER BY model, repo, place";
    static const struct report_column column[] = {
        { "model", "model" }, { "repository", "repository" }, { "category", "category" }, { "file", "file" },
        { "line", "line" }, { "element", "element" },
    };
    struct report_node *section, *table;
    sqlite3            *db;
    sqlite3_stmt       *query = NULL;
    int                 rc = open_graph(path, &db, err);

    section = report_section(out, out->root, "given_away", SLICE("What gives repositories away"));
    report_paragraph(out, section, "The longest elements of each repository that a model gave back to the last "
                                   "character, and that it gave back of no file of label 0.");
    table = report_table(out, section, "elements", column, sizeof column / sizeof *column);
    if (rc == 0) rc = graph_prepare(db, &query, sql, err);
    while (rc == 0 && (rc = graph_step(query, err)) > 0) {
        report_row(out, table, (struct report_cell[]){
            report_cell_name(graph_text(query, 0)), report_cell_name(graph_text(query, 1)),
            report_cell_text(graph_text(query, 2)), report_cell_name(graph_text(query, 3)),
            report_cell_count(graph_number(query, 4)), report_cell_name(graph_text(query, 5)) });
        rc = 0;
    }
    graph_finish(query);
    graph_close(db);
    return rc;
}
