/* inclusion/tables.h -- files, elements and answers, put into the graph of a run. */
#ifndef LEAKGRAPH_INCLUSION_TABLES_H
#define LEAKGRAPH_INCLUSION_TABLES_H

#include "graph/build.h"
#include "inclusion/inclusion.h"

struct graph_inclusion_file   { struct slice path, repo; uint32_t dataset, shard; uint64_t record; int64_t trained; };
struct graph_inclusion_answer {
    struct slice model, role, wanted, output;
    uint32_t     file, line;
    int64_t      score;
    bool         inside;
};

extern const struct graph_table *const inclusion_tables[];

/* Adds both when the job is done.  The graph points into the job, which must outlive it.  0, or -ENOMEM with err set.
 */
int graph_add_inclusion(struct graph_build *build, const struct inclusion_job *job, struct err *err);

#endif
