/* code/function.c -- see function.h. */
#include "code/function_tree.h"
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
    switch (language->functions) {
    case FUNCTIONS_NONE: return NULL;
    case FUNCTIONS_INDENTED: return functions_of_python;
    case FUNCTIONS_RUBY: case FUNCTIONS_LUA: case FUNCTIONS_JULIA: return functions_of_end;
    default: return functions_of_braces;
    }
}

/* A function and where it stood. */
struct placed { struct function function; uint32_t was; };

static int by_begin(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    return x->function.at != y->function.at ? (x->function.at > y->function.at) - (x->function.at < y->function.at)
        : (x->was > y->was) - (x->was < y->was);
}

/* A function that stands in another's parameters is found before it. */
static int put_in_order(struct functions *functions)
{
    const size_t   count = functions->count;
    struct placed *placed;
    uint32_t      *now;
    size_t         i;

    for (i = 1; i < count && functions->at[i - 1].at <= functions->at[i].at; i++) { }
    if (i >= count) return 0;
    if (bytes_reserve(&functions->stack, count * sizeof *placed) < 0 ||
        bytes_reserve(&functions->pairs, count * sizeof *now) < 0) return -ENOMEM;
    placed = (struct placed *)(void *)functions->stack.at;
    now = (uint32_t *)(void *)functions->pairs.at;
    for (i = 0; i < count; i++) placed[i] = (struct placed){ functions->at[i], (uint32_t)i };
    qsort(placed, count, sizeof *placed, by_begin);
    for (i = 0; i < count; i++) now[placed[i].was] = (uint32_t)i;
    for (i = 0; i < count; i++) {
        functions->at[i] = placed[i].function;
        if (functions->at[i].outer != FUNCTION_NONE) functions->at[i].outer = now[functions->at[i].outer];
    }
    return 0;
}

bool functions_known(const struct language *language) { return finder_of(language) != NULL; }

bool functions_exact_known(const struct language *language) { return function_tree_known(language); }

int functions_exact_check(const char *asked, struct err *err)
{
    for (size_t i = 0; language_at(i); i++)
        if (function_tree_known(language_at(i))) return 0;
    return err_set(err, -EINVAL, "%s: this leakgraph was built without tree-sitter: run scripts/tree_library.sh, then "
                                 "make again; or ask for fast", asked);
}

int functions_told_say(const struct functions_told *told, struct bytes *out)
{
    return bytes_printf(out, "%llu files parsed, %llu of them with errors, in %llu places; told by their tokens: %llu "
                             "in languages without a parser, %llu that are too large or that the parser gave up",
                        (unsigned long long)told->parsed, (unsigned long long)told->wrong,
                        (unsigned long long)told->errors, (unsigned long long)told->fast,
                        (unsigned long long)told->given_up) < 0 ? -ENOMEM : 0;
}

int functions_find(struct functions *functions, const struct language *language, const struct lexer *lexer,
                   struct slice text, struct err *err)
{
    struct finding f = { functions, lexer->token, (uint32_t)lexer->count, text, language };
    finder         find = finder_of(language);
    int            rc = 0;

    functions->count = functions->stack.len = functions->pairs.len = 0;
    functions->told = (struct functions_told){ 0 };
    if (!find) return 0;
    if (functions->how == FUNCTIONS_EXACT && function_tree_known(language)) {
        rc = function_tree_find(&f);
        functions->told.parsed = rc > 0;
        functions->told.given_up = rc == 0;
        functions->told.wrong = functions->told.errors > 0;
    } else functions->told.fast = 1;
    if (rc == 0) rc = find(&f);
    if (rc < 0 || put_in_order(functions) < 0)
        return err_memory(err, functions->count * sizeof *functions->at, "a text's functions");
    return 0;
}

void functions_free(struct functions *functions)
{
    free(functions->at);
    bytes_free(&functions->stack);
    bytes_free(&functions->pairs);
    function_tree_free(functions->tree);
    *functions = (struct functions){ 0 };
}
