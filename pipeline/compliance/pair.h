/* compliance/pair.h -- a function and an answer as a line of JSON. */
#ifndef LEAKGRAPH_COMPLIANCE_PAIR_H
#define LEAKGRAPH_COMPLIANCE_PAIR_H

#include "base/err.h"
#include "base/slice.h"

/* What records of other kinds do not have: id and `license` are the record's (corpus/record.h).  Views of the tree;
 * empty where the line has none.  Other names that are read: `body` for reference, `header` for prompt.  answer: as it
 * stands, or taken from `generated` by the signature (extraction.h).  licence: in that spelling. */
struct pair {
    struct slice reference, answer, prompt, signature, licence, reply;
    void        *tree;
};

/* reference: the text of the field that is named instead of these two, borrowed; NULL: none is.  1; 0 when the line is
 * no object, has no reference, or a field is no string (licence may be a list), *why saying what; -ENOMEM with err
 * set. */
int  pair_parse(struct pair *out, struct slice line, const struct slice *reference, const char **why, struct err *err);
void pair_free(struct pair *pair);                          /* accepts a zeroed pair */

#endif
