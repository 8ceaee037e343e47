/* repository/report.c -- see report.h. */
#include "repository/report.h"

#include "graph/read.h"
#include "report/query_table.h"

static const struct query_column membership_version_columns[] = {
    { "benchmark", "benchmark", CELL_NAME }, { "corpus", "corpus", CELL_NAME },
    { "repositories", "repositories", CELL_COUNT }, { "by_name", "by name", CELL_COUNT },
    { "by_name_percent", "%", CELL_PERCENT }, { "by_content", "by content", CELL_COUNT },
    { "by_content_percent", "%", CELL_PERCENT }, { "either", "either", CELL_COUNT },
    { "either_percent", "%", CELL_PERCENT }, { "files", "files", CELL_COUNT }, { "found", "found", CELL_COUNT },
    { "found_percent", "%", CELL_PERCENT },
};
static const struct query_table membership_versions = {
    "versions", "repository_membership", membership_version_columns, 12, 0, NULL,
};

static const struct query_column membership_one_columns[] = {
    { "benchmark", "benchmark", CELL_NAME }, { "repo", "repository", CELL_NAME }, { "corpus", "corpus", CELL_NAME },
    { "documents", "documents under its name", CELL_COUNT }, { "files", "files", CELL_COUNT },
    { "exact", "exact", CELL_COUNT }, { "near", "near", CELL_COUNT }, { "found_percent", "%", CELL_PERCENT },
    { "elsewhere", "under other names", CELL_COUNT }, { "other_repo", "most of them in", CELL_NAME },
    { "other_files", "files there", CELL_COUNT },
};
static const struct query_table membership_each = {
    "each", "repository_matches LIMIT 1000", membership_one_columns, 11, 20, "documents + exact + near > 0",
};

int membership_add(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node *section;
    struct query_rows   rows;
    bool                ran;
    int                 rc = graph_run_says(db, "repositories.share", &ran, err);

    if (rc < 0 || !ran) return rc;
    section = report_section(out, out->root, "repositories", SLICE("Repositories of benchmarks in the corpora"));
    report_paragraph(out, section, "By name: a document of the corpus says that it comes from the repository. By "
                                   "content: as many of the repository's files as "
                     "repositories.share asks for are in the corpus, exactly or nearly, whatever repository they are "
                     "said to come from there.");
    rc = query_table_add(out, section, db, &membership_versions, &rows, err);
    if (rc == 0 && rows.all == 0)
        report_paragraph(out, section, "No document of these benchmarks says which repository it comes from.");
    if (rc < 0 || rows.all == 0) return rc;
    rc = query_table_add(out, section, db, &membership_each, &rows, err);
    if (rc == 0)
        report_paragraph(out, section, "The first twenty that were found; all are in table repositories of graph.db, "
                                       "and their files under other names in repository_copies.");
    return rc;
}
