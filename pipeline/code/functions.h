/* code/functions.h -- what the finders of functions share.  Private to code/. */
#ifndef LEAKGRAPH_CODE_FUNCTIONS_H
#define LEAKGRAPH_CODE_FUNCTIONS_H

#include "code/function.h"

#include <errno.h>
#include <string.h>

/* A text under way. */
struct finding {
    struct functions   *functions;
    const struct token *token;                              /* [count] */
    uint32_t            count;
    struct slice        text;
    const struct language *language;
};

static inline const char *token_text(const struct finding *f, uint32_t i) { return f->text.at + f->token[i].at; }
static inline uint32_t    token_end(const struct finding *f, uint32_t i) { return f->token[i].at + f->token[i].len; }

static inline bool token_is(const struct finding *f, uint32_t i, const char *word)
{
    size_t len = strlen(word);

    return i < f->count && f->token[i].len == len && memcmp(token_text(f, i), word, len) == 0 &&
        f->token[i].kind != TOKEN_QUOTED;
}

/* The character that an operator is by itself; NUL: none. */
static inline char token_mark(const struct finding *f, uint32_t i)
{
    return i < f->count && f->token[i].len == 1 && f->token[i].kind >= TOKEN_OPERATOR ? *token_text(f, i) : '\0';
}

/* One of the characters, by itself; NUL is none of them.  A loop, as they are few and nearly every token is asked. */
static inline bool token_is_mark(const struct finding *f, uint32_t i, const char *marks)
{
    const char mark = token_mark(f, i);

    while (mark && *marks && *marks != mark) marks++;
    return mark && *marks;
}

static inline bool token_is_name(const struct finding *f, uint32_t i)
{
    return i < f->count && f->token[i].kind <= TOKEN_QUOTED;
}

/* What keeps the work linear in texts that are made to be dear: tokens of a head, of one whose body is an expression
 * (more texts have many that may be one), brackets and blocks that are looked
 * through for one; functions inside each other, of which those farther in are none. */
enum { HEAD_MOST = 2048, EXPRESSION_MOST = 256, LEVELS_MOST = 256, NESTED_MOST = 16 };

/* Adds a function without an end yet; its index, or FUNCTION_NONE when memory is out. */
uint32_t function_open(struct finding *f, uint32_t first_token, uint32_t name_token);
/* Its last token is before `token`. */
void     function_close(struct finding *f, uint32_t index, uint32_t token);

/* The finders, a family of languages each: 0 or -ENOMEM. */
int functions_of_python(struct finding *f);
int functions_of_braces(struct finding *f);
int functions_of_end(struct finding *f);

#endif
