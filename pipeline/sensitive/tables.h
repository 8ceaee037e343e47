/* sensitive/tables.h -- sensitive strings, put into the graph of a run. */
#ifndef LEAKGRAPH_SENSITIVE_TABLES_H
#define LEAKGRAPH_SENSITIVE_TABLES_H

#include "graph/build.h"
#include "sensitive/result.h"

/* Adds the values.  The graph points into result, which must outlive it.  0, or -ENOMEM with err set. */
int graph_add_sensitive(struct graph_build *build, const struct sensitive_result *result, struct err *err);

#endif
