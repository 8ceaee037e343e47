/* repository/task.h -- the capability in a run: its settings, its work, what came of it. */
#ifndef LEAKGRAPH_REPOSITORY_TASK_H
#define LEAKGRAPH_REPOSITORY_TASK_H

#include "capability/capability.h"
#include "repository/result.h"

struct repository_task {
    struct repository_options options;
    /* [dataset_count] those whose repositories are looked for */
    bool                     *benchmark;
    struct repository_job     job;
    struct repository_result  result;                       /* on rank 0 */
};

extern const struct capability repository_capability;

static inline struct repository_task *repository_task(const struct config *config)
{
    return config_state(config, &repository_capability);
}

/* The section of pipeline.yaml: see struct capability. */
int repository_read(struct config *config, const struct node *root, const char *name, struct err *err);
int repository_print(const struct config *config, struct bytes *out);
int repository_help(struct bytes *out);
void repository_settings_free(struct repository_task *task);

#endif
