/* marked/report.h -- the part of the report about documents that have the line; see struct report_part. */
#ifndef LEAKGRAPH_MARKED_REPORT_H
#define LEAKGRAPH_MARKED_REPORT_H

#include "report/report.h"

int marked_add(struct report_document *out, sqlite3 *db, struct err *err);

#endif
