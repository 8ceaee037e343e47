/* compliance/pair.h -- a function and an answer as a line of JSON. */
#ifndef LEAKGRAPH_COMPLIANCE_PAIR_H
#define LEAKGRAPH_COMPLIANCE_PAIR_H

#include "base/err.h"
#include "base/slice.h"

/* Views of the tree; empty where the line has none.  Other names that are read: `body` for reference, `header` for
 * prompt.  answer: as it stands, or taken from `generated` by the signature (extraction.h). */
struct pair {
    struct slice id, reference, answer, prompt, signature, license, reply;
    void        *tree;
};

/* reference: the text of the field that is named instead of these two, borrowed; NULL: none is.  1; 0 when the line is
 * no object, has no reference, or a field is no string (id may be a number, license a list), *why saying what; -ENOMEM
 * with err set. */
int  pair_parse(struct pair *out, struct slice line, const struct slice *reference, const char **why, struct err *err);
void pair_free(struct pair *pair);                          /* accepts a zeroed pair */

#endif
