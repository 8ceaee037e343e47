/* graph/check.h -- is a graph.db what it says it is. */
#ifndef LEAKGRAPH_GRAPH_CHECK_H
#define LEAKGRAPH_GRAPH_CHECK_H

#include "base/err.h"
#include "graph/table.h"

/* Told of each check: its name and what was found wrong (NULL: nothing). */
struct check_report { void (*line)(void *context, const char *check, const char *wrong); void *context; };

/* Runs all checks on the database, those that the descriptions of its tables have among them; one that cannot be run
 * because an earlier one failed is passed over.  Returns the number of failed checks, or -ENOMEM with err set. */
int check_graph(const char *path, const struct graph_table *const *tables, const struct check_report *report,
                struct err *err);

#endif
