/* documents/task.h -- what was read, and the items of benchmarks where no join stores them. */
#ifndef LEAKGRAPH_DOCUMENTS_TASK_H
#define LEAKGRAPH_DOCUMENTS_TASK_H

#include "capability/capability.h"
#include "pass/item.h"

struct documents_task {
    struct view_options view;                               /* of stored tokens */
    bool                wanted;                             /* somebody asks the items, and nobody else stores them */
    struct item_job     job;
    struct item_result  result;                             /* on rank 0, and so is the next */
    struct scan_counts  counts;
};

extern const struct capability documents_capability;

#endif
