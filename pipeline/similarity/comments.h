/* similarity/comments.h -- comments that two texts of Python share (LiCoEval, Xu et al., ICSE 2025).
 *
 * A comment is what stands between a # and its line's end, also inside strings, as the released code reads it.  Two are
 * equal byte for byte, blanks included: `#x` is not `# x`. */
#ifndef LEAKGRAPH_SIMILARITY_COMMENTS_H
#define LEAKGRAPH_SIMILARITY_COMMENTS_H

#include "base/err.h"
#include "base/bytes.h"

#include <stdint.h>

/* How many different comments of a text stand in the other too, but those that, white space around them left out, stand
 * anywhere in the prompt: they were given away (the empty one always was).  Two that differ in such white space alone
 * count twice.  0, or -ENOMEM with err set. */
int comments_shared(struct slice a, struct slice b, struct slice prompt, uint32_t *out, struct err *err);

/* All comments of a text, in lines. */
uint32_t comments_count(struct slice text);

/* Without white space at its ends, as Python's strip() knows it. */
struct slice comments_strip(struct slice text);

#endif
