/* clean/report.h -- the part of the report about cleaned datasets: what was removed by which rule, sizes before and
 * after, where everything lies. */
#ifndef LEAKGRAPH_CLEAN_REPORT_H
#define LEAKGRAPH_CLEAN_REPORT_H

#include "base/err.h"
#include "report/document.h"
#include "report/advice.h"

#include <sqlite3.h>

enum { CLEANED_REASONS = 40 };                              /* rows that a person sees */

/* Adds the section when something was cleaned.  0 or <0 with err set. */
int cleaned_add(struct report_document *out, sqlite3 *db, struct err *err);

/* Warns when a dataset was removed as a whole. */
int cleaned_advise(sqlite3 *db, const struct advice_listener *to, struct err *err);

#endif
