/* graph/edges.h -- the pairs of a graph beyond the database: their scores, and the sorted list that takes them when they are too many.
 *
 * The list (EDGES_FILE beside graph.db) is one zstd stream of TAB-separated lines, a header line with the column names of table edges
 * first, then the rows in the order of (a, b); similarities with nine decimals. */
#ifndef LEAKGRAPH_GRAPH_EDGES_H
#define LEAKGRAPH_GRAPH_EDGES_H

#include "base/bytes.h"
#include "base/err.h"
#include "graph/graph.h"

#define EDGES_FILE "edges.tsv.zst"

struct edge_scores { double set, multiset, containment_a, containment_b; };

/* Byte-equal documents have all scores 1, also when they have no feature at all. */
struct edge_scores edge_score(const struct graph *graph, const struct graph_edge *edge);

/* Writes the list to an open file; name is used in messages.  0, -EIO, -ENOSPC, -ENOMEM with err set. */
int edges_write(const struct graph *graph, int file, const char *name, struct err *err);

/* Reads a list back: *out (owned, malloc) has *count pairs; pass gets their pass ("" when there is none).  Every number is checked to fit
 * and a < b to be documents of `document_count`.  0, -EIO, -EBADMSG (with the line), -ENOMEM with err set. */
int edges_read(const char *path, size_t document_count, struct graph_edge **out, size_t *count, char pass[32], struct err *err);

/* The kind of that name, or EDGE_KIND_COUNT. */
uint32_t edge_kind_of(struct slice name);

#endif
