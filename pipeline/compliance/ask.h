/* compliance/ask.h -- functions put to a model: their bodies asked for, then their licences, each answer a unit. */
#ifndef LEAKGRAPH_COMPLIANCE_ASK_H
#define LEAKGRAPH_COMPLIANCE_ASK_H

#include "compliance/functions.h"
#include "graph/pool.h"
#include "model/model.h"

/* plain: the model goes on behind head and documentation, as models without instructions do; instruct: it is told what
 * to do in words, and the question for the licence follows its own answer. */
enum ask_how { ASK_PLAIN, ASK_INSTRUCT };

struct ask {
    struct comm                *comm;
    struct stage               *stage;
    const char                 *version;                    /* of the program: units of another one are not used */
    const struct model_options *model;
    int                         threads;
    uint32_t                    tokens;                     /* most new ones of a body, and of a reply */
    enum ask_how                how;
    const struct compliance_function *function;             /* [count] borrowed */
    size_t                      count;
    /* [count] in the pool; at NULL: the model could not say it, or nobody was asked */
    struct slice               *generated, *reply;
    const bool                 *wanted;                     /* [count] of ask_replies; NULL: of all */
    struct pool                *pool;
    uint64_t                    asked, found;               /* out: the model was asked, units were there */
};

/* Fills generated, or reply of the wanted ones with the generated texts before them.  Temperature 0.  Collective; the
 * same on all ranks.  0, or <0 with err set. */
int ask_answers(struct ask *ask, struct err *err);
int ask_replies(struct ask *ask, struct err *err);

/* The body in what a model wrote for a function: behind a plain prompt what is not at the line's beginning, else as
 * extraction.h says.  Without line feeds around it. */
struct slice ask_body(enum ask_how how, struct slice generated, struct slice signature);

#endif
