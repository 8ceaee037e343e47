/* clone/report.h -- the part of the report that tells which blocks of lines the benchmarks share with the corpora. */
#ifndef LEAKGRAPH_CLONE_REPORT_H
#define LEAKGRAPH_CLONE_REPORT_H

#include "base/err.h"
#include "report/document.h"

#include <sqlite3.h>

/* Add the sentence at the top of the report, and the section "line_clones"; nothing when the pass did not run.  0 or <0
 * with err set. */
int clones_add_summary(struct report_document *out, struct report_node *found, sqlite3 *db, struct err *err);
int clones_add(struct report_document *out, sqlite3 *db, struct err *err);

#endif
