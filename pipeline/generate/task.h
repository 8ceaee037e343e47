/* generate/task.h -- the capability in a run: its settings, its work, what came of it. */
#ifndef LEAKGRAPH_GENERATE_TASK_H
#define LEAKGRAPH_GENERATE_TASK_H

#include "capability/capability.h"
#include "generate/generate.h"

struct generate_task {
    struct generate_options options;
    struct generate_job     job;
};

extern const struct capability generate_capability;

static inline struct generate_task *generate_task(const struct config *config)
{
    return config_state(config, &generate_capability);
}

/* The section of pipeline.yaml: see struct capability. */
int generate_read(struct config *config, const struct node *root, const char *name, struct err *err);
int generate_print(const struct config *config, struct bytes *out);
int generate_help(struct bytes *out);
void generate_settings_free(struct generate_task *task);

#endif
