/* inclusion/learned_tables.c -- the tables of classifiers; see learned.h. */
#include "inclusion/learned.h"

#define FIELD(member) offsetof(struct ROW, member)
#define WHOSE \
    { "model", COLUMN_TEXT, FIELD(model), 0, NULL, "" }, \
    { "threshold", COLUMN_U32, FIELD(threshold), 0, NULL, "as in inclusion_verdicts" }, \
    { "classifier", COLUMN_KEY, FIELD(classifier), 0, NULL, "forest, boosting or svm" }

#define ROW graph_inclusion_classifier
static const struct graph_column told_columns[] = {
    WHOSE,
    { "columns", COLUMN_U32, FIELD(columns), 0, NULL, "of inclusion_features that it learned from: 12, or "
      "the 6 shares" },
    { "learned", COLUMN_U64, FIELD(learned), 0, NULL, "files with a label that it learned from: those of half of the "
      "repositories" },
    { "tested", COLUMN_U64, FIELD(tested), 0, NULL, "those of the other half" },
    { "unknown", COLUMN_U64, FIELD(unknown), 0, NULL, "files without a label" },
    { "auc", COLUMN_MAYBE_REAL, FIELD(auc), 0, NULL, "area under the curve of inclusion_roc" },
    { "brier", COLUMN_MAYBE_REAL, FIELD(brier), 0, NULL, "mean squared error of its probabilities; NULL: it has none" },
};
#undef ROW

const struct graph_table table_inclusion_classifiers = {
    .name = "inclusion_classifiers", .row_size = sizeof(struct graph_inclusion_classifier),
    TABLE_COLUMNS(told_columns),
    .doc = "Classifiers of files that a model was trained on, where files of both labels are there "
           "(inclusion.classifiers).",
};

#define ROW graph_inclusion_score
static const struct graph_column score_columns[] = {
    WHOSE,
    { "criterion", COLUMN_KEY, FIELD(criterion), 0, NULL, "single: files; 0.4, 0.6: repositories, said to be trained "
      "on where more than this share of their files is" },
    { "lost", COLUMN_REAL, FIELD(lost), 0, NULL, "probability by which each hit of the test was taken away" },
    INCLUSION_SCORES,
};
#undef ROW

static const struct graph_check score_checks[] = {
    { "scores of files are of those that were tested",
      "SELECT s.model || ' ' || s.threshold || ' ' || s.classifier, s.tp + s.fp + s.tn + s.fn AS counted, c.tested "
      "FROM inclusion_scores AS s LEFT JOIN inclusion_classifiers AS c USING (model, threshold, classifier) WHERE "
      "s.criterion = 'single' AND counted IS NOT c.tested", "files", "in inclusion_classifiers" },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_inclusion_scores = {
    .name = "inclusion_scores", .row_size = sizeof(struct graph_inclusion_score), TABLE_COLUMNS(score_columns),
    .checks = score_checks, .doc = "How good they are on the files of the test.",
};

#define ROW graph_inclusion_importance
static const struct graph_column importance_columns[] = {
    WHOSE,
    { "feature", COLUMN_KEY, FIELD(feature), 0, NULL, "a column of inclusion_features" },
    { "importance", COLUMN_MAYBE_REAL, FIELD(importance), 0, NULL, "share of the splits' gains; NULL: svm" },
    { "permuted", COLUMN_MAYBE_REAL, FIELD(permuted), 0, NULL, "accuracy lost when its values change places" },
    { "deviation", COLUMN_MAYBE_REAL, FIELD(deviation), 0, NULL, "standard deviation of that" },
};
#undef ROW

const struct graph_table table_inclusion_importances = {
    .name = "inclusion_importances", .row_size = sizeof(struct graph_inclusion_importance),
    TABLE_COLUMNS(importance_columns), .doc = "By what they tell files apart.",
};

#define ROW graph_inclusion_roc
static const struct graph_column roc_columns[] = {
    WHOSE,
    { "cutoff", COLUMN_MAYBE_REAL, FIELD(cutoff), 0, NULL, "said to be trained on from this value on; NULL: none is" },
    { "false_share", COLUMN_MAYBE_REAL, FIELD(false_share), 0, NULL, "of files of label 0 that are said to be" },
    { "true_share", COLUMN_MAYBE_REAL, FIELD(true_share), 0, NULL, "of files of label 1" },
};
#undef ROW

const struct graph_table table_inclusion_roc = {
    .name = "inclusion_roc", .row_size = sizeof(struct graph_inclusion_roc), TABLE_COLUMNS(roc_columns),
    .doc = "Points of the ROC curves over the files of the test.",
};

#define ROW graph_inclusion_prediction
static const struct graph_column prediction_columns[] = {
    WHOSE,
    { "repo", COLUMN_TEXT, FIELD(repo), 0, NULL, "as in inclusion_verdicts" },
    { "part", COLUMN_KEY, FIELD(part), 0, NULL, "test, or unlabelled" },
    { "label", COLUMN_MAYBE, FIELD(label), 0, NULL, "of most of these files" },
    { "files", COLUMN_U64, FIELD(files), 0, NULL, "" },
    { "said", COLUMN_U64, FIELD(said), 0, NULL, "of them are said to be trained on" },
    { "above_0_4", COLUMN_FLAG, FIELD(above_4), 0, NULL, "more than 0.4 of them" },
    { "above_0_6", COLUMN_FLAG, FIELD(above_6), 0, NULL, "more than 0.6" },
};
#undef ROW

const struct graph_table table_inclusion_predictions = {
    .name = "inclusion_predictions", .row_size = sizeof(struct graph_inclusion_prediction),
    TABLE_COLUMNS(prediction_columns), .doc = "What they say of repositories that they have not learned from.",
};
