/* generate/report.h -- the part of the report that tells what models wrote by themselves, and which blocks of lines
 * of the corpora they had by heart. */
#ifndef LEAKGRAPH_GENERATE_REPORT_H
#define LEAKGRAPH_GENERATE_REPORT_H

#include "base/err.h"
#include "report/document.h"

#include <sqlite3.h>

/* Adds the section when models wrote something.  0 or <0 with err set. */
int memorisation_add(struct report_document *out, sqlite3 *db, struct err *err);

#endif
