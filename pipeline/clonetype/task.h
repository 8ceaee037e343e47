/* clonetype/task.h -- the capability in a run: its settings, its work, what came of it. */
#ifndef LEAKGRAPH_CLONETYPE_TASK_H
#define LEAKGRAPH_CLONETYPE_TASK_H

#include "capability/capability.h"
#include "clonetype/forecast.h"
#include "clonetype/result.h"
#include "clonetype/within.h"

struct clonetype_task {
    struct clonetype_options options;
    bool                     implied;                       /* `clones` is not written */
    bool                    *within;                        /* [datasets] owned; NULL: none */
    struct clonetype_job     job;
    struct clonetype_result  result;                        /* on rank 0 */
    struct clonetype_sample  sample;                        /* what `leakgraph plan` looks at */
    struct within_result     inside;                        /* the same: of the corpora in `within` */
};

/* Names that an item has twice that is looked for renamed where `clones` is not written: with fewer of them any two
 * functions of one shape are alike. */
enum { REPEATED_IMPLIED = 2 };

extern const struct capability clonetype_capability;

static inline struct clonetype_task *clonetype_task(const struct config *config)
{
    return config_state(config, &clonetype_capability);
}

/* The section of pipeline.yaml: see struct capability. */
int clonetype_read(struct config *config, const struct node *root, const char *name, struct err *err);
int clonetype_print(const struct config *config, struct bytes *out);
int clonetype_help(struct bytes *out);
bool clonetype_implied(const struct config *config);

#endif
