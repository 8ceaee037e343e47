/* clean/tables.h -- what `clean` did, as rows of graph.db. */
#ifndef LEAKGRAPH_CLEAN_TABLES_H
#define LEAKGRAPH_CLEAN_TABLES_H

#include "graph/graph.h"

/* What `clean` made of a split, and each document that it removed (lines empty) or shortened. */
struct graph_cleaned {
    struct slice output, kind, split;
    uint32_t dataset;
    uint64_t documents, bytes, removed, cut, spans, removed_bytes;
};
struct graph_cleaned_document {
    struct slice output, split, source_id, path, lines, why;
    uint64_t number, record, bytes;
    uint32_t dataset, shard;
};

/* Where a shard was written to. */
struct graph_cleaned_shard {
    struct slice output, kind, file;
    uint32_t     dataset, shard;
    uint64_t     documents, kept;
    int64_t      record;                                    /* of the file; -1: none is kept */
};

extern const struct graph_table table_cleaned, table_cleaned_documents, table_cleaned_shards;
extern const struct graph_table *const clean_tables[];     /* for the descriptor */

#endif
