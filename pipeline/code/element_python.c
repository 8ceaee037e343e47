/* code/element_python.c -- what Python's statements assign to, parameters of lambdas, docstrings of classes.
 *
 * A logical line is read once.  A name may be a target where nothing but brackets that group stand around it, and a
 * comma, a bracket's end, an annotation or the assignment behind it; it is one when the = comes, or the `in` of a
 * `for`. */
#include "code/elements.h"

/* A logical line under way. */
struct line {
    uint8_t  *marks;
    uint32_t  first, from;                                  /* its first token; of what may be assigned to */
    uint32_t  depth;                                        /* brackets open */
    uint32_t  class_at;                                     /* token of a class's name, or 0 */
    uint32_t  lambda;                                       /* of the last lambda's colon */
    bool      annotated, loop, import;
};

static bool begins_line(const struct finding *f, uint32_t t)
{
    const char *text = f->text.at;
    size_t      at = f->token[t].at;

    while (at && (text[at - 1] == ' ' || text[at - 1] == '\t' || text[at - 1] == '\f')) at--;
    if (at && text[at - 1] != '\n' && text[at - 1] != '\r') return false;
    if (at >= 2 && text[at - 1] == '\n' && text[at - 2] == '\r') at--;
    return at < 2 || text[at - 2] != '\\';
}

/* An assignment of whatever kind: = += := **= and so on. */
static bool is_assignment(const struct finding *f, uint32_t t)
{
    return t < f->count && f->token[t].kind == TOKEN_OPERATOR && token_text(f, t)[f->token[t].len - 1] == '=' &&
        !token_in(f, t, WORDS("==", "!=", "<=", ">="));
}

/* Does an operand end with the token, so that a bracket behind it is a call's or a subscript's? */
static bool ends_operand(const struct finding *f, uint32_t t)
{
    if (token_is_mark(f, t, ")]}") || f->token[t].kind == TOKEN_STRING || f->token[t].kind == TOKEN_PREFIXED)
        return true;
    return token_is_name(f, t) && (!element_is_keyword(f, t) || token_in(f, t, WORDS("None", "True", "False")));
}

static bool may_be_target(const struct finding *f, uint32_t t)
{
    return token_is_name(f, t) && !element_is_keyword(f, t) &&
        (token_is_mark(f, t + 1, ",)]:") || token_is(f, t + 1, "in") || is_assignment(f, t + 1));
}

/* The names of [line->from, to) that are outside calls and subscripts; brackets are counted anew. */
static void assign(const struct finding *f, struct line *line, uint32_t to)
{
    uint32_t calls = 0;
    uint64_t is_call = 0;                                   /* of the innermost 64 brackets, the innermost lowest */

    for (uint32_t t = line->from; t < to; t++) {
        if (token_is_mark(f, t, "([{")) {
            const bool call = t > line->from && ends_operand(f, t - 1);

            is_call = is_call << 1 | call;
            calls += call;
        } else if (token_is_mark(f, t, ")]}")) {
            calls -= calls && (is_call & 1);
            is_call >>= 1;
        } else if (calls == 0 && may_be_target(f, t)) line->marks[t] |= MARK_TARGET;
    }
    line->from = to + 1;
}

/* Behind the target at `t` that a `with` or `except` gives: a name, or several in brackets. */
static uint32_t target_end(const struct finding *f, uint32_t t)
{
    enum { TARGET_MOST = 64 };
    const uint32_t first = t;
    uint32_t       depth = 0;

    for (; t < f->count && t - first < TARGET_MOST; t++) {
        if (token_is_mark(f, t, "([")) depth++;
        else if (depth && token_is_mark(f, t, ")]")) depth--;
        else if (!depth && token_is_mark(f, t, ",)]}:")) break;
    }
    return t;
}

