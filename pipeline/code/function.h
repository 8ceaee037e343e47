/* code/function.h -- the functions of a text, found on the lexer's tokens or by a parser.
 *
 * A function is what a benchmark's item is: a declaration with a name and a body (function, method, constructor, a
 * function expression that is given a name).  One without a body or without a name is none.
 *
 * fast    what the lexer's tokens say: no grammar is followed, so it costs about as much as the lexing, never fails,
 *         and reads on where a parser would give up.  docs/definitions.md, "Functions", says by language how often it
 *         agrees with a parser.
 * exact   what tree-sitter's grammar of the language says (function_tree.h), where this program was built with them.  A
 *         text in another language, one of more than 1 MB and one that the parser has too much work with are told by
 *         fast.
 */
#ifndef LEAKGRAPH_CODE_FUNCTION_H
#define LEAKGRAPH_CODE_FUNCTION_H

#include "base/bytes.h"
#include "base/err.h"
#include "code/lexer.h"

#define FUNCTION_NONE UINT32_MAX

/* Bytes are offsets in the text; `token` counts the lexer's tokens. */
struct function {
    uint32_t at, end;                                       /* from its first modifier to the end of its body */
    uint32_t name_at, name_end;
    uint32_t body;                                          /* where the body begins, behind the head */
    uint32_t token, token_end;                              /* the tokens in [at, end) */
    uint32_t class_at, class_end;                           /* name of the innermost class around it; equal: none */
    uint32_t outer;                                         /* index of the function around it, or FUNCTION_NONE */
};

enum functions_how { FUNCTIONS_FAST, FUNCTIONS_EXACT };

/* How the functions of texts were told, in numbers of texts. */
struct functions_told {
    uint64_t parsed;                                        /* by a parser */
    uint64_t wrong, errors;                                 /* of those, with errors; places that it could not read */
    uint64_t given_up;                                      /* by fast: too large, or too much work for the parser */
    uint64_t fast;                                          /* by fast: asked for, or there is no parser */
};

static inline void functions_told_add(struct functions_told *sum, const struct functions_told *more)
{
    sum->parsed += more->parsed;
    sum->wrong += more->wrong;
    sum->errors += more->errors;
    sum->given_up += more->given_up;
    sum->fast += more->fast;
}

/* Reusable.  A zeroed struct is ready; functions_free releases its memory. */
struct functions {
    struct function *at;                                    /* [count] by where they begin; owned */
    size_t           count, room;
    struct bytes     stack, pairs;                          /* scratch: blocks that are open, brackets */
    enum functions_how    how;                              /* in: how they are to be told */
    struct functions_told told;                             /* out: how those of the last text were */
    struct function_tree *tree;                             /* what parsers keep; owned */
};

/* Has the language functions that are found?  (Not: SQL, markup, plain text.) */
bool functions_known(const struct language *language);

/* Does `exact` parse the language in this program? */
bool functions_exact_known(const struct language *language);
/* 0 where this program has parsers; else -EINVAL, err saying that `asked` cannot be, and what to do. */
int  functions_exact_check(const char *asked, struct err *err);
/* Appends what exact did in words.  0, or -ENOMEM. */
int  functions_told_say(const struct functions_told *told, struct bytes *out);

/* Finds the functions of a text that `lexer` has read with LEX_ALL.  0, or -ENOMEM with err set. */
int  functions_find(struct functions *functions, const struct language *language, const struct lexer *lexer,
                    struct slice text, struct err *err);
void functions_free(struct functions *functions);

#endif
