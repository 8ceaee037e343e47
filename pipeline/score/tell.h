/* score/tell.h -- a study of scores in words and tables: the answer first. */
#ifndef LEAKGRAPH_SCORE_TELL_H
#define LEAKGRAPH_SCORE_TELL_H

#include "report/document.h"
#include "score/study.h"

/* All that is told; borrowed.  rule: as written; rejected: records of the benchmark that are no items. */
struct score_told {
    const struct score_samples *samples;
    const struct score_items   *items;
    const struct score_matched *matched;
    const struct score_points  *points;
    const struct score_study   *study;
    const char                 *benchmark, *split, *rule;   /* split NULL: all */
    uint64_t                    rejected, compared;         /* compared UINT64_MAX: not known */
};

/* Sections `answer`, `scores`, `differences`, `tests`, `models`, `seeds` and `matching`; those with nothing to say are
 * in JSON alone, and empty. */
void score_tell(const struct score_told *told, struct report_document *out);
/* `seeds` alone: Tables 2 to 5 of Lopez et al. 2024. */
void score_tell_tables(const struct score_told *told, struct report_document *out);

/* Appends the published table of results, a line a run: model,seed,dup,non_dup,full and, where rows say them,
 * model_kind and layer.  0; -EINVAL where there is not one metric alone, or -ENOMEM, with err set. */
int  score_csv(const struct score_told *told, struct bytes *out, struct err *err);

#endif
