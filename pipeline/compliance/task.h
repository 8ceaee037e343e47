/* compliance/task.h -- the capability in a run: its settings, its work, what came of it. */
#ifndef LEAKGRAPH_COMPLIANCE_TASK_H
#define LEAKGRAPH_COMPLIANCE_TASK_H

#include "capability/capability.h"
#include "compliance/compliance.h"

struct compliance_task {
    struct compliance_options options;
    struct compliance_job     job;
};

extern const struct capability compliance_capability;

static inline struct compliance_task *compliance_task(const struct config *config)
{
    return config_state(config, &compliance_capability);
}

/* The section of pipeline.yaml: see struct capability. */
int  compliance_read(struct config *config, const struct node *root, const char *name, struct err *err);
int  compliance_check(const struct config *config, const struct node *root, const char *name, struct err *err);
int  compliance_print(const struct config *config, struct bytes *out);
int  compliance_help(struct bytes *out);
void compliance_settings_free(struct compliance_task *task);

#endif
