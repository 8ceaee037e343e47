/* code/function_heads_shape.c -- heads that have no keyword: Java, C#, C and C++.
 *
 * A function is a name with parameters, after which nothing but trailers stand before the brace. */
#include "code/function_heads.h"
#include "code/lexing.h"

/* ---- Java ---- */

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

/* Behind the parenthesis at `open` when it is an annotation's, @A.B(...); else `open`. */
static uint32_t behind_annotation(const struct head *h, uint32_t open)
{
    uint32_t t = open;
    int      depth = 0;

    while (t > h->first + 1 && token_is_name(h->f, t - 1) && token_is_mark(h->f, t - 2, ".")) t -= 2;
    if (t < h->first + 2 || !token_is_name(h->f, t - 1) || !token_is_mark(h->f, t - 2, "@")) return open;
    for (t = open; t < h->brace; t++) {
        depth += token_is_mark(h->f, t, "(") - token_is_mark(h->f, t, ")");
        if (depth == 0) return t + 1;
    }
    return t;
}

enum opens head_of_java(struct head *h)
{
    static const char *const classes[] = { "class", "interface", "enum", "record", NULL };
    static const char *const statements[] = { "if", "for", "while", "switch", "catch", "synchronized", "try", "return",
                                              "throw", "case", NULL };
    uint32_t last = h->brace - 1, open;

