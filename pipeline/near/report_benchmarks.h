/* near/report_benchmarks.h -- the report's section with a part for each benchmark: what the rules of all capabilities
 * say of its items and where they agree, how alike and how often copied those are that leak, and from which
 * repositories. */
#ifndef LEAKGRAPH_NEAR_REPORT_BENCHMARKS_H
#define LEAKGRAPH_NEAR_REPORT_BENCHMARKS_H

#include "base/err.h"
#include "report/document.h"

#include <sqlite3.h>

enum { BENCHMARKS_MOST = 50 };                              /* that have a part; the others are in the SQL of any */

/* Hidden where no item of a benchmark leaks.  0 or <0 with err set. */
int benchmarks_report_add(struct report_document *out, sqlite3 *db, struct err *err);

#endif
