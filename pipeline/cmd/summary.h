/* cmd/summary.h -- the one line of numbers that a run says at its end. */
#ifndef LEAKGRAPH_CMD_SUMMARY_H
#define LEAKGRAPH_CMD_SUMMARY_H

#include "base/comm.h"
#include "pass/pass.h"

#include <time.h>

struct run_summary { double started; time_t started_at; uint64_t shard_bytes; };

/* Collective.  Rank 0 logs one line: records in, used, rejected, bytes, wall, CPU of all ranks, peak memory of the
 * largest rank. */
void summary_line(const struct run_summary *summary, struct comm *comm, const struct pass_totals *totals);

#endif
