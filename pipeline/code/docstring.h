/* code/docstring.h -- the documentation of a function, and what its comment says without its marks.
 *
 * Python: the string that is the first statement of the body (PEP 257).  Julia: the string right before the function.
 * Everywhere else, and in Julia where there is none: the comment right before the function, a block or line comments
 * one under the other, as CodeSearchNet takes it (Husain et al. 2019).  Nothing but attributes may stand between, and
 * no blank line unless it opens as documentation alone does; it begins its line, or opens so.
 * docs/definitions.md, "Functions". */
#ifndef LEAKGRAPH_CODE_DOCSTRING_H
#define LEAKGRAPH_CODE_DOCSTRING_H

#include "code/function.h"

struct span { uint32_t at, end; };                          /* bytes of a text; at == end: none */

/* Of a function that functions_find has found in a text that `lexer` has read with LEX_ALL | LEX_COMMENTS. */
struct span docstring_of(const struct language *language, const struct lexer *lexer, const struct function *function,
                         struct slice text);

/* Appends what a docstring or comment says: without quotes, comment marks, the indentation that its lines have in
 * common and white space around it.  0 or -ENOMEM. */
int docstring_text(struct bytes *out, const struct language *language, struct slice docstring);

/* The first paragraph of what docstring_text gives: to the first line that is empty or begins with @. */
struct slice docstring_summary(struct slice said);

/* Runs of letters, digits and underscores; letters are those beyond ASCII, too. */
size_t docstring_words(struct slice said);

#endif
