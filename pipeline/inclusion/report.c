/* inclusion/report.c -- see report.h. */
#include "inclusion/report.h"

#include "graph/read.h"
#include "report/query_table.h"

static const struct query_column repository_columns[] = {
    { "model", "model", CELL_NAME }, { "repo", "repository", CELL_NAME }, { "trained", "trained on", CELL_COUNT },
    { "files", "files", CELL_COUNT }, { "names", "names asked", CELL_COUNT },
    { "names_hit", "% right", CELL_PERCENT }, { "texts", "strings, comments", CELL_COUNT },
    { "mean_score", "mean score", CELL_PERCENT },
};
static const struct query_table repositories = {
    "repositories", "inclusion_repositories", repository_columns, 8, 0, NULL,
};

/* Long answers that are right: hardly anybody says them by chance. */
static const struct query_column telling_columns[] = {
    { "model", "model", CELL_NAME }, { "path", "file", CELL_NAME }, { "line", "line", CELL_COUNT },
    { "role", "element", CELL_NAME }, { "wanted", "what stands there", CELL_NAME },
};
static const struct query_table telling = {
    "telling",
    "(SELECT a.model, f.path, a.line, a.role, substr(a.wanted, 1, 100) AS wanted FROM inclusion_answers AS a JOIN "
    "inclusion_files AS f ON f.id = a.file WHERE a.score = 100 AND a.role IN ('string', 'comment', 'docstring') "
    "ORDER BY length(a.wanted) DESC, a.rowid LIMIT 20)", telling_columns, 5, 0, NULL,
};

int inclusion_add(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node *section;
    struct query_rows   rows;
    uint64_t            asked;
    int                 rc = graph_count(db, "SELECT EXISTS (SELECT 1 FROM inclusion_files)", &asked, err);

    if (rc < 0 || !asked) return rc;
    section = report_section(out, out->root, "inclusion", SLICE("Were these files in the training data?"));
    report_paragraph(out, section, "Models were shown what stands around names, strings, comments and documentation of "
                     "the files, and asked for each (Majdinasab et al. 2024).  A name counts when it is right; the "
                     "score of others says how alike the answer is, 0 to 100.  A model gives back some of any file: "
                     "compare with files that it cannot know.  View inclusion_features has the numbers of each file, "
                     "for `leakgraph audit verdict`.");
    rc = query_table_add(out, section, db, &repositories, &rows, err);
    if (rc == 0) report_paragraph(out, section, "The longest answers that are right to the last character:");
    return rc < 0 ? rc : query_table_add(out, section, db, &telling, &rows, err);
}
