/* code/function_heads_keyword.c -- heads of languages whose functions have a keyword: Go, Rust, PHP, Kotlin, Swift,
 * Scala, Perl, shells, R. */
#include "code/function_heads.h"

enum { FARTHEST = 2000 };                                   /* tokens of a head that are read */

/* The nearest of `words`, which are names, before the brace outside all brackets, no `stops` between; h->brace: none,
 * *stop being the one that is between, or h->brace. */
static uint32_t nearest_unless(const struct head *h, const char *const *words, const char *const *stops, uint32_t *stop)
{
    uint32_t t = h->brace;

    *stop = h->brace;
    for (int i = 0; i < FARTHEST; i++) {
        t = head_back(h, t);
        if (t == h->brace || token_is_mark(h->f, t, ";")) break;
        if (token_is_name(h->f, t) && head_has(h, t, words)) return t;
        if (head_has(h, t, stops) &&
            !(token_is_name(h->f, t) && t > h->first && token_is_mark(h->f, t - 1, "."))) {        /* this.type */
            *stop = t;
            break;
        }
    }
    return h->brace;
}

static uint32_t nearest(const struct head *h, const char *const *words, const char *const *stops)
{
    uint32_t stop;

    return nearest_unless(h, words, stops, &stop);
}

/* A class whose name is right behind its keyword. */
static enum opens class_at(struct head *h, uint32_t keyword)
{
    h->name = keyword + 1;
    return keyword != h->brace && keyword + 1 <= h->brace ? OPENS_CLASS : OPENS_OTHER;
}

static const char *const none[] = { NULL };

/* func name(, or func (receiver) name(, at `func`, and no function's type or one without a name? */
static bool go_declares(struct head *h, uint32_t func, uint32_t brace)
{
    uint32_t close;

    h->name = func + 1;
    h->of_class = FUNCTION_NONE;
    if (!token_is_mark(h->f, h->name, "(")) return token_is_name(h->f, h->name);
    for (close = func + 2; close < brace && !token_is_mark(h->f, close, ")"); close++)
        if (token_is_name(h->f, close) &&
            (h->of_class == FUNCTION_NONE || !token_is_mark(h->f, h->of_class + 1, "["))) h->of_class = close;
    h->name = close + 1;                                    /* behind the receiver */
    return close + 2 < brace && token_is_name(h->f, h->name) && !token_is(h->f, h->name, "func") &&
        token_is_mark(h->f, h->name + 1, "(");
}

enum opens head_of_go(struct head *h)
{
    static const char *const parts[] = { "struct", "interface", NULL }, *const keywords[] = { "func", NULL };
    static const char *const stops[] = { "=", ":=", "return", "go", "defer", "const", "var", "type", "if", "for",
                                         "switch", "select", "case", "import", "package", "else", NULL };
    const uint32_t brace = h->brace;
    uint32_t       func;

    if (brace == h->first) return OPENS_OTHER;
    if (head_has(h, brace - 1, parts)) return OPENS_PART;
    /* what is declared may give a function: func f() func() { */
    while ((func = nearest(h, keywords, stops)) != h->brace && !go_declares(h, func, brace)) h->brace = func;
    if (func == h->brace) func = FUNCTION_NONE;
    h->brace = brace;
    if (func != FUNCTION_NONE) h->begin = func;
    return func == FUNCTION_NONE ? OPENS_OTHER : OPENS_FUNCTION;
}

/* impl<T> Trait for a::Type<T> where ... {: the name is Type */
static enum opens rust_class(struct head *h, uint32_t keyword)
{
    int angles = 0;

    h->name = keyword;
    for (uint32_t t = keyword + 1; t < h->brace && !token_is(h->f, t, "where"); t++) {
        if (token_is_mark(h->f, t, "<")) angles++;
        else if (token_is_mark(h->f, t, ">")) angles--;
        else if (token_is(h->f, t, ">>")) angles -= 2;
        else if (angles <= 0 && token_is_name(h->f, t) && !token_is(h->f, t, "for")) h->name = t;
        if (!token_is(h->f, keyword, "impl") && h->name != keyword) break;
    }
    return OPENS_CLASS;
}

enum opens head_of_rust(struct head *h)
{
    static const char *const keywords[] = { "fn", "impl", "trait", NULL };
    static const char *const modifiers[] = { "pub", "const", "async", "unsafe", "extern", "default", "safe", NULL };
    const struct head all = *h;
    uint32_t          fn = nearest(h, keywords, none), impl = h->brace;

    for (int i = 0; i < FARTHEST && fn != all.brace; i++) { /* the function's own keyword stands before its types' */
        if (token_is(h->f, fn, "fn") && token_is_name(h->f, fn + 1) && token_is_mark(h->f, fn + 2, "(<")) break;
        if (!token_is(h->f, fn, "fn")) impl = fn;
        h->brace = fn;
        if ((fn = nearest(h, keywords, none)) == h->brace) fn = all.brace;
    }
    h->brace = all.brace;
    if (fn == all.brace) return impl == all.brace ? OPENS_OTHER : rust_class(h, impl);
    h->begin = head_begin(h, fn, modifiers);
    h->name = fn + 1;
    return OPENS_FUNCTION;
}

