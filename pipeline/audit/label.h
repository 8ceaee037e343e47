/* audit/label.h -- was a file of Python in SantaCoder's training data?  By the share of its comments.
 *
 * SantaCoder was trained on files whose comments are 1 % to 80 % of the code (TraWiC, Majdinasab et al. 2024, section
 * IV).  The ratio is that of the released code (comment_to_code_ratio), which divides by what is no comment, where the
 * model's own filter divided by the whole file, and takes of each triple-quoted string without a prefix, wherever it
 * stands, the lines but the first and the last.  docs/definitions.md, "Inclusion". */
#ifndef LEAKGRAPH_AUDIT_LABEL_H
#define LEAKGRAPH_AUDIT_LABEL_H

#include "base/err.h"
#include "base/slice.h"
#include "code/lexer.h"

#define AUDIT_RATIO_NONE 2.0                                /* no ratio */

/* Characters of comments, without white space around them, to those that are no comment.  AUDIT_RATIO_NONE: Python's
 * tokenizer does not read the text to its end, it is no UTF-8, it has more than LEXER_MAX_TEXT bytes, or there is
 * nothing else in it.  0 or -ENOMEM with err set. */
int audit_comment_ratio(struct lexer *lexer, struct slice text, double *out, struct err *err);

/* 1: between 0.01 and 0.8, both left out; 0: it is not; -1: there is no ratio. */
int audit_label_of(double ratio);

#endif
