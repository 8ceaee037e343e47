/* page/report_write.h -- the report of a run in its three forms, each made from graph.db alone. */
#ifndef LEAKGRAPH_PAGE_REPORT_WRITE_H
#define LEAKGRAPH_PAGE_REPORT_WRITE_H

#include "report/report.h"

/* The names of the files, and how many there are. */
enum { REPORT_WRITE_FILES = 3 };
extern const char *const report_write_names[REPORT_WRITE_FILES];

/* Renders a document as dir/report.html, report.md and report.json; each appears complete or not at all.  0 or <0 with
 * err set. */
int report_write_document(const struct report_document *document, const char *dir, struct err *err);

/* The same of dir/graph.db.  tables, up to NULL: those of the capabilities, whose views the parts select from. */
int report_write(const char *dir, const struct report_part *const *part, const struct graph_table *const *tables,
                 struct err *err);

#endif
