/* sensitive/task.h -- the capability in a run: its settings, its work, what came of it. */
#ifndef LEAKGRAPH_SENSITIVE_TASK_H
#define LEAKGRAPH_SENSITIVE_TASK_H

#include "capability/capability.h"
#include "sensitive/result.h"

struct sensitive_task {
    struct sensitive_options options;
    bool                    *member;                        /* [dataset_count] their values are collected */
    struct sensitive_job     job;
    struct sensitive_result  result;                        /* on rank 0 */
};

extern const struct capability sensitive_capability;

static inline struct sensitive_task *sensitive_task(const struct config *config)
{
    return config_state(config, &sensitive_capability);
}

/* The section of pipeline.yaml: see struct capability. */
int sensitive_read(struct config *config, const struct node *root, const char *name, struct err *err);
int sensitive_print(const struct config *config, struct bytes *out);
int sensitive_help(struct bytes *out);
void sensitive_settings_free(struct sensitive_task *task);

#endif
