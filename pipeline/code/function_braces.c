/* code/function_braces.c -- functions of languages whose blocks are in braces: the walk.
 *
 * One walk with a stack of open brackets.  What stands before an opening brace since the last statement's end is its
 * head; the language's rule (function_heads.h) says from the head what the brace opens: a function's body, a class's,
 * or anything else.  A body may be an expression, too: `fun f() = 1`, which ends with its statement.
 *
 * No token is looked at again for each that follows: a bracket knows what it is in, and the nearest brackets of each
 * kind below it; what was found of a line and of a head's parts is kept. */
#include "code/function_heads.h"
#include "code/rows.h"

#include <limits.h>

enum kind { ROUND, SQUARE, CURLY, KINDS };

/* An open bracket; the outermost stands for the text. */
struct bracket {
    uint32_t   token;
    uint32_t   statement;                                   /* token that began what is read inside it */
    uint32_t   function;                                    /* its body is in it, or FUNCTION_NONE */
    uint32_t   expression;                                  /* function whose body is under way right inside it */
    uint32_t   column;                                      /* of the line that function begins on */
    uint32_t   name_at, name_end;                           /* of a class */
    uint32_t   cases;                                       /* shells: `case` right inside it without its `esac` */
    uint32_t   nested;                                      /* functions that it is in, its own with them */
    uint32_t   outer, class_at, class_end;                  /* of what it stands in: the function, the class's name */
    size_t     last[KINDS];                                 /* of each kind that is open: 1 + its place, or 0 */
    struct head_part part;                                  /* the last one right inside it */
    uint32_t   old, old_end;                                /* of C's f(a) int a; { } that is under way: it, `int` */
    uint8_t    opens;
    char       mark;
};

/* What the finders of the styles differ in. */
struct rules {
    head_rule  *head;
    const char *expression;                                 /* stands before a body that is an expression */
    bool        lines;                                      /* such a body ends with a line that is indented less */
    bool        directives;                                 /* has lines of a preprocessor */
    bool        old;                                        /* declarations may stand between head and body */
    bool        shell;                                      /* ( opens a body, too; \} is no bracket */
};

static const struct rules rules_of[] = {
    [FUNCTIONS_JAVA] = { .head = head_of_java }, [FUNCTIONS_GO] = { .head = head_of_go },
    [FUNCTIONS_RUST] = { .head = head_of_rust }, [FUNCTIONS_PHP] = { .head = head_of_php },
    [FUNCTIONS_SCRIPT] = { .head = head_of_script }, [FUNCTIONS_SWIFT] = { .head = head_of_swift, .directives = true },
    [FUNCTIONS_PERL] = { .head = head_of_perl }, [FUNCTIONS_SHELL] = { .head = head_of_shell, .shell = true },
    [FUNCTIONS_KOTLIN] = { .head = head_of_kotlin, .expression = "=", .lines = true },
    [FUNCTIONS_SCALA] = { .head = head_of_scala, .expression = "=", .lines = true },
    [FUNCTIONS_R] = { .head = head_of_r, .expression = ")", .lines = true },
    [FUNCTIONS_C] = { .head = head_of_c, .directives = true, .old = true },
    [FUNCTIONS_CPP] = { .head = head_of_cpp, .directives = true },
    [FUNCTIONS_CSHARP] = { .head = head_of_csharp, .expression = "=>", .directives = true },
};

enum { CONDITIONS = 32, LIGHT_MOST = 16 };

struct walk {
    struct finding     *f;
    const struct rules *rules;
    struct bytes       *stack;                              /* of struct bracket, never empty */
    uint32_t           *pair;                               /* [count] */
    size_t              condition[CONDITIONS], conditions;  /* brackets open at each #if */
    size_t              line, line_seen;                    /* a line's begin; there is no other one up to `seen` */
    uint32_t            column;                             /* how far it is indented */
    /* Parentheses that are open and not on the stack: nothing in them has asked yet what it is in.  Nearly all are
     * closed before anything does. */
    uint32_t            light[LIGHT_MOST];
    size_t              lights;
};

