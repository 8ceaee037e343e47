/* code/function_braces.c -- functions of languages whose blocks are in braces.
 *
 * One walk with a stack of open brackets.  What stands before an opening brace since the last statement's end is its
 * head; the language's rule says from the head what the brace opens: a function's body, a class's, or anything else. */
#include "code/functions.h"

enum opens { OPENS_OTHER, OPENS_CLASS, OPENS_ENUM, OPENS_FUNCTION };

/* An open bracket. */
struct bracket {
    uint32_t   token;
    uint32_t   statement;                                   /* token that began what is read inside it */
    uint32_t   function;                                    /* its body is in it, or FUNCTION_NONE */
    uint32_t   name_at, name_end;                           /* of a class */
    uint8_t    opens;
    char       mark;
};

/* A head: the tokens [first, brace). */
struct head {
    const struct finding *f;
    const uint32_t       *pair;                             /* of a closing bracket's token: that of the opening one */
    uint32_t              first, brace;
    enum opens            inside;                           /* what the innermost open brace is of */
    bool                  top;                              /* there is none */
    struct slice          class_name;                       /* of that brace's class */
    uint32_t              name;                             /* out: token that names the function or class */
};

/* ---- heads ---- */

static bool any_of(const struct head *h, uint32_t token, const char *const *words)
{
    for (; *words; words++)
        if (token_is(h->f, token, *words)) return true;
    return false;
}

/* The bracket that the closing one at `token` belongs to, not before the head; h->brace: none. */
static uint32_t opening(const struct head *h, uint32_t token)
{
    const uint32_t at = h->pair[token];

    return at == FUNCTION_NONE || at < h->first ? h->brace : at;
}

/* Goes back over `throws A.B, C<D>` to the closing parenthesis before it. */
static uint32_t before_throws(const struct head *h, uint32_t token)
{
    uint32_t t = token;

    while (t > h->first && !token_is(h->f, t, "throws") && !token_is_mark(h->f, t, "(){};=")) t--;
    return t > h->first && token_is(h->f, t, "throws") ? t - 1 : token;
}

/* `new Type<...>(...) {`: is the parenthesis at `open` that of an object of a class without a name? */
static bool is_new(const struct head *h, uint32_t open)
{
    uint32_t t = open;
    int      angles = 0;

    while (t > h->first) {
        t--;
        if (token_is_mark(h->f, t, ">")) angles++;
        else if (token_is(h->f, t, ">>")) angles += 2;
        else if (token_is(h->f, t, ">>>")) angles += 3;
        else if (token_is_mark(h->f, t, "<")) angles--;
        else if (angles > 0) continue;
        else if (token_is(h->f, t, "new")) return true;
        else if (!token_is_name(h->f, t) && !token_is_mark(h->f, t, ".@")) return false;
    }
    return false;
}

static enum opens head_of_java(struct head *h)
{
    static const char *const classes[] = { "class", "interface", "enum", "record", NULL };
    static const char *const statements[] = { "if", "for", "while", "switch", "catch", "synchronized", "try", "return",
                                              "throw", "case", NULL };
    uint32_t last = h->brace - 1, open;

    if (h->brace == h->first) return OPENS_OTHER;
    for (uint32_t t = h->first; t < h->brace; t++) {
        if (token_is_mark(h->f, t, "(=")) break;
        if (any_of(h, t, classes) && token_is_name(h->f, t + 1) && t + 1 < h->brace &&
            (t == h->first || !token_is_mark(h->f, t - 1, "."))) {
            h->name = t + 1;
            return token_is(h->f, t, "enum") ? OPENS_ENUM : OPENS_CLASS;
        }
    }
    if (!token_is_mark(h->f, last, ")")) last = before_throws(h, last);
    if (!token_is_mark(h->f, last, ")")) {                  /* a record's constructor without parameters */
        const struct slice name = { token_text(h->f, last), h->f->token[last].len };

        h->name = last;
        return h->inside == OPENS_CLASS && h->class_name.len && slice_equal(name, h->class_name) ? OPENS_FUNCTION
            : h->inside == OPENS_ENUM ? OPENS_CLASS : OPENS_OTHER;
    }
    open = opening(h, last);
    if (open == h->brace || open == h->first) return OPENS_OTHER;
    if (is_new(h, open)) {
        h->name = open;
        return OPENS_CLASS;
    }
    h->name = open - 1;
    if (h->inside == OPENS_ENUM) return OPENS_CLASS;        /* a constant with a body */
    if (!token_is_name(h->f, h->name) || any_of(h, h->name, statements)) return OPENS_OTHER;
    return h->inside == OPENS_CLASS || h->top ? OPENS_FUNCTION : OPENS_OTHER;
}

/* ---- the walk ---- */

struct walk {
    struct finding *f;
    struct bytes   *stack;                                  /* of struct bracket */
    uint32_t       *pair;                                   /* [count] */
    uint32_t        statement;                              /* outside all brackets */
};

static struct bracket *innermost(const struct walk *w, size_t *depth)
{
    *depth = w->stack->len / sizeof(struct bracket);
    return (struct bracket *)(void *)w->stack->at;
}

