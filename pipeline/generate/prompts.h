/* generate/prompts.h -- the prompts of a generation, read once and known on every rank. */
#ifndef LEAKGRAPH_GENERATE_PROMPTS_H
#define LEAKGRAPH_GENERATE_PROMPTS_H

#include "generate/generate.h"
#include "pass/pass.h"

struct prompts {
    /* [count] in the order of (shard, record), or most frequent first */
    struct slice     *at;
    size_t            count, room;
    uint64_t          without;                              /* texts that have none */
    struct pass_units units;                                /* what at points into ... */
    struct bytes      text;                                 /* ... or this */
};

/* Collective.  0, or <0 with err set; *out is to be freed either way. */
int  prompts_collect(const struct generate_job *job, struct prompts *out, struct err *err);
void prompts_free(struct prompts *prompts);

#endif