static struct bracket *innermost(const struct walk *w, size_t *depth)
{
    *depth = w->stack->len / sizeof(struct bracket);
    return (struct bracket *)(void *)w->stack->at;
}

static struct bracket *bracket_of(const struct walk *w)
{
    size_t          depth;
    struct bracket *all = innermost(w, &depth);

    return all + depth - 1;
}

/* ---- lines ---- */

static bool begins_line(const struct finding *f, uint32_t token)
{
    size_t at = f->token[token].at;

    while (at && (f->text.at[at - 1] == ' ' || f->text.at[at - 1] == '\t')) at--;
    return at == 0 || f->text.at[at - 1] == '\n' || f->text.at[at - 1] == '\r';
}

/* How far the line that a token begins is indented. */
static uint32_t column_of(const struct finding *f, uint32_t token)
{
    size_t   at = f->token[token].at;
    uint32_t column = 0;

    for (; at && (f->text.at[at - 1] == ' ' || f->text.at[at - 1] == '\t'); at--) column++;
    return column;
}

/* How far the line that a token stands in is indented. */
static uint32_t line_column(struct walk *w, uint32_t token)
{
    const char  *text = w->f->text.at;
    const size_t end = w->f->token[token].at, known = end < w->line ? 0 : end < w->line_seen ? end : w->line_seen;
    size_t       at = end;

    while (at > known && text[at - 1] != '\n' && text[at - 1] != '\r') at--;
    if (at > known || known == 0) {
        w->line = at;
        for (w->column = 0; text[at] == ' ' || text[at] == '\t'; at++) w->column++;
    }
    w->line_seen = end < w->line_seen && known ? w->line_seen : end;
    return w->column;
}

/* ---- functions ---- */

/* What stands in the bracket is in: the function, and the class around that or in it. */
static void inside_of(const struct bracket *bracket, uint32_t *outer, uint32_t *class_at, uint32_t *class_end)
{
    const bool is_class = bracket->opens == OPENS_CLASS || bracket->opens == OPENS_ENUM;

    *outer = bracket->expression != FUNCTION_NONE ? bracket->expression : is_class ? FUNCTION_NONE
        : bracket->function != FUNCTION_NONE ? bracket->function : bracket->outer;
    *class_at = is_class ? bracket->name_at : bracket->class_at;
    *class_end = is_class ? bracket->name_end : bracket->class_end;
}

/* R's names may be strings. */
static bool is_quoted(const struct finding *f, uint32_t name)
{
    const char first = *token_text(f, name);

    return strchr("\"'", first) && token_end(f, name) >= f->token[name].at + 2 &&
        f->text.at[token_end(f, name) - 1] == first;
}

/* A new function, within the brackets that are open. */
static uint32_t function_add(struct walk *w, const struct head *head)
{
    const uint32_t   index = function_open(w->f, head->begin, head->name);
    struct function *function;

    if (index == FUNCTION_NONE) return index;
    function = &w->f->functions->at[index];
    if (head->name_last > head->name) {
        function->name_end = function->end = token_end(w->f, head->name_last);
        function->token_end = head->name_last + 1;
    }
    function->body = w->f->token[head->brace].at;
    if (function->body < function->name_end) function->body = function->name_end;
    if (is_quoted(w->f, head->name)) {
        function->name_at++;
        function->name_end--;
    }
    inside_of(bracket_of(w), &function->outer, &function->class_at, &function->class_end);
    if (head->of_class != FUNCTION_NONE) {
        function->class_at = w->f->token[head->of_class].at;
        function->class_end = token_end(w->f, head->of_class);
    }
    return index;
}

/* The head before the token `t`. */
static struct head head_at(struct walk *w, uint32_t t)
{
    size_t                depth;
    const struct bracket *all = innermost(w, &depth), *last = &all[depth - 1];
    const size_t          brace = last->last[CURLY];
    const struct bracket *around = &all[brace ? brace - 1 : 0];
    const uint32_t        first = t > last->statement && t - last->statement > HEAD_MOST ? t - HEAD_MOST
        : last->statement;
    struct head head = { .f = w->f, .pair = w->pair, .first = first, .brace = t, .begin = first, .part = last->part,
                         .end = t, .of_class = FUNCTION_NONE };

