/* passage/tables.h -- tables of graph.db: items that are passages of documents. */
#ifndef LEAKGRAPH_PASSAGE_TABLES_H
#define LEAKGRAPH_PASSAGE_TABLES_H

#include "graph/build.h"
#include "passage/result.h"

/* by item, dataset, then the best first */
struct graph_passage {
    uint32_t     item, dataset, shard;
    uint64_t     record;
    struct slice source_id, path, repo, license, license_class;
    int64_t      line, line_end, byte, byte_end;
    uint32_t     found, runs;
    double       share;
};

/* by item, dataset */
struct graph_passage_item { uint32_t item, dataset; uint64_t documents; };

extern const struct graph_table *const passage_tables[];   /* for the descriptor */

/* Adds the rows; the build points into the result.  0, or -ENOMEM with err set. */
int graph_add_passages(struct graph_build *build, const struct passage_job *job, const struct passage_result *result,
                       struct err *err);

#endif
