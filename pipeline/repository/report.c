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
    "versions",
    "SELECT benchmark, corpus, count(*), sum(by_name), sum(by_name), count(*), sum(by_content), sum(by_content), "
    "count(*), "
    "sum(by_name OR by_content), sum(by_name OR by_content), count(*), sum(files), sum(exact + near), sum(exact + "
    "near), sum(files) "
    "FROM repositories AS r JOIN datasets AS b ON b.id = r.benchmark JOIN datasets AS c ON c.id = r.corpus GROUP BY "
    "b.rowid, c.rowid ORDER BY b.rowid, c.rowid",
    membership_version_columns, 12, false,
};

static const struct query_column membership_one_columns[] = {
    { "benchmark", "benchmark", CELL_NAME }, { "repo", "repository", CELL_NAME }, { "corpus", "corpus", CELL_NAME },
    { "documents", "documents under its name", CELL_COUNT }, { "files", "files", CELL_COUNT },
    { "exact", "exact", CELL_COUNT }, { "near", "near", CELL_COUNT }, { "found_percent", "%", CELL_PERCENT },
    { "elsewhere", "under other names", CELL_COUNT }, { "other_repo", "most of them in", CELL_NAME },
    { "other_files", "files there", CELL_COUNT },
};
static const struct query_table membership_each = {
    "each",
    "SELECT benchmark, repo, corpus, documents, files, exact, near, exact + near, files, elsewhere, "
    "(SELECT CASE other_repo WHEN '' THEN '(no repository)' ELSE other_repo END FROM repository_copies AS c WHERE "
    "c.benchmark = r.benchmark AND c.repo = r.repo "
    "AND c.corpus = r.corpus ORDER BY c.rowid LIMIT 1), "
    "(SELECT exact + near FROM repository_copies AS c WHERE c.benchmark = r.benchmark AND c.repo = r.repo AND "
    "c.corpus = r.corpus ORDER BY c.rowid LIMIT 1), "
    "row_number() OVER (ORDER BY exact + near DESC, documents DESC, rowid) <= 20 AND documents + exact + near > 0 "
    "FROM repositories AS r ORDER BY exact + near DESC, documents DESC, rowid LIMIT 1000",
    membership_one_columns, 11, true,
};

int membership_add(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node *section;
    struct query_rows   rows;
    uint64_t            ran;
    int                 rc = graph_count(db, "SELECT count(*) FROM run WHERE key = 'repositories.share'", &ran, err);

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
