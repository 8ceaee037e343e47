/* inclusion/report.c -- see report.h. */
#include "inclusion/report.h"

#include "graph/read.h"
#include "report/query_table.h"

static const struct query_column repository_columns[] = {
    { "model", "model", CELL_NAME }, { "repo", "repository", CELL_NAME }, { "trained", "trained on", CELL_TEXT },
    { "files", "files", CELL_COUNT }, { "names", "names asked", CELL_COUNT },
    { "names_hit", "% right", CELL_PERCENT }, { "texts", "strings, comments", CELL_COUNT },
    { "mean_score", "mean score", CELL_PERCENT },
};
static const struct query_table repositories = {
    "repositories", "inclusion_repositories", repository_columns, 8, 0, NULL,
};

/* Long answers that are right: hardly anybody says them by chance. */
static const struct query_column telling_columns[] = {
    { "model", "model", CELL_NAME }, { "path", "file", CELL_NAME }, { "line", "line", CELL_ID },
    { "role", "element", CELL_NAME }, { "wanted", "what stands there", CELL_NAME },
};
static const struct query_table telling = {
    "telling",
    "(SELECT a.model, f.path, a.line, a.role, substr(a.wanted, 1, 100) AS wanted FROM inclusion_answers AS a JOIN "
    "inclusion_files AS f ON f.id = a.file WHERE a.score = 100 AND a.role IN ('string', 'comment', 'docstring') "
    "ORDER BY length(a.wanted) DESC, a.rowid LIMIT 20)", telling_columns, 5, 0, NULL,
};

/* ---- verdicts ---- */

static const struct query_column verdict_columns[] = {
    { "model", "model", CELL_NAME }, { "repo", "repository", CELL_NAME }, { "label", "label", CELL_TEXT },
    { "files", "files", CELL_COUNT }, { "clean_files", "others' files", CELL_COUNT },
    { "clean_repositories", "others", CELL_COUNT }, { "rate", "given back", CELL_SHARE },
    { "clean_rate", "of others", CELL_SHARE }, { "excess", "excess", CELL_SHARE },
    { "p_files", "p of files", CELL_SHARE }, { "p_repositories", "p of repositories", CELL_SHARE },
    { "p_spread", "p beyond the spread", CELL_SHARE }, { "p_adjusted", "adjusted", CELL_SHARE },
    { "verdict", "verdict", CELL_TEXT },
};
static const struct query_table verdicts = {
    "verdicts",
    "(SELECT * FROM inclusion_verdicts WHERE decides ORDER BY clean, p_adjusted IS NULL, p_adjusted, rowid)",
    verdict_columns, 14, 40, NULL,
};

static const struct query_column category_columns[] = {
    { "model", "model", CELL_NAME }, { "repo", "repository", CELL_NAME }, { "class", "classes", CELL_SHARE },
    { "function", "functions", CELL_SHARE }, { "variable", "variables", CELL_SHARE },
    { "string", "strings", CELL_SHARE }, { "comment", "comments", CELL_SHARE },
    { "docstring", "documentation", CELL_SHARE },
};
static const struct query_table categories = {
    "categories", "(SELECT * FROM inclusion_verdicts WHERE decides AND verdict = 'trained' ORDER BY p_adjusted, rowid)",
    category_columns, 8, 20, NULL,
};

static const struct query_column error_columns[] = {
    { "model", "model", CELL_NAME }, { "threshold", "threshold", CELL_COUNT }, { "test", "test", CELL_TEXT },
    { "level", "p at most", CELL_SHARE }, { "clean", "clean repositories", CELL_COUNT },
    { "wrong", "with such a p", CELL_COUNT }, { "trained", "known to be trained on", CELL_COUNT },
    { "found", "with such a p", CELL_COUNT },
};
static const struct query_table errors = { "errors", "inclusion_errors", error_columns, 8, 0, "decides" };

static const struct query_column away_columns[] = {
    { "model", "model", CELL_NAME }, { "repo", "repository", CELL_NAME }, { "role", "element", CELL_TEXT },
    { "path", "file", CELL_NAME }, { "line", "line", CELL_ID }, { "wanted", "what was given back", CELL_NAME },
};
static const struct query_table away = {
    "given_away", "(SELECT * FROM inclusion_given_away WHERE place <= 5)", away_columns, 6, 40,
    "(model, repo) IN (SELECT model, repo FROM inclusion_verdicts WHERE decides AND verdict = 'trained')",
};

/* ---- classifiers ---- */

#define WHOSE \
    { "model", "model", CELL_NAME }, { "threshold", "threshold", CELL_COUNT }, \
    { "classifier", "classifier", CELL_TEXT }
#define SHOWN "threshold = (SELECT value FROM run WHERE key = 'inclusion.threshold')"

