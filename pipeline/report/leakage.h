/* report/leakage.h -- the report of a run: what was compared, what is shared, the worst items, what repeats, what was
 * rejected, how to get it again.
 *
 * It is made from graph.db alone, so it can be made again at any time. */
#ifndef LEAKGRAPH_REPORT_LEAKAGE_H
#define LEAKGRAPH_REPORT_LEAKAGE_H

#include "base/err.h"
#include "report/document.h"

#include <sqlite3.h>

/* Of LEAKAGE_ITEMS items in report.json, report.md shows the first LEAKAGE_SHOWN. */
enum { LEAKAGE_ITEMS = 50, LEAKAGE_SHOWN = 10, LEAKAGE_MATCHES = 5, LEAKAGE_EXCERPT = 5, LEAKAGE_EXAMPLES = 3,
       LEAKAGE_SENTENCES = 5 };

/* Builds the document from an open graph.db.  0 or <0 with err set; *out is to be closed either way. */
int leakage_build(struct report_document *out, sqlite3 *db, struct err *err);

/* Writes dir/report.md and dir/report.json from dir/graph.db; each appears complete or not at all.  0 or <0 with err
 * set. */
int leakage_write(const char *dir, struct err *err);

#endif
