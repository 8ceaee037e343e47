/* compliance/segment.h -- a Python file's functions as head, documentation and body, whole lines each (LiCoEval).
 *
 * exact      the head up to its colon, the documentation's lines, all lines of the body
 * published  as the released code cuts them by Python's syntax tree: the head is the line of `def` alone, the rest of
 *            a longer one is body; the documentation has as many lines as its value has line feeds, and one; the body
 *            ends with the last line in which a node of the tree begins, so that lines which only close a bracket or
 *            a string, or go on with a method's name, are cut
 * by text    as the released code cuts what a parser cannot read: the head is what begins a line with `def` and ends
 *            with the next colon outside of brackets, the documentation a string in triple quotes right behind it, the
 *            body all up to the next line that begins with `def `, or the text's end
 *
 * They come breadth first: what is nearer to the module's level goes first (by text: what is at the margin), then what
 * stands first.  A file's header is what stands before the line of the first one. */
#ifndef LEAKGRAPH_COMPLIANCE_SEGMENT_H
#define LEAKGRAPH_COMPLIANCE_SEGMENT_H

#include "code/measure.h"

enum segment_how { SEGMENT_EXACT, SEGMENT_PUBLISHED, SEGMENT_BY_TEXT };

struct segment {
    size_t       function;                                  /* its place in struct functions */
    uint32_t     depth;                                     /* blocks around it, and one */
    bool         documented;
    struct slice signature, docstring, body;                /* whole lines; the last two may be empty */
};

/* Reusable.  A zeroed struct is ready; segments_free releases its memory. */
struct segments {
    struct segment *at;                                     /* [count] */
    size_t          count, room;
    struct slice    header;                                 /* of the file; without functions all of it */
    struct bytes    blocks, lines;                          /* scratch */
};

/* Of a text in Python that `lexer` has read with LEX_ALL | LEX_COMMENTS, its functions found and measured; by text:
 * found by the function below.  0, or -ENOMEM with err set. */
int  segments_take(struct segments *segments, const struct lexer *lexer, const struct functions *functions,
                   const struct measures *measures, struct slice text, enum segment_how how, struct err *err);

/* Puts what a text's functions are by text in the place of those that were found.  0, or -ENOMEM with err set. */
int  segments_find_text(struct functions *functions, const struct lexer *lexer, struct slice text, struct err *err);
void segments_free(struct segments *segments);

#endif
