/* report/diff_tell.h -- a diff told line by line to whoever renders it: long stretches in common as one gap, a removed
 * and an added line that are nearly the same together. */
#ifndef LEAKGRAPH_REPORT_DIFF_TELL_H
#define LEAKGRAPH_REPORT_DIFF_TELL_H

#include "report/diff.h"

/* Who hears it.  step: a line of one text or of both; nearly: lines a and b with what diff_words says of them; gap:
 * `count` equal lines that begin at this step.  Each gives 0 or <0, which ends it.
 * whole_lines: lines are not compared by words; may be set while listening. */
struct diff_listener {
    int (*step)(struct diff_listener *to, const struct diff_step *step);
    int (*nearly)(struct diff_listener *to, uint32_t a, uint32_t b, const struct diff *words);
    int (*gap)(struct diff_listener *to, const struct diff_step *step, size_t count);
    bool whole_lines;
};

/* Tells the differences with a few lines around each; of texts without any, the first lines.  A removed line is
 * compared by words with the next few added lines of its stretch, and told with the first that shares half of its
 * words; time for that is bounded, and lines are told whole once it is used up.  0, -ENOMEM or what the listener gave.
 */
int diff_tell(const struct diff *diff, struct diff_listener *to);

#endif
