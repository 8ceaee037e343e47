/* near/tables.h -- the join's own table of graph.db, how long documents are, and views of what it found in the tables
 * that every graph has. */
#ifndef LEAKGRAPH_NEAR_TABLES_H
#define LEAKGRAPH_NEAR_TABLES_H

#include "graph/build.h"
#include "graph/item_pairs.h"
#include "near/result.h"

/* Documents of a dataset with `least` to `most` features. */
struct graph_length { uint32_t dataset, least, most; uint64_t documents; };

/* SQL of views items and leaked_items, for who asks for many of their rows at once (report_items.c): how alike pairs
 * `e` say their item is, whose share of it that column is; the same of an item `s`, of its pairs on one side; the order
 * of items, those that leaked most first.  A contained pair, and a copy of a short document, is no match, but a leak
 * all the same. */
#define ITEMS_MOST_ALIKE(share) "max(iif(e.kind = 'contained', e." share ", e.set_similarity))"
#define ITEMS_ALIKE(mine, share) \
    "ifnull((SELECT " ITEMS_MOST_ALIKE(share) " FROM edges AS e WHERE e." mine " = s.id AND " GRAPH_NEAR_PAIR "), 0)"
#define ITEMS_LEAKED_ORDER "matches DESC, alike DESC, inside DESC, dataset, split, source_id, id"

extern const struct graph_table table_lengths;
extern const struct graph_table *const near_tables[];       /* for the descriptor */

/* Adds the buckets that have documents, by dataset.  0, or -ENOMEM with err set. */
int graph_add_lengths(struct graph_build *build, const struct near_result *result, size_t datasets, struct err *err);

#endif
