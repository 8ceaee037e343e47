/* page/escape.h -- a stranger's text made fit for a page: it is shown, never obeyed.
 *
 * Every text of a page goes through one of these two, whatever it is and wherever it comes from.  What would steer the
 * eye (control and direction characters, bad UTF-8) is shown as \x1b and \u202e, as report/visible.h has it. */
#ifndef LEAKGRAPH_PAGE_ESCAPE_H
#define LEAKGRAPH_PAGE_ESCAPE_H

#include "base/bytes.h"

#include <stdbool.h>

/* Appends text as content of an element or of an attribute in double quotes.  one_line: TAB and LF are shown as codes
 * too.  0 or -ENOMEM. */
int escape_html(struct bytes *out, struct slice text, bool one_line);

/* Appends text as a string of JSON, with its quotes, that may stand in a <script> of data: no `<`, `>`, `&`, nor line
 * separators are left in it.  What is read from it is what escape_html would show.  0 or -ENOMEM. */
int escape_json(struct bytes *out, struct slice text);

#endif
