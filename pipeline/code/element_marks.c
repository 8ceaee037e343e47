/* code/element_marks.c -- names of functions, and their parameters: the finder of functions knows where they are.
 *
 * A list of parameters is the first parenthesis behind the name, or behind the keyword of a function that is bound to
 * it.  Of each of its parts, between commas, one name is the parameter's: the first where types stand behind a colon or
 * not at all, the last where they stand before it. */
#include "code/elements.h"

/* The first of the tokens that begins at `at` or behind it. */
static uint32_t token_from(const struct finding *f, uint32_t at)
{
    uint32_t low = 0, high = f->count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (f->token[middle].at < at) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Behind the type parameters at `t`, <...> or [...]. */
static uint32_t behind_types(const struct finding *f, uint32_t t, uint32_t end)
{
    const uint32_t first = t;
    int            depth = 0;

    if (!token_is_mark(f, t, "<[")) return t;
    for (; t < end && t - first < HEAD_MOST; t++) {
        if (token_is_mark(f, t, "<[")) depth++;
        else if (token_is_mark(f, t, ">]")) depth--;
        else if (token_is(f, t, ">>")) depth -= 2;
        if (depth <= 0) return t + 1;
    }
    return first;
}

static bool is_typed_before(const struct language *language)
{
    switch (language->functions) {
    case FUNCTIONS_JAVA: case FUNCTIONS_C: case FUNCTIONS_CPP: case FUNCTIONS_CSHARP: return true;
    default: return false;
    }
}

static bool is_modifier(const struct finding *f, uint32_t t)
{
    return f->language->functions != FUNCTIONS_INDENTED &&
        token_in(f, t, WORDS("val", "var", "mut", "ref", "vararg", "final", "inout", "public",
                                "private", "protected", "readonly", "static", "override", "params", "out", "in"));
}

/* Marks the parameter of the part [from, to). */
static void mark_part(const struct finding *f, uint32_t from, uint32_t to, uint8_t *marks)
{
    const bool before = is_typed_before(f->language);
    uint32_t   name = UINT32_MAX, names = 0, depth = 0;

    for (uint32_t t = from; t < to; t++) {
        if (token_is_mark(f, t, "([{<")) depth++;
        else if (token_is_mark(f, t, ")]}>")) depth -= depth > 0;
        else if (depth == 0 && (token_is_mark(f, t, ":=") || (before && token_is_mark(f, t, ",")))) break;
        else if (depth == 0 && token_is_name(f, t)) {
            names++;
            if (element_is_keyword(f, t) || (!before && is_modifier(f, t)) ||
                (t && token_is_mark(f, t - 1, "@")) ||
                (f->language->functions == FUNCTIONS_PHP && !(t && token_is_mark(f, t - 1, "$")))) continue;
            if (before || name == UINT32_MAX || f->language->functions == FUNCTIONS_SWIFT) name = t;
        }
    }
    if (name != UINT32_MAX && !(before && names < 2)) marks[name] = MARK_PARAMETER;
}

/* Marks the parameters between the parenthesis at `open` and its partner, before `end`; the token behind that. */
static uint32_t mark_list(const struct finding *f, uint32_t open, uint32_t end, uint8_t *marks)
{
    uint32_t from = open + 1, depth = 0, t = open;

    for (; t < end && t - open < HEAD_MOST; t++) {
        if (token_is_mark(f, t, "([{")) depth++;
        else if (token_is_mark(f, t, ")]}") && --depth == 0) break;
        else if (depth == 1 && token_is_mark(f, t, ",")) {
            mark_part(f, from, t, marks);
            from = t + 1;
        }
    }
    mark_part(f, from, t, marks);
    return t + 1;
}

static void mark_parameters(const struct finding *f, const struct function *function, uint32_t name, uint32_t body,
                            uint8_t *marks)
{
    const enum function_style style = f->language->functions;
    uint32_t                  t = behind_types(f, name + 1, body), last = name;

    if (style == FUNCTIONS_SHELL) return;
    if (style == FUNCTIONS_GO && name > function->token + 2 && token_is_mark(f, function->token + 1, "("))
        mark_list(f, function->token + 1, name, marks);     /* the receiver */
    while (t < body && !token_is_mark(f, t, "(") && t - name < HEAD_MOST) {
        if (token_is_name(f, t)) last = t;
        if (token_is(f, t, "=>") && last > name) marks[last] = MARK_PARAMETER;          /* f = a => */
        if (style == FUNCTIONS_RUBY && token_is_name(f, t) && (t == name + 1 || token_is_mark(f, t - 1, ",*&")))
            marks[t] = MARK_PARAMETER;                      /* def f a, b */
        t++;
    }
    if (t >= body || !token_is_mark(f, t, "(")) return;
    t = mark_list(f, t, body, marks);
    while (style == FUNCTIONS_SCALA && t < body && token_is_mark(f, t, "(")) t = mark_list(f, t, body, marks);
}

/* The end of the line that the body begins on, where the finder has not passed the parameters: Ruby, Julia, Lua. */
static uint32_t body_of(const struct finding *f, const struct function *function)
{
    uint32_t body = token_from(f, function->body), at;

    if (f->language->functions != FUNCTIONS_RUBY && f->language->functions != FUNCTIONS_LUA &&
        f->language->functions != FUNCTIONS_JULIA) return body;
    at = function->body;
    if (token_is_mark(f, body, "(") || token_is(f, body, "function") || token_is_mark(f, body, "="))
        return body + HEAD_MOST < function->token_end ? body + HEAD_MOST : function->token_end;
    while (at < function->end && f->text.at[at] != '\n' && f->text.at[at] != ';') at++;
    while (body < function->token_end && f->token[body].at < at) body++;
    return body;
}

void elements_mark(const struct finding *f, const struct measures *measures, uint8_t *marks)
{
    for (size_t i = 0; i < f->functions->count; i++) {
        const struct function *function = &f->functions->at[i];
        const uint32_t         name = token_from(f, function->name_at);
        const struct span      doc = measures->at[i].docstring;
        uint32_t               t;

        if (name >= f->count || f->token[name].at != function->name_at) continue;
        mark_parameters(f, function, name, body_of(f, function), marks);
        marks[name] = MARK_FUNCTION;
        if (doc.at == doc.end) continue;
        t = token_from(f, doc.at);
        if (t < f->count && f->token[t].at == doc.at) marks[t] = MARK_DOCSTRING;
    }
}
