/* generate/tables.h -- what models wrote, and what of it they had by heart, put into the graph of a run. */
#ifndef LEAKGRAPH_GENERATE_TABLES_H
#define LEAKGRAPH_GENERATE_TABLES_H

#include "graph/build.h"
#include "generate/generate.h"
#include "clone/result.h"

/* An output of a model (prompt negative: NULL); a block of line clones that a model's outputs have; and all of them for
 * the first outputs of a model. */
struct graph_generation {
    uint64_t output;
    int64_t prompt;
    struct slice model;
    struct slice path;
    uint32_t tokens, dataset, shard;
    bool stopped;
};
struct graph_memorised    { struct slice model; uint64_t occurrences, outputs, first; uint32_t clone; };
struct graph_memorisation {
    double spearman, pearson;
    struct slice model;
    uint64_t outputs, blocks, occurrences, with_any;
    uint32_t tokens;
};

extern const struct graph_table table_generations, table_memorised, table_memorisation;
extern const struct graph_table *const generate_tables[], *const memorised_tables[];     /* for the descriptor */

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