enum opens head_of_php(struct head *h)
{
    static const char *const keywords[] = { "function", "class", "interface", "trait", "enum", NULL };
    static const char *const modifiers[] = { "public", "protected", "private", "static", "abstract", "final",
                                             "readonly", NULL };
    uint32_t at = nearest(h, keywords, none);

    if (at == h->brace) return OPENS_OTHER;
    if (!token_is(h->f, at, "function")) return class_at(h, at);
    h->begin = head_begin(h, at, modifiers);
    h->name = at + 1 + token_is_mark(h->f, at + 1, "&");
    return token_is_name(h->f, h->name) && token_is_mark(h->f, h->name + 1, "(") ? OPENS_FUNCTION : OPENS_OTHER;
}

/* The name before the first parenthesis behind `keyword`: fun <T> Map<K, V>.name( */
static bool name_before_parameters(struct head *h, uint32_t keyword)
{
    int angles = 0;

    for (uint32_t t = keyword + 1; t < h->brace; t++) {
        if (token_is_mark(h->f, t, "<")) angles++;
        else if (token_is_mark(h->f, t, ">")) angles--;
        else if (token_is(h->f, t, ">>")) angles -= 2;
        else if (angles <= 0 && token_is_mark(h->f, t, "(")) {
            int depth = 0;

            h->name = t - 1;
            if (t - 1 > keyword && token_is_name(h->f, t - 1)) return true;
            for (; t < h->brace; t++) {                     /* a receiver of a function's type */
                depth += token_is_mark(h->f, t, "(") - token_is_mark(h->f, t, ")");
                if (depth == 0) break;
            }
        }
    }
    return false;
}

enum opens head_of_kotlin(struct head *h)
{
    static const char *const keywords[] = { "fun", "class", "object", "interface", NULL };
    static const char *const stops[] = { "=", "val", "var", "return", "if", "when", "for", "while", "else", "try", "do",
                                         "catch", "finally", "init", "constructor", NULL };
    static const char *const modifiers[] = { "public", "private", "protected", "internal", "override", "open", "final",
                                             "abstract", "suspend", "inline", "tailrec", "operator", "infix",
                                             "external", "actual", "expect", NULL };
    /* a class's own constructor may have its keyword */
    static const char *const class_stops[] = { "=", "val", "var", "return", "if", "when", "for", "while", "else", "try",
                                               "do", "catch", "finally", "init", NULL };
    uint32_t at = nearest(h, keywords, stops);

    if (at == h->brace) at = nearest(h, keywords, class_stops);
    else if (token_is(h->f, at, "fun") && !token_is(h->f, at + 1, "interface")) {
        h->begin = head_begin(h, at, modifiers);
        return name_before_parameters(h, at) ? OPENS_FUNCTION : OPENS_OTHER;
    }
    return at == h->brace || token_is(h->f, at, "fun") ? OPENS_OTHER : class_at(h, at);
}

enum opens head_of_swift(struct head *h)
{
    static const char *const keywords[] = { "func", "init", "deinit", "class", "struct", "enum", "protocol",
                                            "extension", "actor", NULL };
    static const char *const stops[] = { "=", "let", "var", "return", "if", "for", "while", "switch", "else", "do",
                                         "catch", "guard", "repeat", "in", "get", "set", "case", "import", NULL };
    static const char *const modifiers[] = { "public", "private", "fileprivate", "internal", "open", "static", "class",
                                             "override", "final", "mutating", "nonmutating", "convenience", "required",
                                             "dynamic", "optional", "lazy", "indirect", "nonisolated", "prefix",
                                             "postfix", "infix", NULL };
    uint32_t at = nearest(h, keywords, stops);

    if (at == h->brace || (at > h->first && token_is_mark(h->f, at - 1, "."))) return OPENS_OTHER;
    if (token_is(h->f, at, "func") || token_is(h->f, at, "init") || token_is(h->f, at, "deinit")) {
        h->name = at + token_is(h->f, at, "func");
        h->begin = head_begin(h, at, modifiers);
        if (token_is(h->f, at, "init") && h->inside != OPENS_CLASS) return OPENS_OTHER;
        for (h->name_last = h->name; h->name_last + 1 < h->brace && !token_is_name(h->f, h->name) &&
             !token_is_mark(h->f, h->name_last + 1, "(<");) h->name_last++;
        return OPENS_FUNCTION;
    }
    return class_at(h, at);
}

/* Scala's names may end with an = of their own: `a_=` and `++=`. */
static bool names_setter(const struct head *h, uint32_t equals, uint32_t name)
{
    return equals == name + 1 && token_is_mark(h->f, equals, "=") &&
        token_end(h->f, name) == h->f->token[equals].at &&
        (!token_is_name(h->f, name) || h->f->text.at[token_end(h->f, name) - 1] == '_');
}

