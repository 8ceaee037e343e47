/* probe/scores.h -- what a model says of the items of a benchmark, to be seen: the ROC curve of each metric where the
 * truth is known, and how its values are distributed.  The numbers are those of the views probe_curves and
 * probe_distribution. */
#ifndef LEAKGRAPH_PROBE_SCORES_H
#define LEAKGRAPH_PROBE_SCORES_H

#include "base/err.h"
#include "report/document.h"

#include <sqlite3.h>

/* So many are in the report: (benchmark, model) pairs, and metrics of each; the views have all. */
enum { SCORES_PAIRS = 40, SCORES_METRICS = 16 };

/* Adds to the section the list `scores`: by benchmark, then model, a table of points and one of bins for each metric;
 * nothing where there is no value.  From graph.db that has its views.  0 or <0 with err set. */
int scores_add(struct report_document *out, struct report_node *section, sqlite3 *db, struct err *err);

#endif
