/* graph/reference.h -- what graph.db is, in Markdown, from the descriptions of its tables: `leakgraph help graph`. */
#ifndef LEAKGRAPH_GRAPH_REFERENCE_H
#define LEAKGRAPH_GRAPH_REFERENCE_H

#include "base/err.h"
#include "graph/table.h"

/* Appends the tables that every graph has and those of the capabilities (up to NULL).  0 or -ENOMEM. */
int graph_reference(const struct graph_table *const *tables, struct bytes *out);

/* Appends what it says of the table of that name, with its views, or of the view.  0, -EINVAL with the nearest name,
 * -ENOMEM; err is set. */
int graph_reference_of(const struct graph_table *const *tables, const char *name, struct bytes *out, struct err *err);

#endif
