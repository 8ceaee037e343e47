/* passage/report.h -- passages in the report, from graph.db. */
#ifndef LEAKGRAPH_PASSAGE_REPORT_H
#define LEAKGRAPH_PASSAGE_REPORT_H

#include "report/document.h"

#include <sqlite3.h>

/* The sentence at the top, and the section: see struct report_part.  0, or <0 with err set. */
int passages_add_summary(struct report_document *out, struct report_node *found, sqlite3 *db, struct err *err);
int passages_add(struct report_document *out, sqlite3 *db, struct err *err);

#endif
