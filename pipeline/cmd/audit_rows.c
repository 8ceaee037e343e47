/* cmd/audit_rows.c -- see audit_rows.h. */
#include "cmd/audit_rows.h"

#include "audit/words.h"
#include "base/file.h"
#include "cmd/folder.h"
#include "config/capabilities.h"
#include "graph/pool.h"
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

/* Answers of a model; texts lie in the pool. */
struct answers { struct audit_answer *at; size_t count, room; struct pool pool; };

static int answer_keep(struct answers *to, struct slice role, struct audit_answer a, struct err *err)
{
    int rc = pool_copy(&to->pool, a.objective, &a.objective);

    while (a.category < AUDIT_DOCSTRING && !slice_equal(role, slice_of(audit_category_names[a.category]))) a.category++;
    if (rc == 0) rc = pool_copy(&to->pool, a.output, &a.output);
    if (rc == 0 && a.file.at) rc = pool_copy(&to->pool, a.file, &a.file);
    if (rc == 0 && a.repository.at) rc = pool_copy(&to->pool, a.repository, &a.repository);
    if (rc == 0) rc = ARRAY_GROW(to->at, to->room, to->count);
    if (rc == 0) to->at[to->count++] = a;
    return rc == 0 ? 0 : err_memory(err, to->room * sizeof a, "answers");
}

static void answers_free(struct answers *answers)
{
    free(answers->at);
    pool_free(&answers->pool);
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

/* As the released code makes them of its answers, by files: theirs lie below OWNER/REPOSITORY, and so does a record's
 * below its repository, or one path in two would be one file, and the folder that it begins with the repository. */
static int published_rows_of(sqlite3 *db, struct slice model, int64_t threshold, struct audit_features *out,
                             struct err *err)
{
    static const char sql[] =
        "SELECT a.role, iif(ifnull(f.repo, '') = '', f.path, f.repo || '/' || f.path), f.repo, a.wanted, a.output, "
        "a.score >= iif(a.role IN ('class', 'function', 'variable'), 100, ?2), ifnull(f.trained, -1) FROM "
        "inclusion_answers AS a JOIN inclusion_files AS f ON f.id = a.file WHERE a.model = ?1 AND a.score IS NOT NULL "
        "ORDER BY a.rowid";
    struct answers answers = { .count = 0 };
    sqlite3_stmt  *query = NULL;
    int            rc = graph_prepare(db, &query, sql, err);

    if (rc == 0) rc = graph_bind_text(query, 1, model, err);
    if (rc == 0) rc = graph_bind_number(query, 2, threshold, err);
    while (rc == 0 && (rc = graph_step(query, err)) > 0) {
        struct slice repository = graph_text(query, 2);

        if (repository.len == 0) repository.at = NULL;
        rc = answer_keep(&answers, graph_text(query, 0), (struct audit_answer){
            .file = graph_text(query, 1), .repository = repository, .objective = graph_text(query, 3),
            .output = graph_text(query, 4), .hit = graph_number(query, 5) > 0, .label = (int)graph_number(query, 6) },
            err);
    }
    graph_finish(query);
    if (rc == 0) rc = audit_features_of(out, answers.at, answers.count, true, err);
    answers_free(&answers);
    return rc;
}

static int name_row(struct audit_rows *row, struct slice model, uint64_t threshold, struct err *err)
{
    const int len = snprintf(row->name, sizeof row->name, "%.*s-%llu", (int)(model.len < 4096 ? model.len : 4096),
                             model.at, (unsigned long long)threshold);

    return len < (int)sizeof row->name ? 0
        : err_set(err, -EINVAL, "model `%.40s...` has a name of more than 200 bytes", row->name);
}

int audit_rows_read(const char *path, bool published, struct audit_rows **out, size_t *count, struct err *err)
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
            rc = (published ? published_rows_of : rows_of)(db, graph_text(query, 0), (int64_t)graph_number(query, 1),
                                                            &row->features, err);
    }
    graph_finish(query);
    graph_close(db);
    return rc;
}

/* ---- what gives repositories away ---- */

