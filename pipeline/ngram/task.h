/* ngram/task.h -- the capability in a run: its settings, its work, what came of it. */
#ifndef LEAKGRAPH_NGRAM_TASK_H
#define LEAKGRAPH_NGRAM_TASK_H

#include "capability/capability.h"
#include "ngram/ngram.h"

struct ngram_task {
    struct ngram_options options;
    struct ngram_job     job;
    struct ngram_result  result;                            /* on rank 0 */
};

extern const struct capability ngram_capability;

static inline struct ngram_task *ngram_task(const struct config *config)
{
    return config_state(config, &ngram_capability);
}

/* The section of pipeline.yaml: see struct capability. */
int ngram_read(struct config *config, const struct node *root, const char *name, struct err *err);
int ngram_print(const struct config *config, struct bytes *out);
int ngram_help(struct bytes *out);
void ngram_settings_free(struct ngram_task *task);

#endif
