/* code/function_heads_script.c -- heads of JavaScript and TypeScript.
 *
 * Statements need no semicolons there, so a head is read from its brace back: the parameters, what stands before
 * them, and for a function without a name of its own the name that it is bound to. */
#include "code/function_heads.h"

static const char *const modifiers[] = { "async", "static", "get", "set", "public", "private", "protected", "readonly",
                                         "abstract", "override", "accessor", "declare", NULL };
static const char *const statements[] = { "if", "for", "while", "switch", "catch", "with", "function", "return",
                                          "await",
                                          "super", "typeof", NULL };
enum { FARTHEST = 200, TYPES = 4 };                         /* tokens gone back, types in braces among them */

/* Does what stands before the brace say that a type is in it, where there are types? */
static bool type_brace(const struct head *h, uint32_t brace)
{
    return brace > h->first && (token_is_mark(h->f, brace - 1, "<,=:|&") || token_is(h->f, brace - 1, "extends"));
}

/* How many brackets in angles a token closes; below 0: it opens one. */
static int angles_of(const struct head *h, uint32_t t)
{
    const char *text = token_text(h->f, t);

    if (*text == '<' && h->f->token[t].len == 1) return -1;
    for (uint32_t i = 0; i < h->f->token[t].len; i++)
        if (text[i] != '>') return 0;
    return (int)h->f->token[t].len;
}

/* The word that says class before the brace, past braces in angle brackets, which are types: h->brace, there is none.
 * *angles: brackets that close less those that open, and below 0 when one is open behind the word. */
static uint32_t class_word(const struct head *h, int *angles)
{
    static const char *const classes[] = { "class", "interface", "namespace", "module", "enum", NULL };
    uint32_t t = h->brace;
    int      types = 0;

    *angles = 0;
    for (int i = 0; i < FARTHEST && t > h->first; i++) {
        const bool back = token_is_mark(h->f, t - 1, "}");

        t = head_back(h, t);
        if (t == h->brace) break;
        if (h->f->token[t].kind >= TOKEN_OPERATOR) {
            if (token_is_mark(h->f, t, ";{") && (!back || !type_brace(h, t) || ++types > TYPES)) break;
            if (token_is(h->f, t, "=>")) break;
            *angles += angles_of(h, t);
        } else if (head_has(h, t, classes) && (t == h->first || !token_is_mark(h->f, t - 1, ".")) &&
                   (t + 1 == h->brace || token_is_name(h->f, t + 1))) return t;
    }
    return h->brace;
}

/* What the brace opens of a class: OPENS_CLASS its body, OPENS_PART a type in the angle brackets of its head,
 * class A<B extends { c: D }> extends E<{}, F>; OPENS_OTHER: it has none. */
static enum opens of_class(struct head *h)
{
    int            angles;
    const uint32_t word = class_word(h, &angles);

    if (word == h->brace) return OPENS_OTHER;
    if (angles < 0) return type_brace(h, h->brace) ? OPENS_PART : OPENS_OTHER;
    h->name = word + 1 < h->brace && !token_is(h->f, word + 1, "extends") ? word + 1 : h->brace;
    return OPENS_CLASS;
}

/* The closing parenthesis of the parameters that end before `end`, a type of what is returned apart; h->brace: none. */
static uint32_t parameters(const struct head *h, uint32_t end)
{
    uint32_t t = end;

    if (end == h->first) return h->brace;
    if (token_is_mark(h->f, end - 1, ")") && !(end >= 2 + h->first && token_is(h->f, end - 2, "=>"))) {
        const uint32_t open = head_opening(h, end - 1);

        if (open == h->brace || open == h->first || !token_is_mark(h->f, open - 1, ":") ||
            open < h->first + 2 || !token_is_mark(h->f, open - 2, ")")) return end - 1;
    }
    for (int i = 0; i < FARTHEST && t > h->first; i++) {
        if (token_is_mark(h->f, t - 1, ":") && t - 1 > h->first && token_is_mark(h->f, t - 2, ")")) return t - 2;
        t = head_back(h, t);
        if (t == h->brace || token_is_mark(h->f, t, "=;?")) break;
        if (t == h->part.brace) return head_part_found(h);
    }
    return h->brace;
}

/* Where the names, points and `this` before `token` begin: a.b.name */
static uint32_t chain(const struct head *h, uint32_t token)
{
    while (token > h->first + 1 && token_is_mark(h->f, token - 1, ".") && token_is_name(h->f, token - 2)) token -= 2;
    return token;
}

