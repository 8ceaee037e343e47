/* generate/tables.h -- what models wrote, and what of it they had by heart, put into the graph of a run. */
#ifndef LEAKGRAPH_GENERATE_TABLES_H
#define LEAKGRAPH_GENERATE_TABLES_H

#include "graph/build.h"
#include "generate/generate.h"
#include "clone/result.h"

/* Adds the outputs.  Those of model m are dataset job->dataset_count + m, one shard.  The graph points into job, which
 * must outlive it.  0, or -ENOMEM with err set. */
int graph_add_generations(struct graph_build *build, const struct generate_job *job, const struct shard_list *shards,
                          struct err *err);

/* Adds which blocks of line clones each model's outputs have, and the table of memorisation: for the first quarter of
 * the outputs, the first half, three quarters and all of them.  Without `self` of line clones.  0, or -ENOMEM with err
 * set. */
int graph_add_memorised(struct graph_build *build, const struct generate_job *job, const struct clone_job *clones,
                        const struct clone_result *result, struct err *err);

#endif
