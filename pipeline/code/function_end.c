/* code/function_end.c -- functions of languages whose blocks end with `end`: Ruby, Lua, Julia.
 *
 * One walk with a stack of what is open: brackets and blocks.  What makes the languages differ is which words open a
 * block, and where: Ruby's `if` behind a statement opens none, nor does Julia's `for` in brackets.  An entry knows what
 * it is in and the nearest of each kind below it, so that no entry is looked at for each token that follows. */
#include "code/functions.h"
#include "code/rows.h"

enum kind { ROUND, SQUARE, CURLY, WORDS, KINDS };

/* A bracket (its mark) or a block ('e' for `end`, 'l' for a loop whose `do` is still to come). */
struct block {
    uint32_t function, name_at, name_end, nested;
    uint32_t outer, class_at, class_end;                    /* of what it stands in: the function, the class's name */
    size_t   last[KINDS];                                   /* of each kind that is open: 1 + its place, or 0 */
    char     mark;
    bool     is_class;
};

static const char *const lua_words[] = { "function", "do", "if", NULL };
static const char *const ruby_words[] = { "def", "class", "module", "begin", "case", "do", "if", "unless", "while",
                                          "until", "for", NULL };
static const char *const julia_words[] = { "function", "macro", "struct", "module", "baremodule", "begin", "quote",
                                           "let", "for", "while", "if", "try", "do", "type", NULL };

struct walk {
    struct finding      *f;
    struct bytes        *stack;                             /* of struct block */
    enum function_style  style;
    uint32_t             line_function;                     /* Ruby's `def a = b` under way, or FUNCTION_NONE */
    uint32_t             looks;                             /* tokens that may be looked forward to; many functions
                                                               could begin within each other's parameters */
    size_t               at_depth;                          /* where it began */
};

static bool one_of(const struct finding *f, uint32_t t, const char *const *words)
{
    for (; *words; words++)
        if (token_is(f, t, *words)) return true;
    return false;
}

static bool adjacent(const struct finding *f, uint32_t t) { return token_end(f, t) == f->token[t + 1].at; }

static bool new_line(const struct finding *f, uint32_t t)
{
    return t == 0 || memchr(f->text.at + token_end(f, t - 1), '\n', f->token[t].at - token_end(f, t - 1));
}

static struct block *top_of(const struct walk *w)
{
    return w->stack->len ? (struct block *)(void *)(w->stack->at + w->stack->len) - 1 : NULL;
}

/* A word that is a member's, a symbol's or a key's name: a.end, :end, end: */
static bool is_named(const struct finding *f, uint32_t t)
{
    if (t && (token_is_mark(f, t - 1, ".") || token_is(f, t - 1, "&.") || token_is(f, t - 1, "::"))) return true;
    if (t && adjacent(f, t - 1) && token_is_mark(f, t - 1, ":@$")) return true;
    return f->language->functions == FUNCTIONS_RUBY &&
        ((t && token_is(f, t - 1, "def")) || (t + 1 < f->count && adjacent(f, t) && token_is_mark(f, t + 1, ":")));
}

/* Ruby: does a statement or an operand begin at `t`?  Behind one, `if` and its like are conditions of it. */
static bool begins(const struct finding *f, uint32_t t)
{
    static const char *const words[] = { "then", "do", "else", "and", "or", "not", "begin", "in", "elsif", "if",
                                         "unless", "when", NULL };

    if (new_line(f, t) || one_of(f, t - 1, words)) return true;
    if (f->token[t - 1].kind < TOKEN_OPERATOR || token_is_mark(f, t - 1, ")]}")) return false;
    return !(token_is_mark(f, t - 1, "?!") && t > 1 && token_is_name(f, t - 2) && adjacent(f, t - 2));
}

static bool opens(const struct walk *w, uint32_t t)
{
    static const char *const conditions[] = { "if", "unless", "while", "until", NULL };
    static const char *const comprehensions[] = { "for", "if", NULL };
    const struct finding *f = w->f;
    struct block         *top = top_of(w);

    if (w->style == FUNCTIONS_LUA) return one_of(f, t, lua_words);
    if (is_named(f, t)) return false;
    if (w->style == FUNCTIONS_RUBY) {
        if (!one_of(f, t, ruby_words) || (one_of(f, t, conditions) && !begins(f, t))) return false;
        if (!token_is(f, t, "do") || !top || top->mark != 'l') return true;
        top->mark = 'e';                                    /* the loop's own */
        return false;
    }
    if (token_is(f, t, "type"))
        return t && (token_is(f, t - 1, "abstract") || token_is(f, t - 1, "primitive"));
    return one_of(f, t, julia_words) && !(one_of(f, t, comprehensions) && top && top->mark != 'e');
}

