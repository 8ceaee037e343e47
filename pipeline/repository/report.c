/* repository/report.c -- see report.h. */
#include "repository/report.h"

#include "graph/read.h"
#include "report/query_table.h"

static const struct report_column membership_version_columns[] = {
    { "benchmark", "benchmark" }, { "corpus", "corpus" }, { "repositories", "repositories" }, { "by_name", "by name" },
    { "by_name_percent", "%" },
    { "by_content", "by content" }, { "by_content_percent", "%" }, { "either", "either" }, { "either_percent", "%" },
    { "files", "files" }, { "found", "found" }, { "found_percent", "%" },
};
static const enum query_column membership_version_types[] = {
    COLUMN_NAME, COLUMN_NAME, COLUMN_COUNT, COLUMN_COUNT, COLUMN_PERCENT, COLUMN_COUNT, COLUMN_PERCENT, COLUMN_COUNT,
        COLUMN_PERCENT,
    COLUMN_COUNT, COLUMN_COUNT, COLUMN_PERCENT,
};
static const struct query_table membership_versions = {
    "versions",
    "SELECT benchmark, corpus, count(*), sum(by_name), sum(by_name), count(*), sum(by_content), sum(by_content), "
    "count(*), "
    "sum(by_name OR by_content), sum(by_name OR by_content), count(*), sum(files), sum(exact + near), sum(exact + "
    "near), sum(files) "
    "FROM repositories AS r JOIN datasets AS b ON b.id = r.benchmark JOIN datasets AS c ON c.id = r.corpus GROUP BY "
    "b.rowid, c.rowid ORDER BY b.rowid, c.rowid",
    membership_version_columns, membership_version_types, 12, false,
};

static const struct report_column membership_one_columns[] = {
    { "benchmark", "benchmark" }, { "repo", "repository" }, { "corpus", "corpus" },
    { "documents", "documents under its name" }, { "files", "files" },
    { "exact", "exact" }, { "near", "near" }, { "found_percent", "%" }, { "elsewhere", "under other names" },
    { "other_repo", "most of them in" },
    { "other_files", "files there" },
};
static const enum query_column membership_one_types[] = {
    COLUMN_NAME, COLUMN_NAME, COLUMN_NAME, COLUMN_COUNT, COLUMN_COUNT, COLUMN_COUNT, COLUMN_COUNT, COLUMN_PERCENT,
        COLUMN_COUNT, COLUMN_NAME, COLUMN_COUNT,
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
    membership_one_columns, membership_one_types, 11, true,
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
