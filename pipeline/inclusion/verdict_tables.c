/* inclusion/verdict_tables.c -- the tables of verdicts; see tables.h and verdict.h. */
#include "inclusion/tables.h"

#define FIELD(member) offsetof(struct ROW, member)

#define ROW graph_inclusion_verdict
#define OVER(category, at) { category, COLUMN_MAYBE_REAL, FIELD(by[at]), 0, NULL, "" }
static const struct graph_column verdict_columns[] = {
    { "model", COLUMN_TEXT, FIELD(model), 0, NULL, "" },
    { "threshold", COLUMN_U32, FIELD(threshold), 0, NULL, "strings, comments and documentation were given back from "
      "this score on" },
    { "repo", COLUMN_TEXT, FIELD(repo), 0, NULL, "of files that name none the first component of the path" },
    { "label", COLUMN_MAYBE, FIELD(label), 0, NULL, "inclusion_files.trained of most of its files, of equals 1" },
    { "clean", COLUMN_FLAG, FIELD(clean), 0, NULL, "1: its files with a label have 0" },
    { "files", COLUMN_U64, FIELD(files), 0, NULL, "with elements" },
    { "clean_files", COLUMN_U64, FIELD(clean_files), 0, NULL, "those of clean repositories that it is compared with" },
    { "clean_repositories", COLUMN_U64, FIELD(clean_repositories), 0, NULL, "" },
    { "rate", COLUMN_MAYBE_REAL, FIELD(rate), 0, NULL, "share of its elements that were given back" },
    { "clean_rate", COLUMN_MAYBE_REAL, FIELD(clean_rate), 0, NULL, "the same of the clean repositories" },
    { "excess", COLUMN_MAYBE_REAL, FIELD(excess), 0, NULL, "mean over its files of hits beyond what their categories "
      "have in all, a share; less that of the clean ones" },
    { "p_files", COLUMN_MAYBE_REAL, FIELD(p_files), 0, NULL, "of as many files drawn from both, how many give back as "
      "much" },
    { "p_repositories", COLUMN_MAYBE_REAL, FIELD(p_repositories), 0, NULL, "its rank among the clean repositories" },
    { "p_spread", COLUMN_MAYBE_REAL, FIELD(p_spread), 0, NULL, "how likely one more clean repository has as much, if "
      "their means are normally distributed" },
    { "p_adjusted", COLUMN_MAYBE_REAL, FIELD(p_adjusted), 0, NULL, "that of inclusion.test, adjusted for all of a "
      "model and threshold that are tested (Holm); NULL of clean ones" },
    { "decidable", COLUMN_FLAG, FIELD(decidable), 0, NULL, "1: there are files and draws enough for the least p to be "
      "at most inclusion.level when adjusted" },
    { "verdict", COLUMN_KEY, FIELD(verdict), 0, NULL, "trained: p_adjusted is at most inclusion.level; not shown; "
      "clean; untested: there is no p" },
    { "decides", COLUMN_FLAG, FIELD(decides), 0, NULL, "1: of inclusion.threshold, which reports and gates take" },
    { "class", COLUMN_MAYBE_REAL, FIELD(by[0]), 0, NULL, "share of classes that were given back, less that of the "
      "clean ones; so are the others: the largest give it away" },
    OVER("function", 1), OVER("variable", 2), OVER("string", 3), OVER("comment", 4), OVER("docstring", 5),
};
#undef ROW

#define TEST(name, p) \
    "SELECT rowid AS place, model, threshold, decides, clean, label, '" name "' AS test, " p " AS p FROM " \
    "inclusion_verdicts WHERE " p " IS NOT NULL"

static const struct graph_view verdict_views[] = {
    { "inclusion_errors", "model, threshold, decides, test, level, clean, wrong, trained, found",
      "SELECT model, threshold, decides, test, level, sum(clean), sum(clean AND p <= level), sum(label IS 1), "
      "sum(label IS 1 AND p <= level) FROM (" TEST("files", "p_files") " UNION ALL " TEST("repositories",
      "p_repositories") " UNION ALL " TEST("spread", "p_spread") ") JOIN (SELECT 0.05 AS level UNION "
      "ALL VALUES (0.01)) GROUP BY model, threshold, test, level ORDER BY min(place), test, level DESC",
      "How often a test is wrong and right: of clean repositories, each against the others, those with a p at most so "
      "large, and of those known to be trained on." },
    { NULL, NULL, NULL, NULL },
};

static const struct graph_check verdict_checks[] = {
    { "a repository is said to be trained on where its adjusted p is at most the level",
      "SELECT v.model || ' ' || v.repo, v.verdict = 'trained' AS said, NOT v.clean AND ifnull(v.p_adjusted, 1) <= "
      "r.value + 1e-12 AS right FROM inclusion_verdicts AS v, run AS r WHERE r.key = 'inclusion.level' AND said <> "
      "right", "(1: yes)", "by its p" },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_inclusion_verdicts = {
    .name = "inclusion_verdicts", .row_size = sizeof(struct graph_inclusion_verdict), TABLE_COLUMNS(verdict_columns),
    .views = verdict_views, .checks = verdict_checks,
    .doc = "What the answers say of each repository, by model and threshold (inclusion): tests against repositories "
           "that the models cannot have been trained on.  No rows where there are none.",
};
