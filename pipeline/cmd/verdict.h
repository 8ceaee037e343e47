/* cmd/verdict.h -- what a finished run means to whoever waits for its exit status: warnings, gates, and datasets that
 * could not be read. */
#ifndef LEAKGRAPH_CMD_VERDICT_H
#define LEAKGRAPH_CMD_VERDICT_H

#include "config/config.h"

#include <stdbool.h>

/* Reads dir/graph.db, logs its warnings and every gate that was passed; *gate: one was.  0, -EBADMSG when no
 * record of a dataset could be used, or another error, with err set. */
int verdict_reach(const struct config *config, const char *dir, bool *gate, struct err *err);

#endif
