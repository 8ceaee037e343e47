/* compliance/study.h -- groups of answers, scored, counted and compared: what an audit of licences says.
 *
 * A group is what one model said of a benchmark, or answers that were there.  Its numbers have the shapes of LiCoEval's
 * tables: what functions and answers look like (Table III), how groups differ (Table II), LICO (Table IV). */
#ifndef LEAKGRAPH_COMPLIANCE_STUDY_H
#define LEAKGRAPH_COMPLIANCE_STUDY_H

#include "compliance/functions.h"
#include "compliance/lico.h"
#include "compliance/rules.h"
#include "compliance/score.h"
#include "graph/pool.h"

/* An answer.  reply: what was said when it was asked for the licence, at NULL: it was not; named: the licence in it,
 * empty: none.  refused: the model could not take the prompt, so that the answer is empty. */
struct study_case {
    const struct compliance_function *function;
    struct slice                      answer, reply, named;
    struct score                      score;
    enum licence_type                 type;
    bool                              striking, right, refused;
};

/* dataset: that of its functions.  benchmark: functions that were asked for, of which those without an answer need not
 * be cases; 0: as many as cases. */
struct study_group {
    struct slice       name;
    uint32_t           dataset;
    bool               by_model;
    struct study_case *at;                                  /* [count] */
    size_t             count, room;
    uint64_t           benchmark;
};

/* Zeroed but for limits, published, rules.  Texts and names are borrowed. */
struct study {
    struct score_limits  limits;
    bool                 published;                         /* types of licences, LICO as the released code has them */
    const struct rules  *rules;                             /* NULL: the project's recogniser; borrowed */
    struct study_group  *group;                             /* [groups] */
    size_t               groups, room;
    struct scorer        scorer;
    struct pool          pool;
    struct bytes         scratch;
};

/* Adds a group.  0, or -ENOMEM with err set. */
int  study_open_group(struct study *study, struct slice name, uint32_t dataset, bool by_model, struct err *err);
/* Scores an answer (at NULL: it was refused) and adds it to the last group.  0, or <0 with err set. */
int  study_add(struct study *study, const struct compliance_function *function, struct slice answer, struct err *err);
/* The reply to the question for the licence of a case.  0, or -ENOMEM with err set. */
int  study_reply(struct study *study, struct study_case *one, struct slice reply, struct err *err);
void study_free(struct study *study);

struct lico study_lico(const struct study_group *group);
/* LICO, NaN where it is not defined. */
double study_score(const struct study *study, const struct lico *lico);

/* ---- study_numbers.c ---- */

/* What a group's functions and answers look like in a metric, and how two lists of cases differ in it.  other empty:
 * the first are a group's striking cases, the second the rest of it; else the first are those of the first group. */
struct study_metric     { struct slice group; const char *metric; double least, median, mean, most; };
struct study_difference {
    struct slice group, other;
    const char  *metric, *level;
    double       median, median_other, p, delta;
};

/* *out, owned by the caller, has every metric of every group; the differences between each group and the first, and
 * within those that have striking cases and others.  0, or -ENOMEM with err set. */
int  study_metrics(const struct study *study, struct study_metric **out, size_t *count, struct err *err);
int  study_differences(const struct study *study, struct study_difference **out, size_t *count, struct err *err);

#endif
