/* near/task.h -- the capability in a run: its settings, its work, what came of it. */
#ifndef LEAKGRAPH_NEAR_TASK_H
#define LEAKGRAPH_NEAR_TASK_H

#include "capability/capability.h"
#include "near/result.h"

struct near_task {
    struct near_options options;
    struct sampled       sample;                             /* of a plan */
    struct near_job     job;
    struct near_result  result;                             /* on rank 0 */
    uint64_t            kinds[EDGE_KIND_COUNT];             /* pairs of each, there */
};

extern const struct capability near_capability;

static inline struct near_task *near_task(const struct config *config)
{
    return config_state(config, &near_capability);
}

/* The section of pipeline.yaml: see struct capability. */
int near_read(struct config *config, const struct node *root, const char *name, struct err *err);
int near_check(const struct config *config, const struct node *root, const char *name, struct err *err);
int near_print(const struct config *config, struct bytes *out);
int near_help(struct bytes *out);

#endif
