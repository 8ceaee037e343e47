/* portrait/report.h -- the section on the portrait that a run has made. */
#ifndef LEAKGRAPH_PORTRAIT_REPORT_H
#define LEAKGRAPH_PORTRAIT_REPORT_H

#include "base/err.h"
#include "report/document.h"

#include <sqlite3.h>

/* Nothing when the run made none.  0 or <0 with err set. */
int portrait_add(struct report_document *out, sqlite3 *db, struct err *err);

#endif
