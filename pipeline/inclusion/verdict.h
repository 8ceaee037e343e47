/* inclusion/verdict.h -- what the answers of a run say of its repositories: a set of feature rows for each model and
 * threshold, and each repository tested against those that the models cannot have been trained on (audit/verdict.h).
 *
 * A repository is said to be trained on where its p, adjusted for all that are tested in its set, is at most the level
 * (stats/adjust.h). */
#ifndef LEAKGRAPH_INCLUSION_VERDICT_H
#define LEAKGRAPH_INCLUSION_VERDICT_H

#include "audit/verdict.h"
#include "inclusion/learned.h"
#include "inclusion/tables.h"

enum { INCLUSION_THRESHOLDS = 4 };
extern const uint32_t inclusion_threshold[INCLUSION_THRESHOLDS];         /* 20, 40, 60, 80 */

/* A zeroed struct is empty.  Rows point into the sets, and into what they were made of. */
struct inclusion_verdicts {
    struct verdict                 *set;                    /* by model, and by inclusion_threshold */
    size_t                          sets;
    struct graph_inclusion_verdict *row;
    size_t                          rows;
    struct inclusion_learned        learned;
};

/* The rows of a model's files with a score, in the files' order: the shares of elements given back as view
 * inclusion_features has them.
 *   answer   [count], of one model, those of a file one behind the other
 *   file     what answers name by number
 * 0 or -ENOMEM; rows that were added stay. */
int inclusion_features_make(const struct graph_inclusion_file *file, const struct graph_inclusion_answer *answer,
                            size_t count, uint32_t threshold, struct audit_features *to, struct err *err);

/* Makes them of all answers, those of a model, whose name ends in NUL, one behind the other.  A set without a
 * repository of files of label 0 has no rows; one of which no classifier can learn has none of these.  0, or <0 with
 * err set; then *out is empty. */
int  inclusion_verdicts_make(struct inclusion_verdicts *out, const struct inclusion_verdict_options *options,
                             const struct graph_inclusion_file *file, const struct graph_inclusion_answer *answer,
                             size_t count, int threads, struct err *err);
void inclusion_verdicts_free(struct inclusion_verdicts *v);

#endif
