/* cmd/answer.h -- what a run prints when it is done. */
#ifndef LEAKGRAPH_CMD_ANSWER_H
#define LEAKGRAPH_CMD_ANSWER_H

#include "config/config.h"
#include "graph/graph.h"

/* Rank 0, with graph.db in its place.  On standard output: a table of each capability's answer, where graph.db and the
 * report lie, and the run's digest (`digest`, 32 hex digits), with those of the tables of which it says nothing.
 * 0, or <0 with err set. */
int answer_print(const struct config *config, const struct graph *graph, const char *digest, struct err *err);

#endif
