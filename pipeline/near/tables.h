/* near/tables.h -- the join's own table of graph.db, how long documents are, and views of what it found in the tables
 * that every graph has. */
#ifndef LEAKGRAPH_NEAR_TABLES_H
#define LEAKGRAPH_NEAR_TABLES_H

#include "graph/build.h"
#include "near/result.h"

/* Documents of a dataset with `least` to `most` features. */
struct graph_length { uint32_t dataset, least, most; uint64_t documents; };

/* SQL of views items and leaked_items, for who asks for many of their rows at once (report_items.c): how alike a pair
 * `e` says its item is, whose share of it that column is; the order of items, those that leaked most first. */
#define ITEMS_ALIKE(share) "max(iif(e.kind = 'contained', e." share ", e.set_similarity))"
#define ITEMS_LEAKED_ORDER "matches DESC, alike DESC, inside DESC, dataset, split, source_id, id"

extern const struct graph_table table_lengths;
extern const struct graph_table *const near_tables[];       /* for the descriptor */

/* Adds the buckets that have documents, by dataset.  0, or -ENOMEM with err set. */
int graph_add_lengths(struct graph_build *build, const struct near_result *result, size_t datasets, struct err *err);

#endif
