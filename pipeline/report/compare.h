/* report/compare.h -- how two texts of code differ, for a reader: by lines and by words in them.
 *
 * Where lines tell little because one text is formatted otherwise (a method on one line), both are compared in one
 * layout (layout.h).  Where the one contains the other, the part of the long text is shown where the short one's tokens
 * lie (window.h).  Both are said in lines of the output that begin with @@. */
#ifndef LEAKGRAPH_REPORT_COMPARE_H
#define LEAKGRAPH_REPORT_COMPARE_H

#include "base/err.h"
#include "report/diff_text.h"

/* What is compared.  language: a name, empty when not known.  contained: the texts are a pair of that kind. */
struct comparison { struct slice a, b, language; bool contained; };

/* The first line, from 0, of what compare_print shows of a and b.  0, or <0 with err set. */
int compare_places(const struct comparison *texts, uint32_t *a, uint32_t *b, struct err *err);

/* Appends how b differs from a; of style, numbers of lines are set here.  0, or <0 with err set. */
int compare_print(const struct comparison *texts, const struct diff_style *style, struct bytes *out, struct err *err);

#endif