/* ---- names ---- */

/* The name of the function whose keyword is at `t`: [*name, *last]. */
static bool ruby_name(const struct finding *f, uint32_t t, uint32_t *name, uint32_t *last)
{
    for (*name = t + 1; token_is_mark(f, *name, "@"); ) ++*name;
    while (*name + 2 < f->count && token_is_name(f, *name) &&
           (token_is_mark(f, *name + 1, ".") || token_is(f, *name + 1, "::"))) *name += 2;
    *last = *name;
    if (*name >= f->count) return false;
    if (!token_is_name(f, *name)) {                         /* an operator: def <=>(other), def []=(i, x) */
        while (*last + 1 < f->count && adjacent(f, *last) && !token_is_name(f, *last + 1) &&
               !token_is_mark(f, *last + 1, "(;")) ++*last;
        return true;
    }
    if (*last + 1 < f->count && adjacent(f, *last) && token_is_mark(f, *last + 1, "?!=")) ++*last;
    return true;
}

static bool lua_name(const struct finding *f, uint32_t t, uint32_t *first, uint32_t *name)
{
    if (token_is_name(f, t + 1)) {
        for (*name = t + 1; *name + 2 < f->count && token_is_mark(f, *name + 1, ".:") && token_is_name(f, *name + 2);)
            *name += 2;
        *first = t && token_is(f, t - 1, "local") ? t - 1 : t;
        return true;
    }
    if (t < 2 || !token_is_mark(f, t - 1, "=") || !token_is_name(f, t - 2)) return false;
    *first = *name = t - 2;                                 /* a.b = function */
    while (*first > 1 && token_is_mark(f, *first - 1, ".:") && token_is_name(f, *first - 2)) *first -= 2;
    if (*first && token_is(f, *first - 1, "local")) --*first;
    return true;
}

static bool julia_name(const struct finding *f, uint32_t t, uint32_t *name)
{
    *name = t + 1;
    while (*name + 2 < f->count && token_is_name(f, *name) && token_is_mark(f, *name + 1, ".")) *name += 2;
    return *name + 1 < f->count && !token_is_mark(f, *name, "(:") && !token_is(f, *name + 1, "end");
}

static bool function_at(const struct walk *w, uint32_t t, uint32_t *first, uint32_t *name, uint32_t *last)
{
    *first = t;
    if (w->style == FUNCTIONS_RUBY) return token_is(w->f, t, "def") && ruby_name(w->f, t, name, last);
    if (!token_is(w->f, t, "function") ||
        !(w->style == FUNCTIONS_LUA ? lua_name(w->f, t, first, name) : julia_name(w->f, t, name))) return false;
    *last = *name;
    return true;
}

/* ---- the walk ---- */

/* What stands in the block is in: the function, and the class around that or in it. */
static void inside_of(const struct block *block, uint32_t *outer, uint32_t *class_at, uint32_t *class_end)
{
    *outer = !block || block->is_class ? FUNCTION_NONE
        : block->function != FUNCTION_NONE ? block->function : block->outer;
    *class_at = !block ? 0 : block->is_class ? block->name_at : block->class_at;
    *class_end = !block ? 0 : block->is_class ? block->name_end : block->class_end;
}

static int block_push(struct walk *w, struct block *block, enum kind kind)
{
    const struct block *top = top_of(w);

    inside_of(top, &block->outer, &block->class_at, &block->class_end);
    if (top) memcpy(block->last, top->last, sizeof block->last);
    block->last[kind] = w->stack->len / sizeof *block + 1;
    return bytes_append(w->stack, block, sizeof *block);
}

/* Behind the parameters of a Ruby method: is it one of a single expression, `def a(b) = c`? */
static bool is_endless(struct walk *w, uint32_t last)
{
    const struct finding *f = w->f;
    uint32_t              t = last + 1;
    size_t                depth = 0;

    if (token_is_mark(f, t, "("))
        for (; t < f->count && t - last < HEAD_MOST && w->looks; t++, w->looks--) {
            depth += token_is_mark(f, t, "(");
            if (token_is_mark(f, t, ")") && --depth == 0) break;
        }
    else t--;
    return t + 1 < f->count && token_is_mark(f, t + 1, "=") && !new_line(f, t + 1);
}