    if (first == t && last->old_end != FUNCTION_NONE) {
        head.first = head.begin = last->old;
        head.end = last->old_end;
    }
    head.inside = around->opens;
    head.top = !brace || around->opens == OPENS_SCOPE;
    head.class_name = (struct slice){ w->f->text.at + around->name_at, around->name_end - around->name_at };
    return head;
}

static int brace_open(struct walk *w, uint32_t t, struct bracket *made)
{
    struct head head = head_at(w, t);

    made->opens = (uint8_t)w->rules->head(&head);
    if (made->opens == OPENS_PART) bracket_of(w)->part = (struct head_part){ t, head.found };
    if (made->opens == OPENS_FUNCTION && w->rules->expression && *w->rules->expression == ')')
        made->opens = OPENS_OTHER;                          /* an expression like others: R */
    if (made->opens == OPENS_FUNCTION && made->nested++ >= NESTED_MOST) made->opens = OPENS_OTHER;
    if (made->opens == OPENS_FUNCTION)
        return (made->function = function_add(w, &head)) == FUNCTION_NONE ? -ENOMEM : 0;
    if ((made->opens == OPENS_CLASS || made->opens == OPENS_ENUM) && token_is_name(w->f, head.name)) {
        made->name_at = w->f->token[head.name].at;
        made->name_end = token_end(w->f, head.name);
    }
    return 0;
}

static enum kind kind_of(char mark)
{
    return mark == '(' || mark == ')' ? ROUND : mark == '[' || mark == ']' ? SQUARE : CURLY;
}

static int bracket_open(struct walk *w, uint32_t t)
{
    size_t                depth;
    const struct bracket *around = innermost(w, &depth) + depth - 1;
    struct bracket        made = { .token = t, .statement = t + 1, .function = FUNCTION_NONE,
                                   .expression = FUNCTION_NONE, .mark = *token_text(w->f, t),
                                   .nested = around->nested + (around->expression != FUNCTION_NONE),
                                   .part = { FUNCTION_NONE, 0 }, .old_end = FUNCTION_NONE };

    inside_of(around, &made.outer, &made.class_at, &made.class_end);
    memcpy(made.last, around->last, sizeof made.last);
    made.last[kind_of(made.mark)] = depth + 1;
    if ((made.mark == '{' || (made.mark == '(' && w->rules->shell)) && brace_open(w, t, &made) < 0) return -ENOMEM;
    return bytes_append(w->stack, &made, sizeof made);
}

/* ---- bodies that are expressions ---- */

static void expression_end(struct walk *w, struct bracket *bracket, uint32_t t)
{
    if (bracket->expression == FUNCTION_NONE) return;
    function_close(w->f, bracket->expression, t);
    bracket->expression = FUNCTION_NONE;
}

/* The token before `t` says that a body follows. */
static int expression_begin(struct walk *w, uint32_t t)
{
    const bool      parens = *w->rules->expression == ')';
    struct head     head = head_at(w, t + parens);
    struct bracket *bracket = bracket_of(w);

    if (head.first + EXPRESSION_MOST < t) head.first = head.begin = t - EXPRESSION_MOST;
    if (bracket->nested >= NESTED_MOST || w->rules->head(&head) != OPENS_FUNCTION) return 0;
    if (parens && head.brace >= w->f->count) head.brace = t;
    expression_end(w, bracket, head.begin);
    if ((bracket->expression = function_add(w, &head)) == FUNCTION_NONE) return -ENOMEM;
    bracket->column = line_column(w, head.begin);
    bracket->statement = t + 1;
    return 0;
}