static const struct query_column score_columns[] = {
    WHOSE,
    { "criterion", "criterion", CELL_TEXT }, { "lost", "hits lost", CELL_SHARE },
    { "precision", "precision", CELL_SHARE }, { "accuracy", "accuracy", CELL_SHARE }, { "f1", "F1", CELL_SHARE },
    { "sensitivity", "sensitivity", CELL_SHARE }, { "specificity", "specificity", CELL_SHARE },
    { "tp", "TP", CELL_COUNT }, { "fp", "FP", CELL_COUNT }, { "tn", "TN", CELL_COUNT }, { "fn", "FN", CELL_COUNT },
};
static const struct query_column classifier_columns[] = {
    WHOSE,
    { "columns", "columns", CELL_COUNT }, { "learned", "files learned from", CELL_COUNT },
    { "tested", "files tested", CELL_COUNT }, { "unknown", "files without a label", CELL_COUNT },
    { "auc", "AUC", CELL_SHARE }, { "brier", "Brier", CELL_SHARE },
};
static const struct query_column importance_columns[] = {
    WHOSE,
    { "feature", "feature", CELL_NAME }, { "importance", "share of the splits' gains", CELL_SHARE },
    { "permuted", "accuracy lost when exchanged", CELL_SHARE }, { "deviation", "deviation", CELL_SHARE },
};
static const struct query_column roc_columns[] = {
    WHOSE,
    { "cutoff", "from", CELL_SHARE }, { "false_share", "false positives", CELL_SHARE },
    { "true_share", "true positives", CELL_SHARE },
};
static const struct query_column prediction_columns[] = {
    WHOSE,
    { "repo", "repository", CELL_NAME }, { "part", "part", CELL_TEXT }, { "label", "label", CELL_TEXT },
    { "files", "files", CELL_COUNT }, { "said", "said to be trained on", CELL_COUNT },
    { "above_0_4", "above 0.4", CELL_FLAG }, { "above_0_6", "above 0.6", CELL_FLAG },
};
static const struct query_table learned_tables[] = {
    { "scores", "inclusion_scores", score_columns, 14, 0, SHOWN " OR (criterion = 'single' AND lost = 0)" },
    { "classifiers", "inclusion_classifiers", classifier_columns, 9, 0, NULL },
    { "importances", "inclusion_importances", importance_columns, 7, 0, SHOWN },
    { "roc", "inclusion_roc", roc_columns, 6, 0, "0" },
    { "predictions", "inclusion_predictions", prediction_columns, 10, 0, SHOWN },
};

/* ---- functions ---- */

static const struct query_column clone_columns[] = {
    { "model", "model", CELL_NAME }, { "repo", "repository", CELL_NAME }, { "label", "label", CELL_TEXT },
    { "files", "files", CELL_COUNT }, { "functions", "functions", CELL_COUNT }, { "back", "given back", CELL_COUNT },
    { "type_1", "type 1", CELL_COUNT }, { "type_2c", "2c", CELL_COUNT }, { "type_2", "2", CELL_COUNT },
    { "type_3", "3", CELL_COUNT }, { "rate", "share", CELL_SHARE }, { "clean_rate", "of others", CELL_SHARE },
    { "p_spread", "p beyond the spread", CELL_SHARE }, { "trained", "trained on", CELL_FLAG },
};
static const struct query_column clone_score_columns[] = {
    { "model", "model", CELL_NAME }, { "type", "clones up to type", CELL_TEXT },
    { "precision", "precision", CELL_SHARE }, { "accuracy", "accuracy", CELL_SHARE }, { "f1", "F1", CELL_SHARE },
    { "sensitivity", "sensitivity", CELL_SHARE }, { "specificity", "specificity", CELL_SHARE },
    { "tp", "TP", CELL_COUNT }, { "fp", "FP", CELL_COUNT }, { "tn", "TN", CELL_COUNT }, { "fn", "FN", CELL_COUNT },
};
static const struct query_column function_columns[] = {
    { "model", "model", CELL_NAME }, { "path", "file", CELL_NAME }, { "line", "line", CELL_ID },
    { "type", "type", CELL_TEXT }, { "alike", "alike", CELL_SHARE }, { "output", "what was written", CELL_NAME },
};
static const struct query_table clone_tables[] = {
    { "clones", "(SELECT * FROM inclusion_clones ORDER BY clean, rate IS NULL, rate DESC, rowid)", clone_columns, 14,
      40, NULL },
    { "clone_scores", "inclusion_clone_scores", clone_score_columns, 11, 0, NULL },
    { "functions_back",
      "(SELECT a.model, f.path, a.line, a.type, a.alike, substr(ltrim(a.output, char(10)), 1, 200) AS output FROM "
      "inclusion_functions AS a JOIN inclusion_files AS f ON f.id = a.file WHERE a.counts AND a.type IS NOT NULL AND "
      "f.trained IS NOT 0 ORDER BY length(a.wanted) DESC, a.rowid LIMIT 20)", function_columns, 6, 0, NULL },
};

