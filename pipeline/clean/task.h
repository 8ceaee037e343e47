/* clean/task.h -- the capability in a run: its settings, its work, what came of it. */
#ifndef LEAKGRAPH_CLEAN_TASK_H
#define LEAKGRAPH_CLEAN_TASK_H

#include "capability/capability.h"
#include "clean/clean.h"

struct clean_task {
    struct clean_output *at;                                /* [count] */
    size_t               count;
    struct clean_result  result;                            /* on rank 0 */
};

extern const struct capability clean_capability;

static inline struct clean_task *clean_task(const struct config *config)
{
    return config_state(config, &clean_capability);
}

/* The section of pipeline.yaml: see struct capability. */
int clean_read(struct config *config, const struct node *root, const char *name, struct err *err);
int clean_print(const struct config *config, struct bytes *out);
int clean_help(struct bytes *out);
void clean_settings_free(struct clean_task *task);

#endif
