/* report/csv.h -- a text as a field of CSV (RFC 4180). */
#ifndef LEAKGRAPH_REPORT_CSV_H
#define LEAKGRAPH_REPORT_CSV_H

#include "base/bytes.h"
#include "base/slice.h"

/* Appends the text: in quotes where it must be, and where it is empty, which null is not.  One that begins with = + - @
 * TAB or CR, which a spreadsheet would carry out as a formula, has an apostrophe in front.  0 or -ENOMEM. */
int csv_text(struct slice text, struct bytes *out);

#endif