static int clones_add(struct report_document *out, struct report_node *section, sqlite3 *db, struct err *err)
{
    struct query_rows rows;
    uint64_t          asked;
    int               rc = graph_count(db, "SELECT EXISTS (SELECT 1 FROM inclusion_functions)", &asked, err);

    if (rc < 0 || !asked) return rc;
    report_paragraph(out, section, "Models were shown the first halves of functions, and asked for the second ones.  "
                     "Given back is what is a clone of what stands there (types 1, 2c, 2, 3); a repository of which "
                     "more than inclusion.functions_back is given back is said to be trained on (elements: published: "
                     "where a class of clones has functions of it, true ones and written ones).  Scores are of the "
                     "repositories with a label, and the last table has the longest functions given back.");
    for (size_t t = 0; t < sizeof clone_tables / sizeof *clone_tables && rc == 0; t++)
        rc = query_table_add(out, section, db, &clone_tables[t], &rows, err);
    return rc;
}

static const struct report_chart roc_chart = {
    CHART_CURVES, "Of the files tested, by classifier", { "model", "threshold", "classifier" }, "false_share",
    { "true_share" },
};

static int learned_add(struct report_document *out, struct report_node *section, sqlite3 *db, struct err *err)
{
    struct query_rows rows;
    uint64_t          learned;
    int               rc = graph_count(db, "SELECT EXISTS (SELECT 1 FROM inclusion_classifiers)", &learned, err);

    if (rc < 0 || !learned) return rc;
    report_paragraph(out, section, "Classifiers that learned from the files of half of the repositories with a label, "
                     "on those of the other half.  `single`: files; 0.4, 0.6: repositories, said to be trained on "
                     "where more than this share of their files is.  Tables inclusion_scores, inclusion_importances "
                     "and inclusion_roc have all thresholds.");
    for (size_t t = 0; t < sizeof learned_tables / sizeof *learned_tables && rc == 0; t++) {
        rc = query_table_add(out, section, db, &learned_tables[t], &rows, err);
        if (rc == 0 && learned_tables[t].columns == roc_columns) report_chart(rows.table, &roc_chart);
    }
    return rc;
}

static int verdicts_add(struct report_document *out, struct report_node *section, sqlite3 *db, struct err *err)
{
    struct query_rows rows;
    uint64_t          tested;
    int               rc = graph_count(db, "SELECT EXISTS (SELECT 1 FROM inclusion_verdicts)", &tested, err);

    if (rc == 0 && tested) {
        report_paragraph(out, section, "Each repository against those that the models cannot have been trained on "
                         "(label 0, `clean`). p of files: how often as many files drawn from both give back as much; "
                         "it is small too where the files of a repository are alike for other reasons. p of "
                         "repositories: the rank among clean repositories, at best 1 of their number and one. p "
                         "beyond the spread: how likely one more clean repository has as much. Adjusted: the one that "
                         "decides (inclusion.test), for all that are tested, by Holm; `trained` where that is at most "
                         "the level.");
        rc = query_table_add(out, section, db, &verdicts, &rows, err);
        if (rc == 0) report_paragraph(out, section, "How often such a p is wrong, of clean repositories against each "
                                      "other, before it is adjusted:");
        if (rc == 0) rc = query_table_add(out, section, db, &errors, &rows, err);
        if (rc == 0) report_paragraph(out, section, "Of those said to be trained on, shares given back above those of "
                                      "clean ones; the largest give them away:");
        if (rc == 0) rc = query_table_add(out, section, db, &categories, &rows, err);
    }
    if (rc == 0) report_paragraph(out, section, "What gives them away: the longest elements that were given back to "
                                  "the last character, and of no file of label 0.");
    return rc < 0 ? rc : query_table_add(out, section, db, &away, &rows, err);
}

static int elements_add(struct report_document *out, struct report_node *section, sqlite3 *db, struct err *err)
{
    struct query_rows rows;
    int               rc;

    report_paragraph(out, section, "Models were shown what stands around names, strings, comments and documentation of "
                     "the files, and asked for each (Majdinasab et al. 2024).  A name counts when it is right; the "
                     "score of others says how alike the answer is, 0 to 100.  A model gives back some of any file: "
                     "compare with files that it cannot know.  View inclusion_features has the numbers of each file, "
                     "for `leakgraph audit verdict`.");
    rc = query_table_add(out, section, db, &repositories, &rows, err);
    if (rc == 0) report_paragraph(out, section, "The longest answers that are right to the last character:");
    if (rc == 0) rc = query_table_add(out, section, db, &telling, &rows, err);
    if (rc == 0) rc = verdicts_add(out, section, db, err);
    return rc < 0 ? rc : learned_add(out, section, db, err);
}

int inclusion_add(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node *section;
    uint64_t            asked, elements;
    int                 rc = graph_count(db, "SELECT EXISTS (SELECT 1 FROM inclusion_files)", &asked, err);

    if (rc < 0 || !asked) return rc;
    rc = graph_count(db, "SELECT count(*) FROM run WHERE key = 'inclusion.ask' AND value <> 'functions'", &elements,
                     err);
    section = report_section(out, out->root, "inclusion", SLICE("Were these files in the training data?"));
    if (rc == 0 && elements) rc = elements_add(out, section, db, err);
    return rc < 0 ? rc : clones_add(out, section, db, err);
}