/* The name that what begins at `token` is bound to: `name =`, `name: Type =`, `name:`. */
static bool bound(struct head *h, uint32_t token)
{
    static const char *const declares[] = { "const", "let", "var", NULL };
    uint32_t t = token;

    if (token < h->first + 2 || !token_is_mark(h->f, token - 1, "=:")) return false;
    h->name = token - 2;
    if (token_is_mark(h->f, token - 1, "=")) {              /* is it a type that stands before the = ? */
        for (int i = 0; i < 60 && t > h->first; i++) {
            t = head_back(h, t);
            if (t == h->brace || token_is_mark(h->f, t, ";{}")) break;
            if ((head_has(h, t, declares) || head_has(h, t, modifiers)) && token_is_name(h->f, t + 1)) {
                if (token_is_mark(h->f, t + 2, ":")) h->name = t + 1;
                break;
            }
        }
    }
    if (!token_is_name(h->f, h->name)) return false;
    h->begin = chain(h, h->name);
    if (h->begin > h->first && head_has(h, h->begin - 1, declares)) h->begin--;
    else h->begin = head_begin(h, h->begin, modifiers);
    return true;
}

/* A method: within a class any, in an object's literal behind a comma or the brace. */
static bool is_method(struct head *h, uint32_t name)
{
    uint32_t begin = name;

    if (!token_is_name(h->f, name) || head_has(h, name, statements)) return false;
    if (begin > h->first && token_is_mark(h->f, begin - 1, "#")) begin--;
    if (begin > h->first && token_is_mark(h->f, begin - 1, "*")) begin--;
    begin = head_begin(h, begin, modifiers);
    h->name = name;
    h->begin = begin;
    if (h->inside == OPENS_CLASS) return begin == h->first || !token_is_mark(h->f, begin - 1, ".=");
    if (h->top || h->inside == OPENS_FUNCTION || begin == 0) return false;
    return token_is_mark(h->f, begin - 1, ",{");
}

enum opens head_of_script(struct head *h)
{
    const bool arrow = h->brace > h->first && token_is(h->f, h->brace - 1, "=>");
    enum opens class;
    uint32_t   close, open, at;

    if (h->brace == h->first) return OPENS_OTHER;
    if (!arrow && (class = of_class(h)) != OPENS_OTHER) return class;
    if (arrow && h->brace > h->first + 1 && token_is_name(h->f, h->brace - 2)) {
        at = h->brace - 2;                                  /* name => { */
        if (at > h->first && token_is_mark(h->f, at - 1, "=:") ? bound(h, at) :
            at > h->first + 1 && token_is(h->f, at - 1, "async") && bound(h, at - 1)) return OPENS_FUNCTION;
    }
    close = parameters(h, h->brace - arrow);
    open = close == h->brace ? h->brace : head_opening(h, close);
    h->found = close;
    if (!arrow && token_is_mark(h->f, h->brace - 1, ":<|&") &&
        (close != h->brace || token_is_mark(h->f, h->brace - 1, "<"))) return OPENS_PART;
    if (open == h->brace || open == h->first) return OPENS_OTHER;
    at = open;
    if (token_is_mark(h->f, at - 1, ">") && (at = head_angle(h, at - 1)) == h->brace) return OPENS_OTHER;
    if (arrow) {
        if (at > h->first && token_is(h->f, at - 1, "async")) at--;
        return bound(h, at) ? OPENS_FUNCTION : OPENS_OTHER;
    }
    if (at == h->first) return OPENS_OTHER;
    h->name = at - 1;
    at = h->name;
    if (token_is_name(h->f, at) && !token_is(h->f, at, "function")) {
        h->begin = at > h->first && token_is_mark(h->f, at - 1, "*") ? at - 1 : at;
        if (h->begin > h->first && token_is(h->f, h->begin - 1, "function")) {
            h->begin--;
            if (h->begin > h->first && token_is(h->f, h->begin - 1, "async")) h->begin--;
            return OPENS_FUNCTION;
        }
        return is_method(h, at) ? OPENS_FUNCTION : OPENS_OTHER;
    }
    if (token_is_mark(h->f, at, "*") && at > h->first) at--;
    if (!token_is(h->f, at, "function")) return OPENS_OTHER;
    if (at > h->first && token_is(h->f, at - 1, "async")) at--;
    if (bound(h, at)) return OPENS_FUNCTION;
    return OPENS_OTHER;
}
