/* code/function.c -- see function.h. */
#include "code/functions.h"
#include "code/rows.h"

#include <stdlib.h>

uint32_t function_open(struct finding *f, uint32_t first_token, uint32_t name_token)
{
    struct functions *all = f->functions;

    if (ARRAY_GROW(all->at, all->room, all->count) < 0) return FUNCTION_NONE;
    all->at[all->count] = (struct function){
        .at = f->token[first_token].at, .end = token_end(f, name_token), .name_at = f->token[name_token].at,
        .name_end = token_end(f, name_token), .body = token_end(f, name_token), .token = first_token,
        .token_end = name_token + 1, .outer = FUNCTION_NONE };
    return (uint32_t)all->count++;
}

void function_close(struct finding *f, uint32_t index, uint32_t token)
{
    struct function *function = &f->functions->at[index];

    if (token <= function->token_end) token = function->token_end;
    function->token_end = token;
    if (token_end(f, token - 1) > function->end) function->end = token_end(f, token - 1);
}

typedef int (*finder)(struct finding *f);

static finder finder_of(const struct language *language)
{
    return language->functions == FUNCTIONS_INDENTED ? functions_of_python
        : language->functions == FUNCTIONS_BRACES ? functions_of_braces : NULL;
}

bool functions_known(const struct language *language) { return finder_of(language) != NULL; }

int functions_find(struct functions *functions, const struct language *language, const struct lexer *lexer,
                   struct slice text, struct err *err)
{
    struct finding f = { functions, lexer->token, (uint32_t)lexer->count, text, language };
    finder         find = finder_of(language);

    functions->count = 0;
    if (!find || find(&f) == 0) return 0;
    return err_memory(err, functions->count * sizeof *functions->at, "a text's functions");
}

void functions_free(struct functions *functions)
{
    free(functions->at);
    bytes_free(&functions->stack);
    bytes_free(&functions->pairs);
    *functions = (struct functions){ 0 };
}
