/* inclusion/learned.h -- classifiers that learned from the files of a run with a label, as rows of its tables: how good
 * they are, by what they tell files apart, what they say of repositories (audit/verdict.h). */
#ifndef LEAKGRAPH_INCLUSION_LEARNED_H
#define LEAKGRAPH_INCLUSION_LEARNED_H

#include "audit/verdict.h"
#include "graph/build.h"

struct graph_inclusion_classifier {
    struct slice model;
    const char  *classifier;
    double       auc, brier;
    uint64_t     learned, tested, unknown;
    uint32_t     threshold, columns;
};
struct graph_inclusion_score {
    struct slice model;
    const char  *classifier, *criterion;
    double       lost, precision, accuracy, f1, sensitivity, specificity;
    uint64_t     tp, fp, tn, fn;
    uint32_t     threshold;
};
/* Columns of such a row, where FIELD is offsetof its struct. */
#define INCLUSION_SCORES \
    { "precision", COLUMN_MAYBE_REAL, FIELD(precision), 0, NULL, "" }, \
    { "accuracy", COLUMN_MAYBE_REAL, FIELD(accuracy), 0, NULL, "" }, \
    { "f1", COLUMN_MAYBE_REAL, FIELD(f1), 0, NULL, "" }, \
    { "sensitivity", COLUMN_MAYBE_REAL, FIELD(sensitivity), 0, NULL, "" }, \
    { "specificity", COLUMN_MAYBE_REAL, FIELD(specificity), 0, NULL, "" }, \
    { "tp", COLUMN_U64, FIELD(tp), 0, NULL, "trained on, and said to be" }, \
    { "fp", COLUMN_U64, FIELD(fp), 0, NULL, "" }, \
    { "tn", COLUMN_U64, FIELD(tn), 0, NULL, "" }, \
    { "fn", COLUMN_U64, FIELD(fn), 0, NULL, "" }
struct graph_inclusion_importance {
    struct slice model;
    const char  *classifier, *feature;
    double       importance, permuted, deviation;
    uint32_t     threshold;
};
struct graph_inclusion_roc {
    struct slice model;
    const char  *classifier;
    double       cutoff, false_share, true_share;
    uint32_t     threshold;
};
struct graph_inclusion_prediction {
    struct slice model, repo;
    const char  *classifier, *part;
    int64_t      label;
    uint64_t     files, said;
    uint32_t     threshold;
    bool         above_4, above_6;
};

extern const struct graph_table table_inclusion_classifiers, table_inclusion_scores, table_inclusion_importances,
                                table_inclusion_roc, table_inclusion_predictions;

/* A zeroed struct is empty.  Rows point into the verdicts. */
struct inclusion_learned {
    struct graph_inclusion_classifier *classifier;
    struct graph_inclusion_score      *score;
    struct graph_inclusion_importance *importance;
    struct graph_inclusion_roc        *roc;
    struct graph_inclusion_prediction *prediction;
    size_t classifiers, scores, importances, points, predictions;
    size_t classifier_room, score_room, importance_room, roc_room, prediction_room;
};

/* Adds the rows of the classifiers that a verdict has, in order of enum classifier_kind.  0 or -ENOMEM with err set;
 * rows that were added stay. */
int  inclusion_learned_add(struct inclusion_learned *to, const struct verdict *v, uint32_t threshold, struct err *err);
void inclusion_learned_free(struct inclusion_learned *learned);

/* The rows to the graph, which points into them.  0 or -ENOMEM with err set. */
int  graph_add_learned(struct graph_build *build, const struct inclusion_learned *learned, struct err *err);

#endif
