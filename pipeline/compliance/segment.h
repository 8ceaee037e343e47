/* compliance/segment.h -- a Python file's functions as head, documentation and body, whole lines each (LiCoEval).
 *
 * exact      the head up to its colon, the documentation's lines, all lines of the body
 * published  as the released code cuts them by Python's syntax tree: the head is the line of `def` alone, the rest of
 *            a longer one is body; the documentation has as many lines as its value has line feeds, and one; the body
 *            ends with the last line in which a node of the tree begins, so that lines which only close a bracket or
 *            a string, or go on with a method's name, are cut
 *
 * They come breadth first: what is nearer to the module's level goes first, then what stands first.  A file's header is
 * what stands before the line of the first one. */
#ifndef LEAKGRAPH_COMPLIANCE_SEGMENT_H
#define LEAKGRAPH_COMPLIANCE_SEGMENT_H

#include "code/measure.h"

struct segment {
    size_t       function;                                  /* its place in struct functions */
    uint32_t     depth;                                     /* blocks around it */
    struct slice signature, docstring, body;                /* whole lines; the last two may be empty */
};

/* Reusable.  A zeroed struct is ready; segments_free releases its memory. */
struct segments {
    struct segment *at;                                     /* [count] */
    size_t          count, room;
    struct slice    header;                                 /* of the file; without functions all of it */
    struct bytes    blocks, lines;                          /* scratch */
};

/* Of a text in Python that `lexer` has read with LEX_ALL | LEX_COMMENTS, its functions found and measured.  0, or
 * -ENOMEM with err set. */
int  segments_take(struct segments *segments, const struct lexer *lexer, const struct functions *functions,
                   const struct measures *measures, struct slice text, bool published, struct err *err);
void segments_free(struct segments *segments);

#endif
