/* function/report.h -- the report's section of functions. */
#ifndef LEAKGRAPH_FUNCTION_REPORT_H
#define LEAKGRAPH_FUNCTION_REPORT_H

#include "report/document.h"

#include <sqlite3.h>

/* The sentence at the top, and the section: see struct report_part.  0, or <0 with err set. */
int functions_add_summary(struct report_document *out, struct report_node *found, sqlite3 *db, struct err *err);
int functions_add(struct report_document *out, sqlite3 *db, struct err *err);

#endif
