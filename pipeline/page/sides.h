/* page/sides.h -- a comparison of two texts as rows of two columns, in JSON. */
#ifndef LEAKGRAPH_PAGE_SIDES_H
#define LEAKGRAPH_PAGE_SIDES_H

#include "base/bytes.h"
#include "report/compare.h"

/* What a row begins with. */
enum sides_row {
    SIDES_SAME,                                             /* line of a, line of b, text */
    SIDES_REMOVED,                                          /* line of a, text */
    SIDES_ADDED,                                            /* line of b, text */
    SIDES_NEARLY,                                           /* line of a, line of b, [mark, text, mark, text, ...] */
    SIDES_GAP,                                              /* line of a, line of b, how many equal lines */
};

/* Appends an array of rows, lines counted from 1; marks are those of report/diff.h.  After `lines` rows the others are
 * counted in *left_out; a line, and a word run of one, is cut after `line_bytes`, a long stretch in common keeps its
 * ends.  0 or -ENOMEM. */
int sides_json(const struct compared *compared, size_t lines, size_t line_bytes, size_t *left_out, struct bytes *out);

#endif
