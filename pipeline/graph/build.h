/* graph/build.h -- from what the stages found to the finished graph. */
#ifndef LEAKGRAPH_GRAPH_BUILD_H
#define LEAKGRAPH_GRAPH_BUILD_H

#include "graph/graph.h"
#include "pass/counts.h"

struct graph_build {
    struct graph          graph;
    /* the pairs of the passes, owned */
    struct runs          *near_pairs, *dedup_pairs;
    uint64_t              near_kinds[EDGE_KIND_COUNT];      /* how many of the former */
    /* of pass near, owned: another pass moves its documents.  [near_place_count] where those of its result stand; NULL:
     * each at its own number */
    uint32_t             *near_place;
    size_t                near_place_count;
    const struct scan_counts *counts;                       /* those the documents' numbers are from; NULL: none yet */
    struct graph_rows    *rows;                             /* what graph.rows is */
    size_t                row_room;
    void                **owned;
    size_t                owned_count, owned_room;
};

/* The build owns the block from now on; returns it.  NULL is passed through; NULL too, and the block is freed, when
 * memory is out. */
void *graph_build_own(struct graph_build *build, void *block);

/* The rows of a capability's table, an array of its row structs, which is borrowed.  0, or -ENOMEM with err set. */
int graph_add_rows(struct graph_build *build, const struct graph_table *table, const void *rows, size_t count,
                   struct err *err);

/* What was passed over: shard[i].skipped and the rows of table skipped, of [count] shards, from the struct skips of
 * each, which lie `stride` bytes apart.  0, or -ENOMEM with err set. */
int graph_build_skips(struct graph_build *build, struct graph_shard *shard, size_t count, const struct skips *first,
                      size_t stride, struct err *err);

/* Datasets, splits, shards and rejects alone, for a run without joins; added to a zeroed build, which points into
 * datasets and counts.  0, or -ENOMEM with err set. */
int  graph_build_counts(struct graph_build *build, const struct dataset *datasets, size_t dataset_count,
                        const struct scan_counts *counts, struct err *err);
void graph_build_free(struct graph_build *build);

/* Finds stored documents that are asked for in the order of shards and records, which is theirs too: one look at each
 * is enough.  Zeroed but for the graph at first. */
struct graph_finder {
    const struct graph *graph;
    size_t              at, made;                           /* made: the one that `document` is, + 1 */
    struct graph_document        scratch;
    const struct graph_document *document;
};
bool graph_find(struct graph_finder *finder, uint32_t shard, uint64_t record, uint32_t *out);

#endif
