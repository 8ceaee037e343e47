/* history/task.h -- the capability in a run: its settings, and what it found of the runs before. */
#ifndef LEAKGRAPH_HISTORY_TASK_H
#define LEAKGRAPH_HISTORY_TASK_H

#include "capability/capability.h"
#include "history/runs.h"

struct history_options { uint32_t keep, most; };

struct history_task {
    struct history_options options;
    char                 **runs;                            /* globs from the root, owned */
    size_t                 run_count;
};

extern const struct capability history_capability;

static inline struct history_task *history_task(const struct config *config)
{
    return config_state(config, &history_capability);
}

/* The section of pipeline.yaml: see struct capability. */
int  history_settings_read(struct config *config, const struct node *root, const char *name, struct err *err);
int  history_settings_print(const struct config *config, struct bytes *out);
int  history_settings_help(struct bytes *out);
void history_settings_free(struct history_task *task);

#endif
