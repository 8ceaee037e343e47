/* tests/pass_harness.h -- the capabilities of a configuration, taken through one pass as a run does it. */
#ifndef LEAKGRAPH_TESTS_PASS_HARNESS_H
#define LEAKGRAPH_TESTS_PASS_HARNESS_H

#include "config/config.h"

/* unit_bytes: of text in a unit, 0 as in a run.  0, or <0 with err set. */
static inline int harness_pass(struct config *config, const struct run *run, uint64_t unit_bytes, struct err *err)
{
    struct pass pass = { .run = run, .unit_bytes = unit_bytes };
    int         rc = 0;

    for (size_t t = 0; t < config->task_count && rc == 0; t++)
        if (config->task[t].on && config->task[t].of->enter)
            rc = config->task[t].of->enter(&config->task[t], run, &pass, err);
    if (rc == 0) rc = pass_stream(&pass, run->shards->count, err);
    for (size_t t = 0; t < config->task_count; t++)
        if (config->task[t].on && config->task[t].of->leave) {
            int left = config->task[t].of->leave(&config->task[t], run, &pass, rc == 0, err);

            if (rc == 0) rc = left;
        }
    return rc;
}

#endif