/* Marks parameters from the `lambda` at `t` to its colon, which it gives. */
static uint32_t lambda(const struct finding *f, uint32_t t, uint8_t *marks)
{
    const uint32_t first = t;
    uint32_t       depth = 0;

    for (t++; t < f->count && t - first < EXPRESSION_MOST; t++) {
        if (token_is_mark(f, t, "([{")) depth++;
        else if (token_is_mark(f, t, ")]}")) {
            if (depth-- == 0) return t;
        } else if (depth == 0 && token_is_mark(f, t, ":")) return t;
        else if (depth == 0 && token_is_name(f, t) && (t == first + 1 || token_is_mark(f, t - 1, ",*") ||
                                                       token_is(f, t - 1, "**"))) marks[t] = MARK_PARAMETER;
    }
    return t;
}

static void line_begin(const struct finding *f, struct line *line, uint32_t t)
{
    *line = (struct line){ .marks = line->marks, .first = t, .from = t };
    line->import = token_in(f, t, WORDS("import", "from"));
}

/* A colon outside brackets: an annotation, or the head of a block. */
static void colon(const struct finding *f, struct line *line, uint32_t t)
{
    const bool head = element_is_keyword(f, line->first) ||
        (token_in(f, line->first, WORDS("match", "case")) && t > line->first + 1 && line->first + 1 < f->count &&
         f->token[line->first + 1].kind != TOKEN_OPERATOR);

    if (line->class_at) line->marks[t] = MARK_DOCSTRING;    /* a docstring behind it is the class's */
    if (head) {
        line->first = line->from = t + 1;
        line->class_at = 0;
        return;
    }
    if (!line->annotated) assign(f, line, t);
    line->annotated = true;
}

static void keyword(const struct finding *f, struct line *line, uint32_t t)
{
    if (token_is(f, t, "lambda")) line->lambda = lambda(f, t, line->marks);
    else if (token_is(f, t, "class") && t == line->first && token_is_name(f, t + 1)) {
        line->marks[t + 1] = MARK_CLASS;
        line->class_at = t + 1;
    } else if (token_is(f, t, "for")) {
        line->loop = true;
        line->from = t + 1;
    } else if (token_is(f, t, "in") && line->loop) {
        assign(f, line, t);
        line->loop = false;
    } else if (token_is(f, t, "as") && token_is_name(f, t + 1) && !token_is_mark(f, t + 2, ".[(")) {
        line->marks[t + 1] |= MARK_TARGET;
        if (line->import) line->marks[t + 1] = MARK_VARIABLE;
    } else if (token_is(f, t, "as") && !line->import) {
        line->from = t + 1;
        assign(f, line, target_end(f, t + 1));
    }
}

/* `import a.b, c`, `from a import b, c`: what is bound. */
static bool is_imported(const struct finding *f, const struct line *line, uint32_t t)
{
    uint32_t end = t + 1;

    if (!line->import || t == line->first || token_is_mark(f, t - 1, ".")) return false;
    while (token_is_mark(f, end, ".") && end - t < HEAD_MOST) end += 2;
    if (token_is(f, end, "as")) return false;
    if (token_is(f, line->first, "import")) return token_is(f, t - 1, "import") || token_is_mark(f, t - 1, ",");
    return token_is(f, t - 1, "import") || token_is_mark(f, t - 1, ",(");
}

void elements_mark_python(const struct finding *f, uint8_t *marks)
{
    struct line line = { .marks = marks };

    for (uint32_t t = 0; t < f->count; t++) {
        if (line.depth == 0 && (begins_line(f, t) || (t && token_is_mark(f, t - 1, ";")))) line_begin(f, &line, t);
        if (token_is_mark(f, t, "([{")) line.depth++;
        else if (token_is_mark(f, t, ")]}")) line.depth -= line.depth > 0;
        else if (token_is_name(f, t)) {
            if (element_is_keyword(f, t)) keyword(f, &line, t);
            else if (is_imported(f, &line, t)) marks[t] |= MARK_TARGET;
        } else if (token_is(f, t, ":=")) {
            if (t) marks[t - 1] |= MARK_TARGET;
        } else if (line.depth > 0) continue;
        else if (token_is_mark(f, t, ":") && t != line.lambda) colon(f, &line, t);
        else if (is_assignment(f, t) && !line.annotated) assign(f, &line, t);
    }
}
