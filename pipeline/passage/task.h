/* passage/task.h -- the capability in a run: its work, what came of it.  Its settings are near's. */
#ifndef LEAKGRAPH_PASSAGE_TASK_H
#define LEAKGRAPH_PASSAGE_TASK_H

#include "capability/capability.h"
#include "passage/result.h"

struct passage_task {
    struct passage_job    job;
    struct passage_result result;                           /* on rank 0 */
};

extern const struct capability passage_capability;

#endif