/* Does a line begin at `t` that the body does not go on in? */
static void line_begin(struct walk *w, uint32_t t)
{
    struct bracket       *bracket = bracket_of(w);
    const struct function *function;

    if (bracket->expression == FUNCTION_NONE || !begins_line(w->f, t)) return;
    function = &w->f->functions->at[bracket->expression];
    if (w->f->token[t].at <= function->body) return;
    if (column_of(w->f, t) > bracket->column || token_is_mark(w->f, t, ".)]}") || token_is(w->f, t, "else") ||
        token_is(w->f, t, "?.") || token_is(w->f, t, "?:") || token_is(w->f, t, "catch")) return;
    if (token_is_mark(w->f, t, "{") && t && (token_is_mark(w->f, t - 1, ")=") || token_is(w->f, t - 1, "else"))) return;
    expression_end(w, bracket, t);
    bracket->statement = t;
}

/* ---- brackets and statements ---- */

/* A bracket that closes none is passed over, unless a brace stands open somewhere: then what is in it ends with it. */
static void bracket_close(struct walk *w, uint32_t t)
{
    size_t          depth;
    struct bracket *all = innermost(w, &depth), *last = &all[depth - 1];
    const enum kind kind = kind_of(*token_text(w->f, t));
    const size_t    at = last->last[kind];
    enum opens      was;

    if (at < last->last[CURLY] || (at && kind == ROUND && all[at - 1].cases)) return;
    if (at == 0) {
        last->statement = t + 1;
        return;
    }
    w->pair[t] = all[at - 1].token;
    was = all[at - 1].opens;
    for (; depth >= at; depth--) {
        expression_end(w, &all[depth - 1], t);
        if (all[depth - 1].function != FUNCTION_NONE) function_close(w->f, all[depth - 1].function, t + 1);
    }
    w->stack->len = (at - 1) * sizeof *all;
    if (kind == CURLY && was != OPENS_PART) {
        bracket_of(w)->statement = t + 1;
        bracket_of(w)->old_end = FUNCTION_NONE;
    }
}

/* ---- shells ---- */

/* Whether an odd number of backslashes stands before the token; of a backslash itself, which is no bracket, nobody
 * asks, so that none is looked at twice. */
static bool is_escaped(const struct finding *f, uint32_t t)
{
    const size_t at = f->token[t].at;
    size_t       n = 0;

    if (f->text.at[at] == '\\') return false;
    while (n < at && f->text.at[at - n - 1] == '\\') n++;
    return n % 2;
}

/* Counts `case WORD in`: until its `esac` a `)` ends a pattern. */
static void case_step(struct walk *w, uint32_t t)
{
    enum { WORD_MOST = 8 };
    struct bracket *bracket = bracket_of(w);

    if (token_is(w->f, t, "esac")) bracket->cases -= bracket->cases > 0;
    if (!token_is(w->f, t, "case")) return;
    for (uint32_t i = t + 2; i < w->f->count && i < t + WORD_MOST; i++)
        if (token_is(w->f, i, "in")) {
            bracket->cases++;
            return;
        }
}

/* ---- old C: f(a, b) int a; char *b; { } ---- */

/* Are the tokens [t, end) a declaration: a type, and names? */
static bool is_declaration(const struct finding *f, uint32_t t, uint32_t end)
{
    if (end - t < 2 || !token_is_name(f, t)) return false;
    if (token_is_mark(f, t + 1, "(") && !token_is_mark(f, t + 2, "*")) return false;
    for (t++; t < end; t++)
        if (!token_is_name(f, t) && f->token[t].kind != TOKEN_NUMBER && !token_is_mark(f, t, "*,[]()")) return false;
    return true;
}

/* Behind the parameters of a head whose first declaration ends before `end`, f(a, b) int a; else FUNCTION_NONE. */
static uint32_t old_head_end(const struct finding *f, uint32_t t, uint32_t end)
{
    const uint32_t first = t;

    while (t < end && !token_is_mark(f, t, "(")) t++;
    if (t >= end || t == first || !token_is_name(f, t - 1)) return FUNCTION_NONE;
    do t++; while (token_is_name(f, t) && token_is_mark(f, ++t, ","));
    if (!token_is_mark(f, t, ")") || !token_is_name(f, t - 1)) return FUNCTION_NONE;
    return t + 1 < end && is_declaration(f, t + 1, end) ? t + 1 : FUNCTION_NONE;
}

