/* code/function_python.c -- functions of a language whose blocks are indented.
 *
 * Only tokens that begin a logical line matter: one that is indented no more than an open block ends it. */
#include "code/functions.h"
#include "code/lexing.h"

/* A class or function whose body is being read. */
struct indented { uint32_t column, function, name_at, name_end; };

/* Many heads may be said to end at the same colon: it is looked for once, and what stands behind it too. */
struct walk {
    struct finding *f;
    uint32_t        head_end;                               /* behind the first colon outside brackets, or how far it
                                                               was looked for */
    size_t          depth;                                  /* brackets open there */
    bool            found;
    uint32_t        body, docstring_end;                    /* of the docstring that was looked for last */
};

/* Not, where other text stands before it, or that and a space: so it is with nearly all tokens.  No branch on what
 * stands there. */
static bool may_begin_line(const char *text, size_t at)
{
    const unsigned char *before = (const unsigned char *)text + at;

    return at < 2 || ((before[-1] <= ' ') & ((before[-1] != ' ') | (before[-2] <= ' ')));
}

/* Does the token begin a physical line that continues none?  *column: its indentation. */
static bool begins_line(const struct finding *f, uint32_t token, uint32_t *column)
{
    const char *text = f->text.at;
    size_t      at = f->token[token].at, start = at;

    while (start && (text[start - 1] == ' ' || text[start - 1] == '\t' || text[start - 1] == '\f')) start--;
    if (start && text[start - 1] != '\n' && text[start - 1] != '\r') return false;
    *column = 0;
    for (size_t i = start; i < at; i++)
        *column = text[i] == '\t' ? (*column / 8 + 1) * 8 : text[i] == '\f' ? 0 : *column + 1;
    if (start >= 2 && text[start - 1] == '\n' && text[start - 2] == '\r') start--;
    return start < 2 || text[start - 2] != '\\';
}

/* The token after the colon of the head that has `token`, outside brackets; 0: there is none. */
static uint32_t head_end(struct walk *w, uint32_t token)
{
    uint32_t at = w->head_end;

    if (token >= at) {
        at = token;
        w->depth = 0;
        w->found = false;
    }
    for (; !w->found && at < w->f->count && at - token < HEAD_MOST; at++) {
        if (token_is_mark(w->f, at, "([{")) w->depth++;
        else if (token_is_mark(w->f, at, ")]}")) w->depth -= w->depth > 0;
        else w->found = w->depth == 0 && token_is_mark(w->f, at, ":");
    }
    w->head_end = at;
    return w->found && at - token <= HEAD_MOST ? at : 0;
}

/* A body that is a docstring alone has no token: where the string behind the head ends. */
static uint32_t docstring_end(const struct finding *f, uint32_t at)
{
    const char *text = f->text.at;
    size_t      i = at, len = f->text.len, count;

    for (; i < len; i++) {
        if (text[i] == '#') while (i < len && text[i] != '\n' && text[i] != '\r') i++;
        if (i < len && !strchr(" \t\f\r\n", text[i])) break;
    }
    while (i < len && strchr("rRuU", text[i])) i++;
    if (i >= len || (text[i] != '"' && text[i] != '\'')) return at;
    count = i + 2 < len && text[i + 1] == text[i] && text[i + 2] == text[i] ? 3 : 1;
    return (uint32_t)string_end(text, i + count, len, text[i], count, FORM_ESCAPES | (count == 3 ? FORM_LINES : 0));
}

/* The blocks that are open, the outermost first. */
static struct indented *blocks_open(const struct finding *f) { return (void *)f->functions->stack.at; }

static void block_close(struct walk *w, const struct indented *block, uint32_t token)
{
    struct function *function;

    if (block->function == FUNCTION_NONE) return;
    function_close(w->f, block->function, token);
    function = &w->f->functions->at[block->function];
    if (function->end > function->body) return;
    if (w->body != function->body) w->docstring_end = docstring_end(w->f, function->body);
    w->body = function->body;
    function->end = w->docstring_end;
}

/* The function and the class around a new function. */
static void place_inside(struct function *function, const struct indented *block, size_t depth)
{
    while (depth-- > 0) {
        if (block[depth].function == FUNCTION_NONE) {
            function->class_at = block[depth].name_at;
            function->class_end = block[depth].name_end;
            return;
        }
        if (function->outer == FUNCTION_NONE) function->outer = block[depth].function;
    }
}

/* Opens what the logical line at `token` declares, if it does. */
static int declare(struct walk *w, uint32_t token, uint32_t column, size_t depth)
{
    struct finding *f = w->f;
    uint32_t        name = token + 1 + token_is(f, token, "async");
    const bool      is_class = token_is(f, token, "class");
    struct indented block = { column, FUNCTION_NONE, 0, 0 };

    if ((!is_class && !token_is(f, name - 1, "def")) || !token_is_name(f, name)) return 0;
    block.name_at = f->token[name].at;
    block.name_end = token_end(f, name);
    if (!is_class) {
        struct function *function;
        const uint32_t   behind = head_end(w, name);

        if (!behind) return 0;

        if ((block.function = function_open(f, token, name)) == FUNCTION_NONE) return -ENOMEM;
        function = &f->functions->at[block.function];
        function->token_end = behind;
        function->end = function->body = token_end(f, function->token_end - 1);
        place_inside(function, blocks_open(f), depth);
    }
    return bytes_append(&f->functions->stack, &block, sizeof block);
}

int functions_of_python(struct finding *f)
{
    static const int8_t opens[256] = { ['('] = 1, ['['] = 1, ['{'] = 1, [')'] = -1, [']'] = -1, ['}'] = -1 };
    const struct token *const token = f->token;
    const char *const   text = f->text.at;
    struct walk         w = { .f = f };
    struct bytes       *stack = &f->functions->stack;
    ptrdiff_t           brackets = 0;
    uint32_t            column;

    stack->len = 0;
    for (uint32_t t = 0; t < f->count; t++) {
        if ((brackets == 0) & may_begin_line(text, token[t].at) && begins_line(f, t, &column)) {
            size_t depth = stack->len / sizeof(struct indented);

            for (; depth && blocks_open(f)[depth - 1].column >= column; depth--)
                block_close(&w, &blocks_open(f)[depth - 1], t);
            stack->len = depth * sizeof(struct indented);
            if (declare(&w, t, column, depth) < 0) return -ENOMEM;
        }
        /* a bracket is an operator by itself; text between the code of a string may begin with one too */
        brackets += opens[(unsigned char)text[token[t].at]] & -(ptrdiff_t)(token[t].kind >= TOKEN_OPERATOR);
        brackets &= -(ptrdiff_t)(brackets > 0);
    }
    for (size_t depth = stack->len / sizeof(struct indented); depth; depth--)
        block_close(&w, &blocks_open(f)[depth - 1], f->count);
    return 0;
}
