/* clone/tables.h -- what line clones found, put into the graph of a run. */
#ifndef LEAKGRAPH_CLONE_TABLES_H
#define LEAKGRAPH_CLONE_TABLES_H

#include "graph/build.h"
#include "clone/result.h"

/* A block of lines that the benchmarks share with the corpora (or repeat), where it stands, and how much of a
 * benchmark's document is in such. */
/* by fingerprint */
struct graph_clone {
    uint64_t fingerprint_low, fingerprint_high, small_count, corpus_count;
    struct slice text;
    uint32_t length;
};
/* by clone */
struct graph_clone_place { uint64_t record; uint32_t clone, dataset, shard, line; struct slice path; };
/* shared: above 0; block_lines 0: nothing is said of a place in a corpus */
struct graph_clone_document {
    uint64_t record, lines, shared, block_record;
    struct slice source_id, path, corpus, block_path;
    uint32_t dataset, shard, block_shard, block_line, block_lines;
};
/* in the order of documents and lines */
struct graph_clone_span { uint64_t record; uint32_t dataset, shard, first, last; struct slice path; };

extern const struct graph_table table_clones, table_clone_places, table_clone_documents, table_clone_spans;
extern const struct graph_table *const clone_tables[];     /* for the descriptor */

/* Adds blocks, places and documents.  The graph points into result, which must outlive it.  0, or -ENOMEM with err set.
 */
int graph_add_clones(struct graph_build *build, const struct clone_job *job, const struct clone_result *result,
                     struct err *err);

#endif
