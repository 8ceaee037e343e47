/* clonetype/report.h -- the report's section of clones by type. */
#ifndef LEAKGRAPH_CLONETYPE_REPORT_H
#define LEAKGRAPH_CLONETYPE_REPORT_H

#include "report/document.h"

#include <sqlite3.h>

/* The sentence at the top, and the section: see struct report_part.  0, or <0 with err set. */
int clonetypes_add_summary(struct report_document *out, struct report_node *found, sqlite3 *db, struct err *err);
int clonetypes_add(struct report_document *out, sqlite3 *db, struct err *err);

#endif
