/* compliance/functions.h -- functions and answers to them: the records of datasets (pair.h), known on every rank. */
#ifndef LEAKGRAPH_COMPLIANCE_FUNCTIONS_H
#define LEAKGRAPH_COMPLIANCE_FUNCTIONS_H

#include "pass/pass.h"

/* A record.  id: its own, or shard:record; reference is never empty, of a benchmark nor is prompt. */
struct compliance_function {
    struct slice id, prompt, signature, reference, answer, license, reply;
    uint32_t     dataset, shard;
    uint64_t     record;
};

/* benchmark, pairs: of which datasets; borrowed, as the run is.  A zeroed `at` is filled in the contract's order, so
 * that those of a dataset stand together. */
struct compliance_functions {
    const struct run           *run;
    const char                 *benchmark;                  /* the dataset whose functions are asked for; "": none */
    const bool                 *pairs;                      /* [dataset_count] those whose answers are there */
    struct compliance_function *at;                         /* [count] */
    size_t                      count, room;
    struct pass_totals          totals;                     /* of what was read */
    struct pass_units           units;                      /* what `at` points into */
};

/* What reads the datasets; a record that is no pair, or of a benchmark has no prompt, is refused. */
struct pass_scanner functions_scanner(const struct compliance_functions *functions);

/* Collective.  0, or <0 with err set (-EINVAL: a dataset has none); functions_release them either way. */
int  functions_collect(struct compliance_functions *functions, struct err *err);
void functions_release(struct compliance_functions *functions);                 /* accepts what is zeroed */

/* Those of a dataset. */
const struct compliance_function *functions_of(const struct compliance_functions *functions, uint32_t dataset,
                                               size_t *count);

#endif