/* The statement in `bracket` that ends at the semicolon at `t` may begin such a function, or be a declaration of it. */
static void old_step(const struct walk *w, struct bracket *bracket, uint32_t t)
{
    if (!w->rules->old || !(bracket->token == FUNCTION_NONE || bracket->opens == OPENS_SCOPE)) return;
    if (bracket->old_end != FUNCTION_NONE && is_declaration(w->f, bracket->statement, t)) return;
    bracket->old = bracket->statement;
    bracket->old_end = old_head_end(w->f, bracket->old, t);
}

/* Commas part the constants of an enum and nothing else. */
static void statement_end(struct walk *w, uint32_t t)
{
    struct bracket *bracket = bracket_of(w);
    const bool      listed = bracket->opens == OPENS_ENUM;

    if (token_is_mark(w->f, t, ",")) {
        if (bracket->token != FUNCTION_NONE && bracket->mark != '{') expression_end(w, bracket, t);
        if (!listed) return;
    } else {
        expression_end(w, bracket, w->rules->lines ? t : t + 1);
        old_step(w, bracket, t);
    }
    bracket->statement = t + 1;
    if (listed && token_is_mark(w->f, t, ";")) bracket->opens = OPENS_CLASS;
}

/* ---- the preprocessor ---- */

/* The token behind the directive whose # is at `t`. */
static uint32_t directive_end(const struct finding *f, uint32_t t)
{
    size_t at = f->token[t].at;

    for (; at < f->text.len; at++) {
        if (f->text.at[at] == '\\' && at + 1 < f->text.len) at += f->text.at[at + 1] == '\r' ? 2 : 1;
        else if (f->text.at[at] == '\n') break;
    }
    while (t < f->count && f->token[t].at < at) t++;
    return t;
}

static bool is_directive(const struct finding *f, uint32_t t)
{
    return token_is_mark(f, t, "#") && begins_line(f, t) && token_is_name(f, t + 1);
}

/* Passes over the directive at `t`: the token behind it.  Where an #if's first branch has opened or closed brackets,
 * the others would do so again, and are passed over too. */
static uint32_t directive(struct walk *w, uint32_t t)
{
    struct finding *f = w->f;
    const uint32_t  from = t;
    size_t          depth, inside = 0;

    innermost(w, &depth);
    if (token_is(f, t + 1, "if") || token_is(f, t + 1, "ifdef") || token_is(f, t + 1, "ifndef")) {
        if (w->conditions < CONDITIONS) w->condition[w->conditions] = depth;
        w->conditions++;
    } else if (token_is(f, t + 1, "endif")) w->conditions -= w->conditions > 0;
    else if ((token_is(f, t + 1, "else") || token_is(f, t + 1, "elif")) && w->conditions &&
             w->conditions <= CONDITIONS && w->condition[w->conditions - 1] != depth) {
        for (t = directive_end(f, t); t < f->count; t++) {
            if (!is_directive(f, t)) continue;
            if (token_is(f, t + 1, "endif") && inside-- == 0) break;
            inside += token_is(f, t + 1, "if") || token_is(f, t + 1, "ifdef") || token_is(f, t + 1, "ifndef");
        }
        w->conditions--;
    }
    t = directive_end(f, t);
    if (bracket_of(w)->statement == from) bracket_of(w)->statement = t;
    return t;
}

/* Is what is called C a header of C++?  A line says so that begins with `namespace a`, `using namespace`, `template <`,
 * `class A`, `public:`. */
static bool is_cpp(const struct finding *f)
{
    static const bool first[UCHAR_MAX + 1] = { ['n'] = true, ['u'] = true, ['t'] = true, ['c'] = true, ['p'] = true };

    for (uint32_t t = 0; t + 2 < f->count; t++) {
        bool name;

        if (!token_is_name(f, t) || !first[(unsigned char)*token_text(f, t)] || !begins_line(f, t)) continue;
        name = token_is_name(f, t + 1);
        if ((token_is(f, t, "namespace") && (name || token_is_mark(f, t + 1, "{"))) ||
            (token_is(f, t, "using") && token_is(f, t + 1, "namespace")) ||
            (token_is(f, t, "template") && token_is_mark(f, t + 1, "<")) ||
            (token_is(f, t, "class") && name && (token_is_name(f, t + 2) || token_is_mark(f, t + 2, "{:;"))) ||
            ((token_is(f, t, "public") || token_is(f, t, "private") || token_is(f, t, "protected")) &&
             token_is_mark(f, t + 1, ":"))) return true;
    }
    return false;
}

