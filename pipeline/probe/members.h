/* probe/members.h -- how well each metric tells items that were in the training data from others, with what the number
 * of items lets one say: areas with intervals, what is found at few false alarms, which metric or model does better.
 * Part of the report, and what `leakgraph membership` prints. */
#ifndef LEAKGRAPH_PROBE_MEMBERS_H
#define LEAKGRAPH_PROBE_MEMBERS_H

#include "base/err.h"
#include "report/document.h"

#include <sqlite3.h>

/* Adds the tables separation, rates and comparisons to a section, from graph.db that has its views, and says what is
 * missing where there is no truth.  0 or <0 with err set. */
int members_add(struct report_document *out, struct report_node *section, sqlite3 *db, struct err *err);

#endif