static int tell_elements(sqlite3 *db, struct report_document *out, struct err *err)
{
    static const char sql[] =
        "SELECT model, repo, role, path, line, wanted FROM inclusion_given_away WHERE place <= 5";
    static const struct report_column column[] = {
        { "model", "model" }, { "repository", "repository" }, { "category", "category" }, { "file", "file" },
        { "line", "line" }, { "element", "element" },
    };
    struct report_node *section, *table;
    sqlite3_stmt       *query = NULL;
    int                 rc;

    section = report_section(out, out->root, "given_away", SLICE("What gives repositories away"));
    report_paragraph(out, section, "The longest elements of each repository that a model gave back to the last "
                                   "character, and that it gave back of no file of label 0.");
    table = report_table(out, section, "elements", column, sizeof column / sizeof *column);
    rc = graph_prepare(db, &query, sql, err);
    while (rc == 0 && (rc = graph_step(query, err)) > 0) {
        report_row(out, table, (struct report_cell[]){
            report_cell_name(graph_text(query, 0)), report_cell_name(graph_text(query, 1)),
            report_cell_text(graph_text(query, 2)), report_cell_name(graph_text(query, 3)),
            report_cell_count(graph_number(query, 4)), report_cell_name(graph_text(query, 5)) });
        rc = 0;
    }
    graph_finish(query);
    return rc;
}

/* ---- names that were missed ---- */

/* A model's answers for names of files with the label. */
static int answers_read(sqlite3 *db, struct slice model, int label, struct answers *out, struct err *err)
{
    static const char sql[] = "SELECT a.role, a.wanted, a.output, a.score = 100 FROM inclusion_answers AS a JOIN "
                              "inclusion_files AS f ON f.id = a.file WHERE a.model = ?1 AND f.trained = ?2 AND a.score "
                              "IS NOT NULL AND a.role IN ('class', 'function', 'variable')";
    sqlite3_stmt     *query = NULL;
    int               rc = graph_prepare(db, &query, sql, err);

    if (rc == 0) rc = graph_bind_text(query, 1, model, err);
    if (rc == 0) rc = graph_bind_number(query, 2, label, err);
    while (rc == 0 && (rc = graph_step(query, err)) > 0)
        rc = answer_keep(out, graph_text(query, 0), (struct audit_answer){
            .objective = graph_text(query, 1), .output = graph_text(query, 2), .hit = graph_number(query, 3) > 0,
            .label = label }, err);
    graph_finish(query);
    return rc;
}

static int tell_model(sqlite3 *db, struct slice model, bool published, struct report_document *out,
                      struct report_node *table, struct err *err)
{
    struct audit_missed missed[AUDIT_VARIABLE + 1][AUDIT_LIMITS];
    int                 rc = 0;

    for (int label = 1; label >= 0 && rc == 0; label--) {
        struct answers answers = { .count = 0 };

        rc = answers_read(db, model, label, &answers, err);
        if (rc == 0) rc = audit_missed_count(answers.at, answers.count, published, missed, err);
        for (int n = 0; n < (AUDIT_VARIABLE + 1) * AUDIT_LIMITS && rc == 0 && answers.count; n++) {
            const struct audit_missed m = missed[n / AUDIT_LIMITS][n % AUDIT_LIMITS];

            report_row(out, table, (struct report_cell[]){
                report_cell_name(model), report_cell_count((uint64_t)label),
                report_cell_text(slice_of(audit_category_names[n / AUDIT_LIMITS])),
                report_cell_share(audit_limits[n % AUDIT_LIMITS]), report_cell_count(m.looked_at),
                report_cell_count(m.said), report_cell_percent(m.said, m.looked_at) });
        }
        answers_free(&answers);
    }
    return rc;
}

static int tell_missed(sqlite3 *db, bool published, struct report_document *out, struct err *err)
{
    static const struct report_column column[] = {
        { "model", "model" }, { "label", "label" }, { "category", "category" }, { "limit", "frequency at most" },
        { "missed", "names missed" }, { "said", "among the answer's words" }, { "percent", "%" },
    };
    static const char   sql[] = "SELECT DISTINCT model FROM inclusion_answers ORDER BY model";
    struct report_node *section, *table;
    sqlite3_stmt       *query = NULL;
    int                 rc = graph_prepare(db, &query, sql, err);

    section = report_section(out, out->root, "names_missed", SLICE("Names that were not given back"));
    report_paragraph(out, section, "Of files of label 1 and 0, the names whose words are at most so frequent among all "
                                   "that were missed: how many stand in the answer all the same.  None does where "
                                   "answers were cut to the name that they begin with (elements: exact).");
    table = report_table(out, section, "missed", column, sizeof column / sizeof *column);
    while (rc == 0 && (rc = graph_step(query, err)) > 0)
        rc = tell_model(db, graph_text(query, 0), published, out, table, err);
    graph_finish(query);
    return rc;
}

int audit_rows_tell(const char *path, bool published, struct report_document *out, struct err *err)
{
    sqlite3 *db;
    int      rc = open_graph(path, &db, err);

    if (rc == 0) rc = tell_elements(db, out, err);
    if (rc == 0) rc = tell_missed(db, published, out, err);
    graph_close(db);
    return rc;
}
