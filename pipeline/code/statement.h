/* code/statement.h -- the statements of a function, told on the lexer's tokens: what a pretty-printer would put into
 * lines of their own, wherever the text breaks its lines.
 *
 * A semicolon outside parentheses and a brace end a statement.  In languages that need no semicolon so does the end of
 * a line outside brackets, but not behind a backslash; where blocks are no braces (Python, Ruby, Lua, Julia) braces are
 * brackets as others are.  Semicolons that end statements, and braces, are in none: a head and what closes a block are
 * the same wherever the brace stands. */
#ifndef LEAKGRAPH_CODE_STATEMENT_H
#define LEAKGRAPH_CODE_STATEMENT_H

#include "base/slice.h"
#include "code/lexer.h"

#define STATEMENT_NONE UINT32_MAX

/* Of the tokens [first, last) that `lexer` has read with LEX_ALL of the text: the number of each one's statement, from
 * 0, in number[0 .. last - first), or STATEMENT_NONE.  Returns how many statements there are. */
uint32_t statements_number(const struct language *language, const struct lexer *lexer, struct slice text, size_t first,
                           size_t last, uint32_t *number);

#endif
