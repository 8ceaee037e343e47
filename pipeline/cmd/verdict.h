/* cmd/verdict.h -- what a finished run means to whoever waits for its exit status: warnings, gates, and datasets that
 * could not be read. */
#ifndef LEAKGRAPH_CMD_VERDICT_H
#define LEAKGRAPH_CMD_VERDICT_H

#include "base/err.h"

#include <stdbool.h>

/* Reads dir/graph.db, logs its warnings and every gate that did not pass; those that did are said on standard output,
 * unless quiet.  *gate: one failed or is inconclusive.  0, -EBADMSG when no record of a dataset could be used, or
 * another error, with err set. */
int verdict_reach(const char *dir, bool quiet, bool *gate, struct err *err);

/* false: dir/graph.db is of a run that ended as no record of a dataset could be used. */
bool verdict_usable(const char *dir);

#endif
