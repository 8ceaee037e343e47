/* compliance/report.h -- what is said of licensed functions and answers to them, for readers. */
#ifndef LEAKGRAPH_COMPLIANCE_REPORT_H
#define LEAKGRAPH_COMPLIANCE_REPORT_H

#include "report/report.h"

/* The section "Licence compliance", if there are answers.  0 or <0 with err set. */
int compliance_add(struct report_document *out, sqlite3 *db, struct err *err);

#endif
