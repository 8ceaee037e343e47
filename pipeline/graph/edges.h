/* graph/edges.h -- the pairs of a graph beyond the database: their scores, and the sorted list that takes them when
 * they are too many.
 *
 * The list (EDGES_FILE beside graph.db) is one zstd stream of TAB-separated lines, a header line with the column names
 * of table edges first, then the rows of each pass in the order of (a, b); similarities with nine decimals. */
#ifndef LEAKGRAPH_GRAPH_EDGES_H
#define LEAKGRAPH_GRAPH_EDGES_H

#include "base/bytes.h"
#include "base/err.h"
#include "graph/graph.h"

#define EDGES_FILE "edges.tsv.zst"

struct edge_scores { double set, multiset, containment_a, containment_b; };

/* Byte-equal documents have all scores 1, also when they have no feature at all. */
struct edge_scores edge_score(const struct graph *graph, enum graph_pass_name pass, const struct graph_edge *edge);

/* Pairs as they are found; a zeroed struct is an empty list.  add: 0 or -ENOMEM, then the list is as it was. */
struct edge_list { struct graph_edge *at; size_t count, room; };
int  edge_list_add(struct edge_list *list, const struct graph_edge *edge);
void edge_list_free(struct edge_list *list);                /* leaves an empty list */

/* Writes the list to an open file; name is used in messages.  0, -EIO, -ENOSPC, -ENOMEM with err set. */
int edges_write(const struct graph *graph, int file, const char *name, struct err *err);

/* Reads a list back into the (empty) list of each pass; owned by the caller also after a failure.  Every number is
 * checked to fit and a < b to be documents of `graph`.  0, -EIO, -EBADMSG (with the line), -ENOMEM with err set. */
int edges_read(const char *path, const struct graph *graph, struct edge_list out[GRAPH_PASSES], struct err *err);

/* The kind of that name, or EDGE_KIND_COUNT; the pass of that name, or GRAPH_PASSES. */
uint32_t edge_kind_of(struct slice name);
uint32_t edge_pass_of(struct slice name);

#endif