/* mark: the token's.  0 or -ENOMEM. */
static int token_step(struct walk *w, uint32_t t, char mark)
{
    struct finding *f = w->f;

    if (w->rules->lines) line_begin(w, t);
    if (w->rules->shell) case_step(w, t);
    if (f->token[t].kind < TOKEN_OPERATOR || (w->rules->shell && is_escaped(f, t))) return 0;
    switch (mark) {
    case '(': case '[': case '{':
        if (bracket_open(w, t) < 0) return -ENOMEM;
        break;
    case ')': case ']': case '}':
        bracket_close(w, t);
        break;
    case ';': case ',':
        statement_end(w, t);
        break;
    default: break;
    }
    return w->rules->expression && token_is(f, t, w->rules->expression) ? expression_begin(w, t) : 0;
}

static int lights_open(struct walk *w)
{
    for (size_t i = 0; i < w->lights; i++)
        if (bracket_open(w, w->light[i]) < 0) return -ENOMEM;
    w->lights = 0;
    return 0;
}

/* Was that all that is to be done about the bracket, or about what parts statements?  By token_step it would have been
 * as much, where no bodies are expressions, nor in parentheses. */
static bool light_step(struct walk *w, uint32_t t, char mark)
{
    if (mark == ',') return w->lights > 0;
    if (mark == '(' && w->lights < LIGHT_MOST) {
        w->light[w->lights++] = t;
        return true;
    }
    if (mark == ')' && w->lights) {
        w->pair[t] = w->light[--w->lights];
        return true;
    }
    return false;
}

int functions_of_braces(struct finding *f)
{
    const enum function_style style = f->language->functions;
    const bool           cpp = style == FUNCTIONS_C && is_cpp(f);
    struct walk          w = { .f = f, .rules = &rules_of[cpp ? FUNCTIONS_CPP : style],
                               .stack = &f->functions->stack };
    const struct bracket text = { .token = FUNCTION_NONE, .function = FUNCTION_NONE, .expression = FUNCTION_NONE,
                                  .outer = FUNCTION_NONE, .part = { FUNCTION_NONE, 0 }, .old_end = FUNCTION_NONE };
    /* most tokens ask nothing */
    static const bool    asks[UCHAR_MAX + 1] = { ['('] = true, [')'] = true, ['['] = true, [']'] = true, ['{'] = true,
                                                 ['}'] = true, [';'] = true, [','] = true, ['#'] = true };
    const bool           light = !w.rules->expression && !w.rules->shell;
    size_t               depth;

    if (bytes_reserve(&f->functions->pairs, f->count * sizeof *w.pair) < 0) return -ENOMEM;
    w.pair = (uint32_t *)(void *)f->functions->pairs.at;
    memset(w.pair, 0xff, f->count * sizeof *w.pair);
    w.stack->len = 0;
    if (bytes_append(w.stack, &text, sizeof text) < 0) return -ENOMEM;
    for (uint32_t t = 0; t < f->count;) {
        const char mark = token_mark(f, t);

        if (light && (!asks[(unsigned char)mark] || light_step(&w, t, mark))) {
            t++;
            continue;
        }
        if (w.lights && lights_open(&w) < 0) return -ENOMEM;
        if (mark == '#' && w.rules->directives && is_directive(f, t)) t = directive(&w, t);
        else if (token_step(&w, t++, mark) < 0) return -ENOMEM;
    }
    innermost(&w, &depth);
    for (; depth; depth--) {
        struct bracket *open = (struct bracket *)(void *)w.stack->at + depth - 1;

        expression_end(&w, open, f->count);
        if (open->function != FUNCTION_NONE) function_close(f, open->function, f->count);
    }
    return 0;
}
