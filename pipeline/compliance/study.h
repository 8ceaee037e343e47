/* compliance/study.h -- groups of answers, scored, counted and compared: what an audit of licences says.
 *
 * The tables have the shapes of LiCoEval's: what the functions look like (Table III), how groups differ (Table II), how
 * often each limit of the standard is passed, LICO (Table IV). */
#ifndef LEAKGRAPH_COMPLIANCE_STUDY_H
#define LEAKGRAPH_COMPLIANCE_STUDY_H

#include "compliance/lico.h"
#include "compliance/rules.h"
#include "compliance/score.h"
#include "graph/pool.h"
#include "report/document.h"

/* Texts of one answer; any but the reference may be empty.  license: of the reference, an SPDX identifier.  reply: what
 * the model said when it was asked for the licence. */
struct study_texts { struct slice id, reference, answer, prompt, license, reply; };

struct study_case {
    struct slice      id, license, named;                   /* named: by the reply; empty: none */
    struct score      score;
    enum licence_type type;
    bool              striking, right;
};

/* benchmark: functions that were asked for, of which those without an answer need not be cases; 0: as many as cases */
struct study_group { struct slice name; struct study_case *at; size_t count, room; uint64_t benchmark; };

enum { STUDY_GROUPS = 16, STUDY_EXAMPLES = 5 };

/* The most alike of the striking ones, with their texts. */
struct study_example { size_t group, at; struct slice id, reference, answer; double most; };

/* Zeroed but for limits, published, rules, tokens. */
struct study {
    struct score_limits  limits;
    bool                 published;                         /* types of licences, LICO as the released code has them */
    const struct rules  *rules;                             /* NULL: the project's recogniser; borrowed */
    const char          *tokens;                            /* whose tokens edits are counted in, in words */
    struct study_group   group[STUDY_GROUPS];
    size_t               groups;
    struct study_example example[STUDY_EXAMPLES];
    size_t               examples;
    struct scorer        scorer;
    struct pool          pool;
    struct bytes         scratch;
};

/* Adds a group; -EINVAL when there are STUDY_GROUPS of them.  0 or <0 with err set. */
int  study_open_group(struct study *study, struct slice name, struct err *err);
/* Scores an answer and adds it to the last group.  0, or <0 with err set. */
int  study_add(struct study *study, const struct study_texts *texts, struct err *err);
void study_free(struct study *study);

struct lico study_lico(const struct study_group *group);

/* A line a case, a line a group; with their heads.  0 or -ENOMEM. */
int  study_cases_tsv(const struct study *study, struct bytes *out);
int  study_groups_tsv(const struct study *study, struct bytes *out);
/* The report; memory that runs out is told by rendering it.  0, or -ENOMEM with err set. */
int  study_document(const struct study *study, struct report_document *document, struct err *err);

/* ---- study_tables.c ---- */

/* Tables on what functions and answers look like, and how groups differ.  0 or -ENOMEM. */
int  study_tables(const struct study *study, struct report_document *document, struct report_node *parent);

#endif