/* A head is that of the brackets around it, too, while it is in parentheses: `f(new A() {`. */
static uint32_t *statement_of(struct walk *w)
{
    size_t          depth;
    struct bracket *bracket = innermost(w, &depth);

    return depth ? &bracket[depth - 1].statement : &w->statement;
}

/* A new function, within the brackets that are open. */
static int function_add(struct walk *w, const struct head *head, struct bracket *made)
{
    size_t                depth;
    const struct bracket *all = innermost(w, &depth);
    struct function      *function;

    if ((made->function = function_open(w->f, head->first, head->name)) == FUNCTION_NONE) return -ENOMEM;
    function = &w->f->functions->at[made->function];
    function->body = w->f->token[head->brace].at;
    while (depth-- > 0) {
        if (all[depth].opens == OPENS_CLASS || all[depth].opens == OPENS_ENUM) {
            function->class_at = all[depth].name_at;
            function->class_end = all[depth].name_end;
            break;
        }
        if (function->outer == FUNCTION_NONE) function->outer = all[depth].function;
    }
    return 0;
}

static int brace_open(struct walk *w, uint32_t t, struct bracket *made)
{
    size_t                depth;
    const struct bracket *all = innermost(w, &depth);
    struct head           head = { .f = w->f, .pair = w->pair, .first = *statement_of(w), .brace = t, .top = true };

    while (depth && all[depth - 1].mark != '{') depth--;
    if (depth) {
        const struct bracket *around = &all[depth - 1];

        head.top = false;
        head.inside = around->opens;
        head.class_name = (struct slice){ w->f->text.at + around->name_at, around->name_end - around->name_at };
    }
    made->opens = (uint8_t)head_of_java(&head);
    if (made->opens == OPENS_FUNCTION) return function_add(w, &head, made);
    if (made->opens != OPENS_OTHER && token_is_name(w->f, head.name)) {
        made->name_at = w->f->token[head.name].at;
        made->name_end = token_end(w->f, head.name);
    }
    return 0;
}

static int bracket_open(struct walk *w, uint32_t t)
{
    struct bracket made = { .token = t, .statement = t + 1, .function = FUNCTION_NONE, .mark = *token_text(w->f, t) };

    if (made.mark == '{' && brace_open(w, t, &made) < 0) return -ENOMEM;
    return bytes_append(w->stack, &made, sizeof made);
}

static bool closes(char open, char close)
{
    return (open == '(' && close == ')') || (open == '[' && close == ']') || (open == '{' && close == '}');
}

/* A bracket that closes none is passed over, unless a brace stands open somewhere: then what is in it ends with it. */
static void bracket_close(struct walk *w, uint32_t t)
{
    size_t          depth, at;
    struct bracket *all = innermost(w, &depth);
    const char      mark = *token_text(w->f, t);

    for (at = depth; at && !closes(all[at - 1].mark, mark); at--)
        if (mark != '}' && all[at - 1].mark == '{') return;
    if (!at) {
        *statement_of(w) = t + 1;
        return;
    }
    w->pair[t] = all[at - 1].token;
    for (; depth >= at; depth--)
        if (all[depth - 1].function != FUNCTION_NONE) function_close(w->f, all[depth - 1].function, t + 1);
    w->stack->len = (at - 1) * sizeof *all;
    if (mark == '}') *statement_of(w) = t + 1;
}

/* Commas part the constants of an enum and nothing else. */
static void statement_end(struct walk *w, uint32_t t)
{
    size_t          depth;
    struct bracket *all = innermost(w, &depth);
    const bool      listed = depth && all[depth - 1].opens == OPENS_ENUM;

    if (token_is_mark(w->f, t, ",") && !listed) return;
    *statement_of(w) = t + 1;
    if (listed && token_is_mark(w->f, t, ";")) all[depth - 1].opens = OPENS_CLASS;
}

int functions_of_braces(struct finding *f)
{
    struct walk w = { f, &f->functions->stack, NULL, 0 };
    size_t      depth;

    if (bytes_reserve(&f->functions->pairs, f->count * sizeof *w.pair) < 0) return -ENOMEM;
    w.pair = (uint32_t *)(void *)f->functions->pairs.at;
    w.stack->len = 0;
    for (uint32_t t = 0; t < f->count; t++) {
        w.pair[t] = FUNCTION_NONE;
        if (f->token[t].kind < TOKEN_OPERATOR) continue;
        if (token_is_mark(f, t, "([{")) {
            if (bracket_open(&w, t) < 0) return -ENOMEM;
        } else if (token_is_mark(f, t, ")]}")) bracket_close(&w, t);
        else if (token_is_mark(f, t, ";,")) statement_end(&w, t);
    }
    innermost(&w, &depth);
    for (; depth; depth--) {
        const struct bracket *open = (struct bracket *)(void *)w.stack->at + depth - 1;

        if (open->function != FUNCTION_NONE) function_close(f, open->function, f->count);
    }
    return 0;
}
