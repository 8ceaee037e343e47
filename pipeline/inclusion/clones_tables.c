/* inclusion/clones_tables.c -- the tables of functions and their clones; see clones.h. */
#include "inclusion/clones.h"

#define FIELD(member) offsetof(struct ROW, member)

#define ROW graph_inclusion_function
static const struct graph_column function_columns[] = {
    { "file", COLUMN_ID, FIELD(file), 0, "inclusion_files", "" },
    { "model", COLUMN_TEXT, FIELD(model), 0, NULL, "its name in probe.models" },
    { "line", COLUMN_U32, FIELD(line), 0, NULL, "where the function begins, from 1" },
    { "type", COLUMN_OPTIONAL, FIELD(type), 0, NULL, "of clone: 1, 2c, 2, 3; NULL: it was not given back" },
    { "alike", COLUMN_MAYBE_REAL, FIELD(alike), 0, NULL, "1 - dissimilarity of type 3 of the second halves, 1 of the "
      "other types (published: of the whole); NULL: the model has no room for it" },
    { "elsewhere", COLUMN_U64, FIELD(elsewhere), 0, NULL, "functions of other repositories that the function is a "
      "clone of" },
    { "others", COLUMN_U64, FIELD(others), 0, NULL, "functions of other files that what the model wrote is a clone "
      "of" },
    { "counts", COLUMN_FLAG, FIELD(counts), 0, NULL, "1: it was asked for, and is in one repository alone (published: "
      "or in more)" },
    { "wanted", COLUMN_TEXT, FIELD(wanted), 0, NULL, "the second half of its lines" },
    { "output", COLUMN_TEXT, FIELD(output), 0, NULL, "what the model wrote, and beyond the function's end" },
};
#undef ROW

const struct graph_table table_inclusion_functions = {
    .name = "inclusion_functions", .row_size = sizeof(struct graph_inclusion_function), TABLE_COLUMNS(function_columns),
    .doc = "Functions whose second half models were asked for (inclusion.ask: functions).",
};

#define ROW graph_inclusion_clone
static const struct graph_column clone_columns[] = {
    { "model", COLUMN_TEXT, FIELD(model), 0, NULL, "" },
    { "repo", COLUMN_TEXT, FIELD(repo), 0, NULL, "of files that name none the first component of the path" },
    { "label", COLUMN_MAYBE, FIELD(label), 0, NULL, "inclusion_files.trained of most of its files, of equals 1; "
      "published: 1 where a file has it" },
    { "clean", COLUMN_FLAG, FIELD(clean), 0, NULL, "1: its files with a label have 0" },
    { "files", COLUMN_U64, FIELD(files), 0, NULL, "with functions that count" },
    { "functions", COLUMN_U64, FIELD(functions), 0, NULL, "that count" },
    { "back", COLUMN_U64, FIELD(back), 0, NULL, "of them given back, as clones of any type" },
    { "type_1", COLUMN_U64, FIELD(type[CLONE_TYPE_1]), 0, NULL, "of type 1" },
    { "type_2c", COLUMN_U64, FIELD(type[CLONE_TYPE_2C]), 0, NULL, "" },
    { "type_2", COLUMN_U64, FIELD(type[CLONE_TYPE_2]), 0, NULL, "" },
    { "type_3", COLUMN_U64, FIELD(type[CLONE_TYPE_3]), 0, NULL, "" },
    { "clean_repositories", COLUMN_U64, FIELD(clean_repositories), 0, NULL, "that it is compared with" },
    { "rate", COLUMN_MAYBE_REAL, FIELD(rate), 0, NULL, "share of its functions that were given back" },
    { "clean_rate", COLUMN_MAYBE_REAL, FIELD(clean_rate), 0, NULL, "the same of the clean repositories" },
    { "p_files", COLUMN_MAYBE_REAL, FIELD(p_files), 0, NULL, "as in inclusion_verdicts, of functions alone" },
    { "p_spread", COLUMN_MAYBE_REAL, FIELD(p_spread), 0, NULL, "" },
    { "trained", COLUMN_FLAG, FIELD(said), 0, NULL, "1: said to be trained on: rate is above inclusion.functions_back; "
      "published: a class of clones tells it" },
};
#undef ROW

static const struct graph_check clone_checks[] = {
    { "repositories have the functions that were given back",
      "SELECT model || ' ' || repo, back, type_1 + type_2c + type_2 + type_3 AS typed FROM inclusion_clones WHERE "
      "typed <> back OR back > functions", "of them", "by type" },
    { "a repository is said to be trained on where more than a share of its functions is given back",
      "SELECT c.model || ' ' || c.repo, c.trained, c.rate > share.value + 1e-12 AS right FROM inclusion_clones AS c, "
      "run AS share, run AS how WHERE share.key = 'inclusion.functions_back' AND how.key = 'inclusion.elements' AND "
      "how.value = 'exact' AND c.trained <> right", "(1: yes)", "by its share" },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_inclusion_clones = {
    .name = "inclusion_clones", .row_size = sizeof(struct graph_inclusion_clone), TABLE_COLUMNS(clone_columns),
    .checks = clone_checks,
    .doc = "What functions that models gave back say of each repository; the baseline beside inclusion_verdicts.",
};

#define ROW graph_inclusion_score
static const struct graph_column score_columns[] = {
    { "model", COLUMN_TEXT, FIELD(model), 0, NULL, "" },
    { "type", COLUMN_KEY, FIELD(classifier), 0, NULL, "clones of this type, and of stricter ones, count as given "
      "back" },
    INCLUSION_SCORES,
};
#undef ROW

static const struct graph_check score_checks[] = {
    { "scores of repositories are of those with a label",
      "SELECT s.model || ' ' || s.type, s.tp + s.fp + s.tn + s.fn AS counted, (SELECT count(label) FROM "
      "inclusion_clones AS c WHERE c.model = s.model) AS labelled FROM inclusion_clone_scores AS s WHERE counted <> "
      "labelled", "repositories", "in inclusion_clones" },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_inclusion_clone_scores = {
    .name = "inclusion_clone_scores", .row_size = sizeof(struct graph_inclusion_score), TABLE_COLUMNS(score_columns),
    .checks = score_checks, .doc = "How good that is, where labels are known: repositories.",
};
