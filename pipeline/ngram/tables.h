/* ngram/tables.h -- what pass ngrams found, put into the graph of a run. */
#ifndef LEAKGRAPH_NGRAM_TABLES_H
#define LEAKGRAPH_NGRAM_TABLES_H

#include "graph/build.h"
#include "ngram/ngram.h"

/* Adds the pass when all documents are in the graph.  Items that are not stored there, because the view of pass near
 * rejected them, are left out; they are among the rejects.  The graph points into job, which must outlive it.  0, or
 * -ENOMEM with err set. */
int graph_add_ngrams(struct graph_build *build, const struct ngram_job *job, const struct ngram_result *result,
                     struct err *err);

#endif
