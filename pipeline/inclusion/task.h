/* inclusion/task.h -- the capability in a run: its settings, its work, what came of it. */
#ifndef LEAKGRAPH_INCLUSION_TASK_H
#define LEAKGRAPH_INCLUSION_TASK_H

#include "capability/capability.h"
#include "inclusion/clones.h"
#include "inclusion/inclusion.h"
#include "inclusion/verdict.h"

struct inclusion_task {
    struct inclusion_options  options;
    struct inclusion_job      job;
    struct inclusion_verdicts verdicts;                     /* on rank 0 */
    struct inclusion_clones   clones;                       /* the same */
};

extern const struct capability inclusion_capability;

static inline struct inclusion_task *inclusion_task(const struct config *config)
{
    return config_state(config, &inclusion_capability);
}

/* The section of pipeline.yaml: see struct capability. */
int  inclusion_read(struct config *config, const struct node *root, const char *name, struct err *err);
int  inclusion_print(const struct config *config, struct bytes *out);
int  inclusion_help(struct bytes *out);
void inclusion_settings_free(struct inclusion_task *task);

extern const char *const inclusion_test_names[INCLUSION_TESTS], *const inclusion_classifier_names[];
extern const char *const inclusion_prompt_names[];          /* by enum inclusion_prompt, up to NULL */
extern const char *const inclusion_ask_names[];             /* by bits of enum inclusion_ask */

#endif
