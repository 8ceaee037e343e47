/* inclusion/report.h -- what models gave back of files, for readers. */
#ifndef LEAKGRAPH_INCLUSION_REPORT_H
#define LEAKGRAPH_INCLUSION_REPORT_H

#include "report/report.h"

/* The section "Inclusion", if models were asked for files.  0 or <0 with err set. */
int inclusion_add(struct report_document *out, sqlite3 *db, struct err *err);

#endif
