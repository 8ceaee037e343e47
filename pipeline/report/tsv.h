/* report/tsv.h -- a table of a report as lines of TAB-separated values, for other programs. */
#ifndef LEAKGRAPH_REPORT_TSV_H
#define LEAKGRAPH_REPORT_TSV_H

#include "report/document.h"

/* Appends a line of the columns' keys and a line a row, those too that a person need not read.  In texts TAB, LF, CR
 * and backslash are \t, \n, \r and \\; flags are 0 and 1; what there is nothing to say of is empty.  0 or -ENOMEM. */
int report_tsv(const struct report_node *table, struct bytes *out);

/* Appends a text so.  0 or -ENOMEM. */
int report_tsv_text(struct slice text, struct bytes *out);

/* Writes every table of the document to folder/KEY.tsv.  0, or <0 with err set. */
int report_tsv_write(const struct report_document *document, const char *folder, struct err *err);

#endif