/* new A[B](c) with D {: a class without a name.  `word` is the keyword; nothing but types and arguments may follow. */
static bool is_object(const struct head *h, uint32_t word)
{
    uint32_t t = h->brace;

    if (!token_is(h->f, word, "new")) return false;
    while (t > word + 1)
        if ((t = head_back(h, t)) == h->brace || !(token_is_name(h->f, t) || token_is_mark(h->f, t, ".([#")) ||
            (token_is_mark(h->f, t, ".") && token_is_mark(h->f, t - 1, ")]"))) return false;
    return true;
}

enum opens head_of_scala(struct head *h)
{
    static const char *const keywords[] = { "def", "class", "object", "trait", "enum", NULL };
    static const char *const stops[] = { "=", "val", "var", "return", "if", "for", "while", "else", "try", "do",
                                         "match",
                                         "catch", "finally", "new", "yield", "import", "given", "type", NULL };
    static const char *const modifiers[] = { "private", "protected", "override", "final", "abstract", "implicit",
                                             "lazy",
                                             "sealed", "inline", "transparent", "open", "infix", NULL };
    uint32_t stop, at = nearest_unless(h, keywords, stops, &stop);

    if (at == h->brace && stop != h->brace && stop > h->first + 1 && head_has(h, stop - 2, keywords) &&
        names_setter(h, stop, stop - 1)) at = stop - 2;     /* def a_= */
    if (at == h->brace) {
        h->name = h->brace;
        return stop != h->brace && is_object(h, stop) ? OPENS_CLASS : OPENS_OTHER;
    }
    if (!token_is(h->f, at, "def")) return class_at(h, at);
    h->name = h->name_last = at + 1;
    h->begin = head_begin(h, at, modifiers);
    if (names_setter(h, h->brace, at + 1)) return OPENS_OTHER;
    if (names_setter(h, at + 2, at + 1)) h->name_last++;
    while (h->name_last + 1 < h->brace && !token_is_name(h->f, h->name) &&
           !token_is_mark(h->f, h->name_last + 1, "([:")) h->name_last++;
    return at + 1 < h->brace && !token_is(h->f, at + 1, "this") ? OPENS_FUNCTION : OPENS_OTHER;
}

enum opens head_of_perl(struct head *h)
{
    static const char *const keywords[] = { "sub", NULL }, *const stops[] = { "=", "=>", "return", NULL };
    uint32_t at = nearest(h, keywords, stops);

    if (at == h->brace || !token_is_name(h->f, at + 1) || at + 1 >= h->brace ||
        (at > h->first && token_is_mark(h->f, at - 1, "$@%&>"))) return OPENS_OTHER;
    h->begin = at;
    for (h->name = at + 1; token_is(h->f, h->name + 1, "::") && token_is_name(h->f, h->name + 2);) h->name += 2;
    return OPENS_FUNCTION;
}

/* name() { and function name { and function name() {, and the same with a ( for the brace; a name may have points and
 * dashes in it. */
enum opens head_of_shell(struct head *h)
{
    uint32_t   last = h->brace;
    const bool parens = h->brace > h->first + 2 && token_is_mark(h->f, h->brace - 1, ")") &&
        token_is_mark(h->f, h->brace - 2, "(");

    last -= parens ? 3 : 1;
    if (h->brace == h->first || !token_is_name(h->f, last)) return OPENS_OTHER;
    if (token_is_mark(h->f, h->brace, "(") && token_is_mark(h->f, h->brace + 1, ")")) return OPENS_OTHER;
    for (h->name = last; h->name > h->first && token_end(h->f, h->name - 1) == h->f->token[h->name].at &&
         !token_is_mark(h->f, h->name - 1, ";(){}&|`"); h->name--) { }
    h->name_last = last;
    h->begin = h->name;
    if (h->name > h->first && token_is(h->f, h->name - 1, "function")) h->begin--;
    else if (!parens) return OPENS_OTHER;
    return OPENS_FUNCTION;
}

/* name <- function(...), name <- \(...), the name being a string, too: asked at the parenthesis that closes the
 * parameters. */
enum opens head_of_r(struct head *h)
{
    uint32_t at;

    if (h->brace == h->first || !token_is_mark(h->f, h->brace - 1, ")")) return OPENS_OTHER;
    at = head_opening(h, h->brace - 1);
    if (at == h->brace || at < h->first + 3 ||
        !(token_is(h->f, at - 1, "function") || token_is_mark(h->f, at - 1, "\\"))) return OPENS_OTHER;
    h->name = h->begin = at - 3;
    if (!token_is_name(h->f, h->name) && h->f->token[h->name].kind != TOKEN_STRING) return OPENS_OTHER;
    return token_is(h->f, at - 2, "<-") || token_is(h->f, at - 2, "<<-") || token_is_mark(h->f, at - 2, "=")
        ? OPENS_FUNCTION : OPENS_OTHER;
}
