/* report/window.h -- where in a long text the tokens of a short one lie. */
#ifndef LEAKGRAPH_REPORT_WINDOW_H
#define LEAKGRAPH_REPORT_WINDOW_H

#include "base/err.h"
#include "base/slice.h"
#include "code/language.h"

#include <stdint.h>

/* text: points into the long text, whole lines but where they are very long; first, last: its lines, from 0, of all
 * `lines`. */
struct window { struct slice text; uint32_t first, last, lines; };

/* The stretch of `text` with as many tokens as `part` has that has the most in common with it: by counts of tokens, so
 * that order does not matter; of several one that begins alike, then the first.  All of `text` when it has no more
 * tokens.  Both of at most LEXER_MAX_TEXT bytes; time and memory are proportional to them.  0, or <0 with err set. */
int window_find(struct window *out, struct slice text, struct slice part, const struct language *language,
                struct err *err);

/* The lines first to last of the text, from 0, as far as it has them; at least one. */
void window_lines(struct window *out, struct slice text, uint64_t first, uint64_t last);

#endif
