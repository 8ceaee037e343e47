/* portrait/task.h -- the capability in a run: its settings, its work, what came of it. */
#ifndef LEAKGRAPH_PORTRAIT_TASK_H
#define LEAKGRAPH_PORTRAIT_TASK_H

#include "capability/capability.h"
#include "portrait/portrait.h"

struct portrait_task {
    struct portrait_options options;
    bool                   *member;                         /* [dataset_count] it is made of them */
    struct portrait_job     job;
};

extern const struct capability portrait_capability;

static inline struct portrait_task *portrait_task(const struct config *config)
{
    return config_state(config, &portrait_capability);
}

/* The section of pipeline.yaml: see struct capability. */
int portrait_read(struct config *config, const struct node *root, const char *name, struct err *err);
int portrait_print(const struct config *config, struct bytes *out);
int portrait_help(struct bytes *out);
void portrait_settings_free(struct portrait_task *task);

#endif
