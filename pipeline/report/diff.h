/* report/diff.h -- the lines, or the words, that two texts have in common.
 * Source: Myers 1986, An O(ND) Difference Algorithm and Its Variations. */
#ifndef LEAKGRAPH_REPORT_DIFF_H
#define LEAKGRAPH_REPORT_DIFF_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

enum diff_mark { DIFF_SAME, DIFF_REMOVED, DIFF_ADDED };     /* in both, only in a, only in b */

/* a and b: line numbers from 0; of the text that lacks the line, where it would be. */
struct diff_step { enum diff_mark mark; uint32_t a, b; };

struct diff {
    /* lines without their line ends, or words; they point into the texts */
    struct slice     *a, *b;
    size_t            a_count, b_count;
    struct diff_step *step;                                 /* [count] from the first line to the last */
    size_t            count;
    /* the texts differ too much: what lies between their common start and end is given as removed and added */
    bool              coarse;
};

/* 0 or -ENOMEM.  The texts are borrowed as long as *out is used; more than 2^31 lines are cut off. */
int  diff_lines(struct diff *out, struct slice a, struct slice b);

/* The same by words: runs of letters, digits, _ and bytes above 7F; runs of blanks; every other byte alone.  A step's
 * numbers are words, which give the texts when laid end to end.  It gives up (coarse) earlier than diff_lines does, so
 * that time stays proportional to the texts. */
int  diff_words(struct diff *out, struct slice a, struct slice b);
void diff_free(struct diff *diff);

#endif
