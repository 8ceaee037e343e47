/* sensitive/report.h -- the part of a run's report that tells of sensitive strings: how many of each kind, and how many
 * the corpora have too. */
#ifndef LEAKGRAPH_SENSITIVE_REPORT_H
#define LEAKGRAPH_SENSITIVE_REPORT_H

#include "base/err.h"
#include "report/document.h"

#include <sqlite3.h>

/* Adds the section `sensitive`, if that pass ran.  0 or <0 with err set. */
int sensitive_add(struct report_document *out, sqlite3 *db, struct err *err);

/* After this, sensitive strings in texts that are added to the report are masked, when they were looked for. */
int sensitive_report_open(struct report_document *out, sqlite3 *db, struct err *err);

#endif
