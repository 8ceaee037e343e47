/* page/report_write.h -- the report of a run in its three forms, made from graph.db and texts that it does not store.
 */
#ifndef LEAKGRAPH_PAGE_REPORT_WRITE_H
#define LEAKGRAPH_PAGE_REPORT_WRITE_H

#include "report/report.h"
#include "report/show.h"

/* The names of the files, and how many there are. */
enum { REPORT_WRITE_FILES = 3 };
extern const char *const report_write_names[REPORT_WRITE_FILES];

/* Renders a document as dir/report.html, report.md and report.json; each appears complete or not at all.  Threads
 * share the three.  0 or <0 with err set. */
int report_write_document(const struct report_document *document, const char *dir, int threads, struct err *err);

/* The same of dir/graph.db.  tables, up to NULL: those of the capabilities, whose views the parts select from.  reader
 * gives texts that graph.db does not store; NULL: they are not to be had; one thread asks it.  While one thread builds
 * the document, another reads the items of the page, and it or a third asks the tables that take long. */
int report_write(const char *dir, const struct report_part *const *part, const struct graph_table *const *tables,
                 const struct show_reader *reader, int threads, struct err *err);

#endif
