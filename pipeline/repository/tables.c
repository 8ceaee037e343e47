/* repository/tables.c -- see tables.h. */
#include "repository/tables.h"

#include <stdlib.h>

/* ---- the tables ---- */

#define FIELD(member) offsetof(struct ROW, member)

#define ROW graph_repository
static const struct graph_column repositories_columns[] = {
    { "benchmark", COLUMN_DATASET, FIELD(benchmark), COLUMN_LINE, NULL, "" },
    { "repo", COLUMN_TEXT, FIELD(repo), COLUMN_LINE, NULL, "owner/name in lower case, as it is called now" },
    { "corpus", COLUMN_DATASET, FIELD(corpus), COLUMN_LINE, NULL, "" },
    { "by_name", COLUMN_FLAG, FIELD(by_name), 0, NULL, "1: documents is not 0" },
    { "by_content", COLUMN_FLAG, FIELD(by_content), 0, NULL, "1: exact + near reach repositories.share of files" },
    { "documents", COLUMN_U64, FIELD(documents), COLUMN_LINE, NULL, "of the corpus that say they come from it" },
    { "files", COLUMN_U64, FIELD(files), COLUMN_LINE, NULL,
      "of the benchmark; those of white space alone are not counted" },
    { "exact", COLUMN_U64, FIELD(exact), COLUMN_LINE, NULL, "files that are in the corpus byte by byte" },
    { "near", COLUMN_U64, FIELD(near), COLUMN_LINE, NULL,
      "others with an exact or near pair there; without pass near, that differ in white space alone" },
    { "elsewhere", COLUMN_U64, FIELD(elsewhere), COLUMN_LINE, NULL,
      "of exact + near, those that are there under another repository's name, or under none" },
};
#undef ROW

static const struct graph_check repositories_checks[] = {
    { "a repository has no more files in a corpus than it has",
      "SELECT repo || ' in ' || corpus, exact + near, files FROM repositories WHERE exact + near > files OR "
      "elsewhere > exact + near OR by_name <> (documents > 0)",
      "found (or more elsewhere, or a name without documents)", "files" },
    { NULL, NULL, NULL, NULL },
};

#define COPY_OF \
    "FROM repository_copies AS c WHERE c.benchmark = r.benchmark AND c.repo = r.repo AND c.corpus = r.corpus " \
    "ORDER BY c.rowid LIMIT 1)"

static const struct graph_view repositories_views[] = {
    { "repository_membership",
      "benchmark, corpus, repositories, by_name, by_name_percent, by_content, by_content_percent, either, "
      "either_percent, files, found, found_percent",
      "SELECT benchmark, corpus, count(*), sum(by_name), "
      VIEW_PERCENT("sum(by_name)", "count(*)") ", sum(by_content), "
      VIEW_PERCENT("sum(by_content)", "count(*)") ", sum(by_name OR by_content), "
      VIEW_PERCENT("sum(by_name OR by_content)", "count(*)") ", sum(files), sum(exact + near), "
      VIEW_PERCENT("sum(exact + near)", "sum(files)") " FROM repositories AS r JOIN datasets AS b ON b.id = "
      "r.benchmark JOIN datasets AS c ON c.id = r.corpus GROUP BY b.rowid, c.rowid ORDER BY b.rowid, c.rowid",
      "Repositories of each benchmark that are in each corpus: by name, by content, by either; their files, and those "
      "that are there, exactly or nearly." },
    { "repository_matches",
      "benchmark, repo, corpus, documents, files, exact, near, found_percent, elsewhere, other_repo, other_files",
      "SELECT benchmark, repo, corpus, documents, files, exact, near, " VIEW_PERCENT("exact + near", "files")
      ", elsewhere, (SELECT CASE other_repo WHEN '' THEN '(no repository)' ELSE other_repo END " COPY_OF ", (SELECT "
      "exact + near " COPY_OF " FROM (SELECT * FROM repositories ORDER BY exact + near DESC, documents DESC, rowid "
      "LIMIT -1) AS r",
      "Each repository of a benchmark in each corpus, those with most files there first; other_repo: where most of its "
      "files are under another name." },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_repositories = {
    .name = "repositories", .row_size = sizeof(struct graph_repository), TABLE_COLUMNS(repositories_columns),
    .digest = "R", .views = repositories_views, .checks = repositories_checks,
    .doc = "Pass repositories: each repository of a benchmark in each corpus (a version of a corpus is a dataset of "
           "its own).",
};

#define ROW graph_repository_copy
static const struct graph_column repository_copies_columns[] = {
    { "benchmark", COLUMN_DATASET, FIELD(benchmark), 0, NULL, "" },
    { "repo", COLUMN_TEXT, FIELD(repo), 0, NULL, "" },
    { "corpus", COLUMN_DATASET, FIELD(corpus), 0, NULL, "" },
    { "other_repo", COLUMN_TEXT, FIELD(other), 0, NULL, "'': documents without a repository" },
    { "exact", COLUMN_U64, FIELD(exact), 0, NULL, "" },
    { "near", COLUMN_U64, FIELD(near), 0, NULL, "" },
};
#undef ROW

static const struct graph_check repository_copies_checks[] = {
    { "a repository's files under one other name are among those found elsewhere",
      "SELECT c.repo || ' as ' || c.other_repo, c.exact + c.near, ifnull(r.elsewhere, 0) FROM repository_copies AS "
      "c LEFT JOIN repositories AS r ON r.benchmark = c.benchmark AND r.repo = c.repo AND r.corpus = c.corpus WHERE "
      "c.exact + c.near > ifnull(r.elsewhere, 0) OR c.other_repo = c.repo",
      "files", "found elsewhere" },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_repository_copies = {
    .name = "repository_copies", .row_size = sizeof(struct graph_repository_copy),
    TABLE_COLUMNS(repository_copies_columns),
    .checks = repository_copies_checks,
    .doc = "The other repositories of the corpus that have most of its files, at most repositories.top.",
};

const struct graph_table *const repository_tables[] = { &table_repositories, &table_repository_copies, NULL };

/* ---- their rows ---- */

int graph_add_repositories(struct graph_build *build, const struct repository_result *result, struct err *err)
{
    struct graph_repository      *row = graph_build_own(build, calloc(result->count + 1, sizeof *row));
    struct graph_repository_copy *copy = graph_build_own(build, calloc(result->copy_count + 1, sizeof *copy));
    int                           rc;

    if (!row || !copy) return err_memory(err, result->count * sizeof *row, "repositories");
    for (size_t i = 0; i < result->count; i++) {
        const struct membership *from = &result->row[i];

        row[i] = (struct graph_repository){ .benchmark = from->benchmark, .corpus = from->corpus,
                                            .repo = repository_name(result->index, from->name),
                                            .documents = from->documents, .files = from->files, .exact = from->exact,
                                                .near = from->near,
                                            .elsewhere = from->elsewhere, .by_name = from->documents > 0,
                                                .by_content = from->by_content };
    }
    for (size_t i = 0; i < result->copy_count; i++) {
        const struct membership_copy *from = &result->copy[i];

        copy[i] = (struct graph_repository_copy){ .benchmark = from->benchmark, .corpus = from->corpus,
                                                  .repo = repository_name(result->index, from->name),
                                                  .other = repository_name(result->index, from->other),
                                                      .exact = from->exact, .near = from->near };
    }
    rc = graph_add_rows(build, &table_repositories, row, result->count, err);
    return rc < 0 ? rc : graph_add_rows(build, &table_repository_copies, copy, result->copy_count, err);
}
