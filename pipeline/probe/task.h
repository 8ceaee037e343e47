/* probe/task.h -- the capability in a run: its settings, its work, what came of it. */
#ifndef LEAKGRAPH_PROBE_TASK_H
#define LEAKGRAPH_PROBE_TASK_H

#include "capability/capability.h"
#include "probe/probe.h"

struct probe_task {
    /* without metrics and orders the models are there for others alone: `generate`, `inclusion`, `compliance` */
    struct probe_options options;
    bool                *member;                            /* [dataset_count] their items are put to the models */
    struct probe_job     job;
    struct probe_result  result;                            /* on rank 0 */
};

extern const struct capability probe_capability;
enum { PROBE_GATE_AUC, PROBE_GATE_ORDER };
extern const struct gate       probe_gates[];

static inline struct probe_task *probe_task(const struct config *config)
{
    return config_state(config, &probe_capability);
}

/* The section of pipeline.yaml: see struct capability. */
int probe_read(struct config *config, const struct node *root, const char *name, struct err *err);
int probe_print(const struct config *config, struct bytes *out);
int probe_help(struct bytes *out);
void probe_settings_free(struct probe_task *task);

#endif
