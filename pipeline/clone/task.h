/* clone/task.h -- the capability in a run: its settings, its work, what came of it. */
#ifndef LEAKGRAPH_CLONE_TASK_H
#define LEAKGRAPH_CLONE_TASK_H

#include "capability/capability.h"
#include "clone/result.h"

struct clone_task {
    struct clone_options options;
    struct clone_job     job;
    struct clone_result  result;                            /* on rank 0 */
};

extern const struct capability clone_capability;

static inline struct clone_task *clone_task(const struct config *config)
{
    return config_state(config, &clone_capability);
}

/* The section of pipeline.yaml: see struct capability. */
int clone_read(struct config *config, const struct node *root, const char *name, struct err *err);
int clone_print(const struct config *config, struct bytes *out);
int clone_help(struct bytes *out);

#endif
