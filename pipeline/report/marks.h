/* report/marks.h -- two lines that are nearly the same as one line, its changed words marked as git does with
 * --word-diff: [-removed-]{+added+}. */
#ifndef LEAKGRAPH_REPORT_MARKS_H
#define LEAKGRAPH_REPORT_MARKS_H

#include "base/bytes.h"
#include "report/diff.h"

#include <stdbool.h>

#define MARKS_RED   "\x1b[31m"
#define MARKS_GREEN "\x1b[32m"
#define MARKS_PLAIN "\x1b[0m"

/* Whether the words that two lines share are at least half of the longer one's bytes; blanks do not count.  *diff is
 * what diff_words says of them. */
bool marks_alike(const struct diff *diff);

/* Appends the one line, without a line end: its words of both, with marks.  limit: after so many bytes it ends in
 * " ...", and what is the same for long is shortened; 0: none.  visible, colour: as of diff_text.h.  0 or -ENOMEM. */
int marks_print(const struct diff *diff, size_t limit, bool visible, bool colour, struct bytes *out);

#endif
