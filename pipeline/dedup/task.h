/* dedup/task.h -- the capability in a run: its settings, its work, what came of it. */
#ifndef LEAKGRAPH_DEDUP_TASK_H
#define LEAKGRAPH_DEDUP_TASK_H

#include "capability/capability.h"
#include "dedup/plan.h"
#include "dedup/result.h"

struct dedup_task {
    struct dedup_options options;                           /* resolved */
    /* as written, as are these: 0 where bands and rows were chosen */
    struct ratio         recall;
    uint32_t             bands, rows;
    int                  compat;
    uint32_t            *member;                            /* [member_count] datasets in the order of dedup.datasets */
    size_t               member_count;
    bool                *protect;                           /* [dataset_count] */
    size_t               added_count;                       /* of dedup.added, which datasets tell */
    struct sampled        sample;                            /* of a plan, as are the next two */
    struct sample_keys   keys;
    struct dedup_plan    plan;
    struct dedup_job     job;
    struct dedup_result  result;                            /* on rank 0 */
};

extern const struct capability dedup_capability;

static inline struct dedup_task *dedup_task(const struct config *config)
{
    return config_state(config, &dedup_capability);
}

/* The section of pipeline.yaml: see struct capability. */
int dedup_read(struct config *config, const struct node *root, const char *name, struct err *err);
int dedup_print(const struct config *config, struct bytes *out);
int dedup_help(struct bytes *out);
void dedup_settings_free(struct dedup_task *task);

/* The word for a choice as the file has it: of the keys method, cluster, write, keep, compat. */
struct slice dedup_word(const char *key, int choice);

#endif
