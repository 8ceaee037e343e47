/* graph/ids.h -- the number by which a document goes in what is written: snippets.id.
 *
 * id = slot * 10^12 + id_within_dataset + 1, where slot is the dataset's place in the configuration, from 0.  So it
 * depends on nothing but the dataset's place and its readable documents: neither on what else is stored, nor on any
 * threshold, so that notes on one run name the same document in the next.  Ids ascend in the contract's order, and
 * those of a dataset follow each other.  Up to 9000 datasets they are exact as JSON numbers (2^53).
 *
 * In memory a document is its index; only what is written has ids. */
#ifndef LEAKGRAPH_GRAPH_IDS_H
#define LEAKGRAPH_GRAPH_IDS_H

#include "graph/graph.h"

#define GRAPH_ID_STEP 1000000000000ull                      /* documents of a dataset at most */

/* The slot of the dataset of the document with that id, in SQL. */
#define GRAPH_ID_SLOT(id) "(" id " - 1) / 1000000000000"

/* Is it an id of the dataset at that row of table datasets?  A range, which an index finds. */
#define GRAPH_ID_OF(id, row) id " BETWEEN (" row " - 1) * 1000000000000 + 1 AND " row " * 1000000000000"

static inline uint64_t graph_id(uint32_t dataset, uint64_t number)
{
    return dataset * GRAPH_ID_STEP + number + 1;
}

/* 0, or -EOVERFLOW with err set: a dataset has more documents than there are ids for. */
int graph_ids_fit(const struct graph *graph, struct err *err);

/* The id of document i. */
static inline uint64_t graph_id_at(const struct graph *graph, size_t i)
{
    if (!graph->documents) return graph->document_id(graph->source, i);
    return graph_id(graph->documents[i].dataset, graph->documents[i].number);
}

/* The document with that id, which may be any number; *index is tried first, as rows come in runs of one, and set.
 * False: there is none.  The graph must hold its documents (not make them one at a time). */
bool graph_id_find(const struct graph *graph, uint64_t id, uint32_t *index);

#endif
