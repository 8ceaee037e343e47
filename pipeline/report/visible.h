/* report/visible.h -- hostile text made harmless for whoever reads it: what would steer a terminal or the eye becomes
 * visible. */
#ifndef LEAKGRAPH_REPORT_VISIBLE_H
#define LEAKGRAPH_REPORT_VISIBLE_H

#include "base/bytes.h"
#include "base/slice.h"

/* The length of the character at the start of text (not empty), 1 for a byte that starts none.  *harmless is false for
 * control characters (C0 but TAB and LF, DEL, C1), bad UTF-8, line separators, and characters that reorder or hide
 * text. */
size_t visible_character(struct slice text, bool *harmless);

/* Appends text with every harmful character in visible form: \x1b for one below U+0080 or a bad byte, \u202e for
 * others. one_line: TAB and LF count as harmful too.  0 or -ENOMEM. */
int visible_append(struct bytes *out, struct slice text, bool one_line);

/* The longest start of text that has at most `limit` bytes and splits no character. */
struct slice visible_cut(struct slice text, size_t limit);

#endif
