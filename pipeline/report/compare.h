/* report/compare.h -- how two texts of code differ, for a reader: by lines and by words in them.
 *
 * Where lines tell little because one text is formatted otherwise (a method on one line), both are compared in one
 * layout (layout.h).  Where the one contains the other, the part of the long text is shown where the short one's tokens
 * lie (window.h), or where it is known to be.  Both are said in lines of the output that begin with @@. */
#ifndef LEAKGRAPH_REPORT_COMPARE_H
#define LEAKGRAPH_REPORT_COMPARE_H

#include "base/err.h"
#include "report/diff_text.h"
#include "report/layout.h"
#include "report/window.h"

/* What is compared.  language: a name, empty when not known.  contained: the texts are a pair of that kind.
 * line, line_end: the lines of b, from 1, in which a is known to be; 0: it is looked for where contained is true, or
 * all of b is meant. */
struct comparison { struct slice a, b, language; bool contained; uint64_t line, line_end; };

/* The parts of both texts that are shown, and the lines that they have in common.  a_line, b_line: numbers of the
 * diff's lines in the given texts, from 0.  laid: both are in one layout.  Views of the texts, which stay as they are
 * as long as it is used. */
struct compared {
    struct window a, b;
    struct layout laid_a, laid_b;
    struct diff   diff;
    uint32_t     *a_line, *b_line;
    bool          laid;
};

/* 0, or <0 with err set; free with compared_free either way. */
int  compare_make(struct compared *out, const struct comparison *texts, struct err *err);
void compared_free(struct compared *compared);              /* accepts a zeroed one */

/* The first line, from 0, of what compare_print shows of a and b.  0, or <0 with err set. */
int compare_places(const struct comparison *texts, uint32_t *a, uint32_t *b, struct err *err);

/* Appends how b differs from a; of style, numbers of lines are set here.  0, or <0 with err set. */
int compare_print(const struct comparison *texts, const struct diff_style *style, struct bytes *out, struct err *err);

#endif
