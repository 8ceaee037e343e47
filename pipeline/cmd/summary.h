/* cmd/summary.h -- what a run says at its end: the overlap table and one line of numbers. */
#ifndef LEAKGRAPH_CMD_SUMMARY_H
#define LEAKGRAPH_CMD_SUMMARY_H

#include "base/comm.h"
#include "graph/graph.h"
#include "pass/pass.h"

#include <time.h>

struct run_summary { double started; time_t started_at; uint64_t shard_bytes; };

/* The table of whole datasets, and of those of their splits that share something, on standard output.  contained: its
 * column is shown even when it is 0 everywhere.  0, or -ENOMEM with err set. */
int  summary_table(const struct graph *graph, bool contained, struct err *err);

/* Collective.  Rank 0 logs one line: records in, used, rejected, bytes, wall, CPU of all ranks, peak memory of the
 * largest rank. */
void summary_line(const struct run_summary *summary, struct comm *comm, const struct pass_totals *totals);

#endif
