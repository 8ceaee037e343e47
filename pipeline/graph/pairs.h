/* graph/pairs.h -- the pairs of a pass while graph.db is made: sorted, each once, in memory or on disk.
 *
 * Whoever finds pairs adds them to runs (base/runs.h); pairs_give shows these to the graph, pairs_next reads them, the
 * same whether they lie in memory or not. */
#ifndef LEAKGRAPH_GRAPH_PAIRS_H
#define LEAKGRAPH_GRAPH_PAIRS_H

#include "base/runs.h"
#include "graph/graph.h"

/* Runs of struct graph_edge by (a, b); of one pair that is added twice the first stays. */
struct runs_options pairs_options(struct stage *stage, uint64_t memory);

/* The pairs of ended runs are those of the pass, in which document d of the runs is place[d], NULL: d.  place ascends
 * and stays; so do the runs.  Counts them.  0; -EIO, -EBADMSG, -ENOMEM with err set. */
int  pairs_give(struct graph_pass *pass, struct runs *runs, const uint32_t *place, struct err *err);

/* In order, from the first:
 *     rc = pairs_open(&pairs, pass, err);
 *     while (rc == 0 && (rc = pairs_next(&pairs, &edge, err)) > 0) rc = ...
 *     pairs_close(&pairs); */
struct pairs { const struct graph_pass *pass; size_t next; struct runs_reader *reader; };
int  pairs_open(struct pairs *out, const struct graph_pass *pass, struct err *err);     /* 0, or <0 with err set */
/* 1; 0 after the last; -EIO, -EBADMSG with err set. */
int  pairs_next(struct pairs *pairs, struct graph_edge *out, struct err *err);
void pairs_close(struct pairs *pairs);                      /* accepts a zeroed one */

#endif
