/* probe/tables.h -- what models were found to know, put into the graph of a run. */
#ifndef LEAKGRAPH_PROBE_TABLES_H
#define LEAKGRAPH_PROBE_TABLES_H

#include "graph/build.h"
#include "probe/probe.h"

/* A model that was asked, the items it was asked about (negative: NULL), what came of each (by item, model, metric),
 * why some is missing, and whole benchmarks in an order (by dataset, model, shard, permutation). */
struct graph_model {
    struct slice name, backend;
    int64_t context, vocabulary, parameters;
    uint64_t key_low, key_high;
};
struct graph_probe_item { uint32_t document; int64_t truth; };
struct graph_probe      { double value; struct slice metric; uint32_t document, model; };
struct graph_probe_gap  { struct slice metric, reason; uint64_t items; uint32_t model; };

struct graph_probe_order {
    double logprob;
    uint64_t tokens;
    uint32_t dataset, model, shard, permutation, items;
};

extern const struct graph_table table_models, table_probe_items, table_probes, table_probe_gaps, table_probe_orders;
extern const struct graph_table *const probe_tables[];     /* for the descriptor */

/* Adds models, items, values and gaps when all documents and pairs are in the graph.  Items that are not stored there,
 * because the view of pass near rejected them, are left out; they are among the rejects.  The graph points into job and
 * result, which must outlive it.  0, or -ENOMEM with err set. */
int graph_add_probes(struct graph_build *build, const struct probe_job *job, const struct probe_result *result,
                     struct err *err);

/* TRUTH_NEAR of every document of a graph, 1, 0 or -1: it has a pair of pass near (not of kind below) with a document
 * of a corpus, none, or none among the pairs that the graph has, which are not all (max_matches).  Where large classes
 * of equal documents are stars, what holds of the star's middle holds of all.  out[documents]. */
int graph_truth_near(const struct graph *graph, int8_t *out, struct err *err);

#endif
