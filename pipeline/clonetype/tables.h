/* clonetype/tables.h -- tables of graph.db: functions of the corpora that are clones of functions of items. */
#ifndef LEAKGRAPH_CLONETYPE_TABLES_H
#define LEAKGRAPH_CLONETYPE_TABLES_H

#include "clonetype/index.h"
#include "clonetype/result.h"
#include "graph/build.h"

/* by item, dataset, those of main functions first, then the best */
struct graph_clone_pair {
    uint32_t     item, dataset, shard, common, whole;
    uint64_t     record;
    struct slice type, item_name, source_id, path, repo, license, license_class, name, class_name;
    uint32_t     item_line, item_line_end, item_byte, item_byte_end, line, line_end, byte, byte_end;
    uint32_t     item_aligned_line, item_aligned_line_end, aligned_line, aligned_line_end;
    bool         item_main;
    double       similarity;
};

/* by item, dataset */
struct graph_clone_item { uint32_t item, dataset; struct slice type; uint64_t pairs; };

extern const struct graph_table *const clonetype_tables[];  /* for the descriptor */

/* Adds the rows; the build points into the result and the job's index.  0, or -ENOMEM with err set. */
int graph_add_clonetypes(struct graph_build *build, const struct clonetype_job *job,
                         const struct clonetype_result *result, struct err *err);

/* In SQL, of datasets AS t: clones were looked for in it. */
#define CLONE_SEARCHED "EXISTS (SELECT 1 FROM run WHERE key = 'clone_types.searched.' || t.id)"

#endif
