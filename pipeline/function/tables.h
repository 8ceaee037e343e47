/* function/tables.h -- tables of graph.db: functions of the corpora that are like items. */
#ifndef LEAKGRAPH_FUNCTION_TABLES_H
#define LEAKGRAPH_FUNCTION_TABLES_H

#include "function/result.h"
#include "graph/build.h"

/* by item, dataset, then the best first */
struct graph_function_pair {
    uint32_t     item, dataset, shard, kind;
    uint64_t     record;
    struct slice source_id, path, repo, license, license_class, name, class_name, text;
    uint32_t     line, line_end, byte, byte_end, shared, union_size, min_sum, max_sum;
    double       set_similarity, multiset_similarity;
};

/* by item, dataset */
struct graph_function_item { uint32_t item, dataset; uint64_t functions; };

extern const struct graph_table *const function_tables[];  /* for the descriptor */

/* Adds the rows; the build points into the result.  0, or -ENOMEM with err set. */
int graph_add_functions(struct graph_build *build, const struct function_job *job,
                        const struct near_residents *residents, const struct function_result *result, struct err *err);

#endif
