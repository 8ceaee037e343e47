/* report/diff_text.h -- a diff as text: `-` and `+` before the lines of one side, long stretches in common as one line
 * that says how long. */
#ifndef LEAKGRAPH_REPORT_DIFF_TEXT_H
#define LEAKGRAPH_REPORT_DIFF_TEXT_H

#include "base/bytes.h"
#include "report/diff.h"

/* limits of 0: none.  visible: harmful characters are made visible here, not by whoever renders the text later. */
struct diff_style { bool colour, visible; size_t line_limit, line_bytes; };

/* Appends the differences with a few lines around each.  After line_limit lines one line says how many were left out.
 * 0 or -ENOMEM. */
int diff_print(const struct diff *diff, const struct diff_style *style, struct bytes *out);

#endif
