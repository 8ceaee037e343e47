/* sensitive/tables.h -- sensitive strings, put into the graph of a run. */
#ifndef LEAKGRAPH_SENSITIVE_TABLES_H
#define LEAKGRAPH_SENSITIVE_TABLES_H

#include "graph/build.h"
#include "sensitive/result.h"

/* A sensitive string of a dataset: by dataset, kind and pattern; corpus_occurrences and corpus_documents negative:
 * NULL. */
struct graph_sensitive {
    uint32_t     dataset, shard;
    struct slice kind, pattern, masked;
    uint64_t     hash_low, hash_high, occurrences, documents, record, byte;
    int64_t      corpus_occurrences, corpus_documents;
    struct slice path;
    uint32_t     line;
};

extern const struct graph_table table_sensitive;
extern const struct graph_table *const sensitive_tables[];     /* for the descriptor */

/* Adds the values.  The graph points into result, which must outlive it.  0, or -ENOMEM with err set. */
int graph_add_sensitive(struct graph_build *build, const struct sensitive_result *result, struct err *err);

#endif
