/* compliance/compliance.h -- does a model give licensed functions away, and name their licences?  LiCoEval (Xu et al.,
 * ICSE 2025; docs/definitions.md, "Licence compliance").
 *
 * Models are asked for the functions of a benchmark, and, where an answer is strikingly similar, for its licence; or
 * answers are there already.  Each answer of a model is a unit, so that a killed run, or one with other limits, asks
 * nothing twice. */
#ifndef LEAKGRAPH_COMPLIANCE_COMPLIANCE_H
#define LEAKGRAPH_COMPLIANCE_COMPLIANCE_H

#include "base/ratio.h"
#include "compliance/ask.h"
#include "compliance/study.h"

struct compliance_options {
    char               *benchmark;                          /* the dataset that models are asked for; '': none */
    bool               *pairs;                              /* [dataset_count] those whose answers are there */
    uint64_t            asked;                              /* functions asked for by each of pairs; 0: its records */
    enum ask_how        how;
    uint32_t            tokens;                             /* new ones of an answer, at most */
    struct ratio        similarity;                         /* that of the limits, as it was written */
    struct score_limits limits;
    bool                published;
    char               *rules;                              /* a file, or '': the project's own recogniser */
    char               *edit_tokens;                        /* of compliance_edit_path, or '': the lexer's of Python */
};

struct compliance_job {
    const struct run                *run;
    const struct compliance_options *options;
    const struct model_options      *model;                 /* [models] that are asked */
    size_t                           models;
    struct compliance_functions      functions;             /* out, on every rank */
    struct study                     study;                 /* out, on rank 0 */
    uint64_t                         asked, reused;         /* out: questions */
    struct rules                    *rules;
    struct model                    *edit_model;
    struct model_session            *edit_session;
    struct pool                      pool;                  /* texts of models */
};

/* The place of the path in edit_tokens, llama:PATH, ngram:PATH, json:PATH or the path of a tokenizer.json, and what
 * reads it; NULL where it is not of that form. */
const char *compliance_edit_path(const char *edit_tokens, enum model_backend *backend);

/* Collective.  0, or <0 with err set (-EINVAL: a dataset has no function; as work_run). */
int  compliance_run(struct compliance_job *job, struct err *err);
void compliance_release(struct compliance_job *job);        /* accepts a zeroed job */

#endif
