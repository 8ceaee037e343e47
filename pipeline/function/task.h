/* function/task.h -- the capability in a run: its work, what came of it.  It has no settings but datasets.unit. */
#ifndef LEAKGRAPH_FUNCTION_TASK_H
#define LEAKGRAPH_FUNCTION_TASK_H

#include "capability/capability.h"
#include "function/result.h"

struct function_task {
    struct function_job    job;
    struct function_result result;                          /* on rank 0 */
};

extern const struct capability function_capability;

#endif
