/* config/capabilities.h -- the table of capabilities. */
#ifndef LEAKGRAPH_CONFIG_CAPABILITIES_H
#define LEAKGRAPH_CONFIG_CAPABILITIES_H

#include "capability/capability.h"

extern const struct capability *const capabilities[];       /* ends with NULL */

/* The tables of graph.db that are theirs; ends with NULL. */
const struct graph_table *const *capability_tables(void);

/* What they say in a report, for report_write and advice_give; ends with NULL. */
const struct report_part *const *capability_reports(void);

/* What of their results is compared between runs, a list each; ends with NULL. */
const struct change_part *const *capability_changes(void);

#endif
