/* compliance/extraction.h -- the body of a function in what a model wrote, as LiCoEval (Xu et al., ICSE 2025) takes it.
 *
 * The code is what stands in the first block of ``` python, else in the first block, closed or not, else all.  Of that,
 * what follows the function's head; else the head of the first function that begins a line; else all.  A docstring at
 * its beginning goes, and what begins at the next function of the module, at `__name__ == "__main__":` or at
 * `# Example usage`. */
#ifndef LEAKGRAPH_COMPLIANCE_EXTRACTION_H
#define LEAKGRAPH_COMPLIANCE_EXTRACTION_H

#include "base/slice.h"

/* A view of text.  signature: of the function that was asked for; what stands before its first bracket is looked for.
 * The released code's quirks are kept, as its numbers depend on them: white space behind the opening ``` goes with the
 * first line's indentation; a head whose line does not end with `:` loses one character; what is cut at __name__ loses
 * white space at both ends and keeps its `if`. */
struct slice extraction_body(struct slice text, struct slice signature);
/* The same without line feeds around it: what is compared. */
struct slice extraction_answer(struct slice text, struct slice signature);

#endif
