/* dedup/tables.h -- what pass dedup found, put into the graph of a run. */
#ifndef LEAKGRAPH_DEDUP_TABLES_H
#define LEAKGRAPH_DEDUP_TABLES_H

#include "dedup/result.h"
#include "graph/build.h"

/* Where a shard was written to. */
struct graph_dedup_shard {
    uint32_t     dataset, shard;
    uint64_t     documents, kept;
    struct slice file;
    int64_t      record;                                    /* of the file; -1: none is kept */
};

extern const struct graph_table table_dedup, table_dedup_shards;
extern const struct graph_table *const dedup_tables[];     /* for the descriptor */

/* Adds the pass to what graph_build made of the same configuration, or, where pass near did not run, to a zeroed build.
 * A document that both passes hold is stored once, with the fields of pass near; counts of splits are those of pass
 * near as well.  The graph points into result and job, which must outlive it; its documents are made when they are
 * asked for (graph_document_at); what pairs are made from is
 * gone from the result afterwards. 0; -EINVAL (the passes read different records of a shard: the text says which, and
 * what to do), -EBADMSG (the result contradicts itself), -EOVERFLOW (more than 2^32 documents or links), -ENOMEM with
 * err set; then the build is empty. */
int graph_add_dedup(struct graph_build *build, const struct dedup_job *job, struct dedup_result *result,
                    struct err *err);

/* The rows of table dedup_shards, where shards are written; part of graph_add_dedup.  0, -EEXIST, -ENOMEM with err set.
 */
int graph_add_dedup_shards(struct graph_build *build, const struct dedup_job *job, const struct dedup_result *result,
                           struct err *err);

#endif