static int block_open(struct walk *w, uint32_t t)
{
    static const char *const loops[] = { "while", "until", "for", NULL };
    struct finding  *f = w->f;
    struct block     block = { .function = FUNCTION_NONE, .nested = top_of(w) ? top_of(w)->nested : 0, .mark = 'e' };
    struct function *function;
    uint32_t         first, name, last;

    if (w->style == FUNCTIONS_RUBY && one_of(f, t, loops)) block.mark = 'l';
    if (function_at(w, t, &first, &name, &last) && block.nested++ < NESTED_MOST) {
        if ((block.function = function_open(f, first, first > name ? first : name)) == FUNCTION_NONE) return -ENOMEM;
        function = &f->functions->at[block.function];
        function->name_end = token_end(f, last);
        if (function->token_end < (t > last ? t : last) + 1) function->token_end = (t > last ? t : last) + 1;
        function->end = function->body = token_end(f, function->token_end - 1);
        inside_of(top_of(w), &function->outer, &function->class_at, &function->class_end);
        if (w->style == FUNCTIONS_RUBY && is_endless(w, last)) {
            w->line_function = block.function;
            w->at_depth = w->stack->len;
            return 0;
        }
    } else if (w->style == FUNCTIONS_RUBY && (token_is(f, t, "class") || token_is(f, t, "module"))) {
        for (name = t + 1; name + 2 < f->count && token_is(f, name + 1, "::") && token_is_name(f, name + 2);) name += 2;
        block.is_class = true;
        if (token_is_name(f, name)) {
            block.name_at = f->token[name].at;
            block.name_end = token_end(f, name);
        }
    }
    return block_push(w, &block, WORDS);
}

static enum kind kind_of(char mark)
{
    return mark == '(' || mark == ')' ? ROUND : mark == '[' || mark == ']' ? SQUARE
        : mark == '{' || mark == '}' ? CURLY : WORDS;
}

/* Closes down to the innermost block, or to the bracket of the kind; what closes nothing is passed over. */
static void close_to(struct walk *w, uint32_t t, enum kind kind)
{
    const struct block *all = (const struct block *)(void *)w->stack->at, *top = top_of(w);
    const size_t        at = top ? top->last[kind] : 0;

    if (!at || at < top->last[WORDS]) return;
    for (size_t depth = w->stack->len / sizeof *all; depth >= at; depth--)
        if (all[depth - 1].function != FUNCTION_NONE) function_close(w->f, all[depth - 1].function, t + 1);
    w->stack->len = (at - 1) * sizeof *all;
}

static int step(struct walk *w, uint32_t t)
{
    struct finding *f = w->f;
    struct block   *top = top_of(w);

    if (new_line(f, t)) {
        if (top && top->mark == 'l') top->mark = 'e';
        if (w->line_function != FUNCTION_NONE && w->stack->len <= w->at_depth) {
            function_close(f, w->line_function, t);
            w->line_function = FUNCTION_NONE;
        }
    }
    if (token_is_mark(f, t, "([{")) {
        struct block bracket = { .function = FUNCTION_NONE, .nested = top ? top->nested : 0,
                                 .mark = *token_text(f, t) };

        return block_push(w, &bracket, kind_of(bracket.mark));
    }
    if (token_is_mark(f, t, ")]}")) close_to(w, t, kind_of(*token_text(f, t)));
    if (!token_is_name(f, t)) return 0;
    if (!token_is(f, t, "end")) return opens(w, t) ? block_open(w, t) : 0;
    if (w->style == FUNCTIONS_JULIA && top && top->mark == '[') return 0;           /* a[end] */
    if (w->style == FUNCTIONS_LUA || !is_named(f, t)) close_to(w, t, WORDS);
    return 0;
}

int functions_of_end(struct finding *f)
{
    struct walk w = { f, &f->functions->stack, f->language->functions, FUNCTION_NONE, 4 * f->count, 0 };

    w.stack->len = 0;
    for (uint32_t t = 0; t < f->count; t++)
        if (step(&w, t) < 0) return -ENOMEM;
    if (w.line_function != FUNCTION_NONE) function_close(f, w.line_function, f->count);
    for (const struct block *block; (block = top_of(&w)); w.stack->len -= sizeof *block)
        if (block->function != FUNCTION_NONE) function_close(f, block->function, f->count);
    return 0;
}
