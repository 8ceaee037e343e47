/* report/layout.h -- a text of code in one layout, whatever its own line breaks are: two texts that differ in their
 * formatting alone come out the same.
 *
 * Tokens are those of the lexer.  A line ends after `{`, `}` and `;`, except after a `;` in parentheses; lines are
 * indented by the depth of braces; between two tokens is one blank or none, which the tokens decide.  Comments keep
 * their lines. */
#ifndef LEAKGRAPH_REPORT_LAYOUT_H
#define LEAKGRAPH_REPORT_LAYOUT_H

#include "base/bytes.h"
#include "base/err.h"
#include "code/language.h"

/* text: the laid text; line[i], [count]: on which line of the given text, from 0, its i-th line begins. */
struct layout { struct bytes text; uint32_t *line; size_t count, room; };

/* Whether a language's statements end at `;` and braces, and not with their line: others keep their lines. */
bool layout_fits(const struct language *language);

/* Lays a text of at most LEXER_MAX_TEXT bytes; time and memory are proportional to it.  0, or <0 with err set; free
 * with layout_free either way. */
int  layout_make(struct layout *out, struct slice text, const struct language *language, struct err *err);
void layout_free(struct layout *layout);                    /* accepts a zeroed one */

#endif
