/* near/report_licences.h -- the report's section on the licences of the documents that items leak from. */
#ifndef LEAKGRAPH_NEAR_REPORT_LICENCES_H
#define LEAKGRAPH_NEAR_REPORT_LICENCES_H

#include "base/err.h"
#include "report/document.h"

#include <sqlite3.h>

/* Hidden where no item leaks.  0 or <0 with err set. */
int licences_report_add(struct report_document *out, sqlite3 *db, struct err *err);

#endif