    if (h->brace == h->first) return OPENS_OTHER;
    for (uint32_t t = h->first; t < h->brace; t++) {
        if (token_is_mark(h->f, t, "(") && (t = behind_annotation(h, t)) >= h->brace) break;
        if (token_is_mark(h->f, t, "(=")) break;
        if (head_has(h, t, classes) && token_is_name(h->f, t + 1) && t + 1 < h->brace &&
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
    open = head_opening(h, last);
    if (open == h->brace || open == h->first) return OPENS_OTHER;
    if (is_new(h, open)) {
        h->name = open;
        return OPENS_CLASS;
    }
    h->name = open - 1;
    if (h->inside == OPENS_ENUM) return OPENS_CLASS;        /* a constant with a body */
    if (!token_is_name(h->f, h->name) || head_has(h, h->name, statements)) return OPENS_OTHER;
    return h->inside == OPENS_CLASS || h->top ? OPENS_FUNCTION : OPENS_OTHER;
}

/* ---- C, C++, C# ---- */

static const char *const statements[] = { "if", "for", "while", "switch", "catch", "return", "sizeof", "using", "lock",
                                          "fixed", "foreach", "do", "else", "when", "decltype", "requires", "alignas",
                                          "case", "typeof", "nameof", "checked", "unchecked", "new", NULL };

/* Have a parenthesis that is none of parameters. */
static const char *const calls[] = { "noexcept", "throw", "__attribute__", "__declspec", "requires", "decltype", NULL };

enum { MACROS_MOST = 8, MACRO_LONGEST = 64 };               /* behind a head; what is more or longer is none */

/* Written as macros are: A_B, __a. */
static bool is_macro(const struct head *h, uint32_t token)
{
    const char    *word = token_text(h->f, token);
    const uint32_t len = h->f->token[token].len;

    if (!token_is_name(h->f, token) || len < 2 || len > MACRO_LONGEST) return false;
    for (uint32_t i = 0; i < len; i++)
        if (!is_digit(word[i]) && word[i] != '_' && !(word[i] >= 'A' && word[i] <= 'Z'))
            return i > 1 && word[0] == '_' && word[1] == '_';
    return true;
}

/* Is the word at `token`, with arguments or without, a macro behind a function's head, f(int a) GUARDED(b)?  Right
 * before it parameters end.  Its arguments may be parameters, too, API(int) GET(int a), unless something is before the
 * name in front of it, or that may be a constructor's. */
static bool is_trailing(const struct head *h, uint32_t token, bool arguments)
{
    static const char *const modifiers[] = { "static", "extern", "inline", "virtual", "explicit", "constexpr", NULL };
    static const char *const before[] = { "const", "noexcept", "override", "final", "volatile", "&", "&&", NULL };
    uint32_t t = token;

    if (!is_macro(h, token)) return false;
    while (t > h->first && token - t < MACROS_MOST && (head_has(h, t - 1, before) || is_macro(h, t - 1))) t--;
    if (t == h->first || !token_is_mark(h->f, t - 1, ")")) return false;
    if (!arguments || t < token) return true;
    if ((t = head_opening(h, t - 1)) == h->brace || t == h->first || !token_is_name(h->f, t - 1)) return false;
    if (head_has(h, t - 1, calls)) return false;            /* void __attribute__((a)) __b(int c) */
    if (h->inside == OPENS_CLASS) return true;
    return t > h->first + 1 && !token_is_mark(h->f, t - 2, ";}") && !head_has(h, t - 2, modifiers);
}

/* Behind the name and its parameters: the closing parenthesis of those before `end`; h->brace: none. */
static uint32_t parameters(const struct head *h, uint32_t end)
{
    static const char *const trailers[] = { "const", "noexcept", "override", "final", "volatile", "try", "mutable", "&",
                                            "&&", NULL };
    uint32_t t = end, open;

    while (t > h->first) {
        if (head_has(h, t - 1, trailers) || is_trailing(h, t - 1, false)) t--;
        else if (token_is_mark(h->f, t - 1, ")")) {
            if ((open = head_opening(h, t - 1)) == h->brace || open == h->first) break;
            if (!head_has(h, open - 1, calls) && !is_trailing(h, open - 1, true)) return t - 1;
            t = open - 1;
        } else if (token_is_mark(h->f, t - 1, "]") && t > h->first + 1 && token_is_mark(h->f, t - 2, "]")) {
            if ((t = head_opening(h, t - 1)) == h->brace) break;        /* [[attribute]] */
        } else {
            const uint32_t from = t;                        /* -> Type */

            do {
                if ((t = head_back(h, t)) == h->brace) return h->brace;
            } while (from - t < 60 && !token_is(h->f, t, "->") && !token_is_mark(h->f, t, ";{}="));
            if (!token_is(h->f, t, "->")) break;
        }
    }
    return h->brace;
}

/* Before the list of a constructor's initialisers, `: a(1), b{2}`, that ends before `end`: where its colon stands.
 * h->brace: it is none.  *again: another brace of the list was read before. */
static uint32_t initialisers(const struct head *h, uint32_t end, bool *again)
{
    uint32_t t = end;

    *again = false;
    while (t > h->first) {
        if (t == h->part.brace) return *again = true, head_part_found(h);
        if (token_is_mark(h->f, t - 1, ".") || token_is(h->f, t - 1, "...")) t--;
        if (token_is_mark(h->f, t - 1, ")}") && (t = head_back(h, t)) == h->brace) break;
        if (t == h->part.brace) continue;
        if (t > h->first && token_is_mark(h->f, t - 1, ">") && (t = head_angle(h, t - 1)) == h->brace) break;
        if (t == h->first || !token_is_name(h->f, t - 1)) break;
        for (t--; t > h->first + 1 && token_is(h->f, t - 1, "::");) {
            t -= 2;
            if (token_is_mark(h->f, t, ">") && ((t = head_angle(h, t)) == h->brace || t == h->first)) return h->brace;
            if (token_is_mark(h->f, t, "<")) t--;
        }
        if (t == h->first) break;
        if (token_is_mark(h->f, t - 1, ":")) return t - 1;
        if (!token_is_mark(h->f, t - 1, ",")) break;
        t--;
    }
    return h->brace;
}

/* The class that a name says it is of, A<T>::f. */
static void class_of_name(struct head *h)
{
    uint32_t t = h->name;

    if (t < h->first + 2 || !token_is(h->f, t - 1, "::")) return;
    t -= 2;
    if (token_is_mark(h->f, t, ">") && ((t = head_angle(h, t)) == h->brace || t-- == h->first)) return;
    if (token_is_name(h->f, t)) h->of_class = t;
}

/* A name in parentheses before `open`: the parenthesis of its own parameters, int (*f(int a))(int), or `open` where it
 * has none, int (f)(int); h->brace: no name is there. */
static uint32_t in_parentheses(const struct head *h, uint32_t open)
{
    const uint32_t around = head_opening(h, open - 1);

    if (around == h->brace || around == h->first || !(token_is_name(h->f, around - 1) ||
                                                      token_is_mark(h->f, around - 1, "*")) ||
        head_has(h, around - 1, statements)) return h->brace;
    if (around + 3 == open && token_is_name(h->f, around + 1)) return open;
    if (!token_is_mark(h->f, around + 1, "*") || !token_is_mark(h->f, open - 2, ")")) return h->brace;
    return head_opening(h, open - 2);
}

/* The name that ends before the parenthesis at `open`, operators' and destructors' too. */
static bool named(struct head *h, uint32_t open)
{
    static const char *const tags[] = { "struct", "union", "class", "enum", NULL };
    uint32_t t = open, inner;

    if (t == h->first) return false;
    if (token_is_mark(h->f, t - 1, ")")) {
        if ((inner = in_parentheses(h, open)) == h->brace) return false;
        t = inner - (inner == open);
    }
    for (uint32_t i = 1; i < 8 && open >= h->first + i; i++)
        if (token_is(h->f, open - i, "operator")) {
            h->name = open - i;
            h->name_last = open - 1;
            if (token_is_mark(h->f, open, "(") && i == 1) h->name_last = h->pair[open + 1] == open ? open + 1 : open;
            class_of_name(h);
            return true;
        }
    if (token_is_mark(h->f, t - 1, ">") && ((t = head_angle(h, t - 1)) == h->brace || t == h->first)) return false;
    h->name = h->name_last = t - 1;
    if (!token_is_name(h->f, h->name) || head_has(h, h->name, statements)) return false;
    if (h->name > h->first && head_has(h, h->name - 1, tags)) return false;     /* struct ALIGNED(8) A */
    if (h->name > h->first && token_is_mark(h->f, h->name - 1, "~")) h->name--;
    class_of_name(h);
    return true;
}

/* operator()(...): the parenthesis before the parameters is the name's. */
static bool call_operator(struct head *h, uint32_t open)
{
    if (open < h->first + 3 || !token_is_mark(h->f, open - 1, ")") || !token_is_mark(h->f, open - 2, "(") ||
        !token_is(h->f, open - 3, "operator")) return false;
    h->name = open - 3;
    h->name_last = open - 1;
    class_of_name(h);
    return true;
}

static bool c_function(struct head *h, uint32_t end)
{
    const uint32_t close = parameters(h, end), open = close == h->brace ? h->brace : head_opening(h, close);

    if (open == h->brace || open == h->first) return false;
    if (!h->top && h->inside != OPENS_CLASS) return false;
    for (uint32_t t = open; t > h->first;) {                /* int a = f(x) */
        if ((t = head_back(h, t)) == h->brace || token_is_mark(h->f, t, ";{}")) break;
        if (token_is_mark(h->f, t, "=") && !(t > h->first && token_is(h->f, t - 1, "operator"))) return false;
        if (token_is_mark(h->f, t, "<>")) break;
    }
    return call_operator(h, open) || named(h, open);
}

enum opens head_of_c(struct head *h)
{
    const uint32_t last = h->brace - 1;

    if (h->brace == h->first) return OPENS_OTHER;
    if (token_is(h->f, last, "extern") || (h->f->token[last].kind == TOKEN_STRING && last > h->first &&
                                           token_is(h->f, last - 1, "extern"))) return OPENS_SCOPE;
    return c_function(h, h->end) ? OPENS_FUNCTION : OPENS_OTHER;
}

/* Behind [[a]] and A(b) when a name follows, from `token` on. */
static uint32_t behind_attributes(const struct head *h, uint32_t token)
{
    uint32_t t = token, depth = 0;

    if (token_is_name(h->f, t) && token_is_mark(h->f, t + 1, "(")) t++;
    if (!token_is_mark(h->f, t, "[(")) return token;
    do depth += token_is_mark(h->f, t, "[(") - token_is_mark(h->f, t, ")]");
    while (++t < h->brace && depth);
    return t < h->brace && token_is_name(h->f, t) && !token_is(h->f, t, "where") ? t : token;
}

/* class A final : public B<C> {; also: struct, union; C#'s record, interface. */
static bool is_class(struct head *h, const char *const *classes, const char *const *stops)
{
    static const char *const access[] = { "public", "protected", "private", "signals", "slots", NULL };
    uint32_t t = h->brace;
    int      angles = 0;

    for (int i = 0; i < 200; i++) {
        if ((t = head_back(h, t)) == h->brace || token_is_mark(h->f, t, ";{}=") || head_has(h, t, stops)) return false;
        if (token_is_mark(h->f, t, ">")) angles++;
        else if (token_is(h->f, t, ">>")) angles += 2;
        else if (token_is_mark(h->f, t, "<")) angles--;
        else if (angles <= 0 && token_is_name(h->f, t) && head_has(h, t, classes) &&
                 (t == h->first || (!token_is(h->f, t - 1, "enum") && !token_is_mark(h->f, t - 1, ":,")) ||
                  (t > h->first + 1 && token_is_mark(h->f, t - 1, ":") && head_has(h, t - 2, access)))) break;
    }
    for (h->name = behind_attributes(h, t + 1); h->name + 1 < h->brace && token_is_name(h->f, h->name + 1) &&
         !token_is(h->f, h->name + 1, "final") && !token_is(h->f, h->name + 1, "where"); h->name++) { }      /* an
         attribute's macro before it */
    while (h->name + 2 < h->brace && token_is(h->f, h->name + 1, "::") && token_is_name(h->f, h->name + 2))
        h->name += 2;
    return true;
}

/* Behind `public:`, `template <...>` and `extern "C"`. */
static uint32_t behind_template(const struct head *h)
{
    static const char *const access[] = { "public", "protected", "private", "signals", "slots", "Q_SLOTS", NULL };
    uint32_t t = h->first;
    int      angles;

    for (;;) {
        if (head_has(h, t, access)) {
            t += token_is_mark(h->f, t + 1, ":") ? 2 : 1;
        } else if (token_is(h->f, t, "extern") && t + 1 < h->brace && h->f->token[t + 1].kind == TOKEN_STRING) {
            t += 2;
        } else if (token_is(h->f, t, "template") && token_is_mark(h->f, t + 1, "<")) {
            for (angles = 0, t++; t < h->brace; t++) {
                angles += token_is_mark(h->f, t, "<") - token_is_mark(h->f, t, ">") - 2 * token_is(h->f, t, ">>");
                if (angles <= 0) break;
            }
            t++;
        } else return t <= h->name ? t : h->first;
    }
}

static enum opens cpp_function(struct head *h)
{
    h->begin = behind_template(h);
    return OPENS_FUNCTION;
}

enum opens head_of_cpp(struct head *h)
{
    static const char *const classes[] = { "class", "struct", "union", NULL }, *const stops[] = { "enum", NULL };
    uint32_t colon, t;
    bool     again, ends;

    if (h->brace == h->first) return OPENS_OTHER;
    for (t = h->brace; t > h->first && h->brace - t < 8 && (token_is_name(h->f, t - 1) ||
         token_is(h->f, t - 1, "::")) && !token_is(h->f, t - 1, "namespace"); t--) { }
    if (t > h->first && token_is(h->f, t - 1, "namespace")) return OPENS_SCOPE;
    if (!h->top && h->inside != OPENS_CLASS) return is_class(h, classes, stops) ? OPENS_CLASS : OPENS_OTHER;
    colon = h->found = initialisers(h, h->brace, &again);
    ends = token_is_mark(h->f, h->brace - 1, ")}") || token_is(h->f, h->brace - 1, "...");
    if (colon != h->brace && ((again && !ends) || c_function(h, colon))) return ends ? cpp_function(h) : OPENS_PART;
    if (c_function(h, h->brace)) return cpp_function(h);
    if (is_class(h, classes, stops)) return OPENS_CLASS;
    return head_of_c(h);
}

/* Two words, a type and a name, are what a function within a function has before its parameters. */
static bool is_local(const struct head *h)
{
    const uint32_t before = h->name - 1;

    return h->name > h->first && !head_has(h, before, statements) && !token_is(h->f, before, "await") &&
        !token_is(h->f, before, "in") && !token_is(h->f, before, "is") && !token_is(h->f, before, "throw") &&
        (token_is_name(h->f, before) || token_is_mark(h->f, before, ">]?*)") || token_is(h->f, before, ">>") ||
         token_is(h->f, before, ">>>"));
}

enum opens head_of_csharp(struct head *h)
{
    static const char *const classes[] = { "class", "struct", "interface", "record", NULL };
    static const char *const stops[] = { "enum", "=>", NULL };
    uint32_t end = h->brace, t = h->brace, open;

    if (h->brace == h->first) return OPENS_OTHER;
    while (t > h->first && h->brace - t < 12 && (token_is_name(h->f, t - 1) || token_is_mark(h->f, t - 1, ".")) &&
           !token_is(h->f, t - 1, "namespace")) t--;
    if (t > h->first && token_is(h->f, t - 1, "namespace")) return OPENS_SCOPE;
    if (is_class(h, classes, stops)) return OPENS_CLASS;
    for (t = h->brace; t > h->first && h->brace - t < 60;) {
        if ((t = head_back(h, t)) == h->brace || token_is_mark(h->f, t, ";{}=") || token_is(h->f, t, "=>")) break;
        if (token_is(h->f, t, "where")) end = t;
    }
    if (end == h->first || !token_is_mark(h->f, end - 1, ")")) return OPENS_OTHER;
    open = head_opening(h, end - 1);
    if (open == h->brace || open == h->first) return OPENS_OTHER;
    if (open > h->first + 2 && token_is_mark(h->f, open - 2, ":") && token_is_mark(h->f, open - 3, ")")) {
        end = open - 2;                                     /* : base(...) */
        if ((open = head_opening(h, end - 1)) == h->brace || open == h->first) return OPENS_OTHER;
    }
    for (t = open; t > h->first;) {
        if ((t = head_back(h, t)) == h->brace || token_is_mark(h->f, t, ";{}")) break;
        if (token_is_mark(h->f, t, "=") || token_is(h->f, t, "=>") || token_is(h->f, t, "when")) return OPENS_OTHER;
    }
    if (!named(h, open) || token_is(h->f, h->name, "delegate")) return OPENS_OTHER;
    return h->inside == OPENS_CLASS || is_local(h) ? OPENS_FUNCTION : OPENS_OTHER;
}
