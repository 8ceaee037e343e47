/* report/diff_text.h -- a diff as text: `-` and `+` before the lines of one side, `!` before a line that is nearly the
 * same in both, with its words marked, long stretches in common as one line that says how long. */
#ifndef LEAKGRAPH_REPORT_DIFF_TEXT_H
#define LEAKGRAPH_REPORT_DIFF_TEXT_H

#include "base/bytes.h"
#include "report/diff.h"

/* limits of 0: none.  visible: harmful characters are made visible here, not by whoever renders the text later.
 * whole_lines: no marks inside lines.  a_line, b_line: what the lines of a and b are numbered as, from 0, when not as
 * they are counted here. */
struct diff_style {
    bool            colour, visible, whole_lines;
    size_t          line_limit, line_bytes;
    const uint32_t *a_line, *b_line;
};

/* Appends what diff_tell tells.  After line_limit lines one line says how many were left out.  0 or -ENOMEM. */
int diff_print(const struct diff *diff, const struct diff_style *style, struct bytes *out);

#endif
