/* licence/expression.c -- see expression.h.  A parser by descent, whose depth is bounded. */
#include "licence/expression.h"

#include "licence/table.h"

#include <stdio.h>
#include <strings.h>

enum { ID_BYTES = 64 };

/* full: it has more than there is room for. */
struct parsing { struct slice text; size_t at; struct licence *out; size_t len; bool full; };

/* ---- identifiers ---- */

/* Order without regard to case, shorter first. */
static int compare(struct slice a, const char *b)
{
    const int c = strncasecmp(a.at, b, a.len);

    return c ? c : b[a.len] ? -1 : 0;
}

unsigned expression_row(struct slice id)
{
    size_t low = 0, high = licence_row_count;

    if (memchr(id.at ? id.at : "", 0, id.len)) return LICENCE_NOTHING;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int    c = compare(id, licence_rows[middle].id);

        if (c == 0) return (unsigned)middle;
        if (c < 0) high = middle;
        else low = middle + 1;
    }
    for (size_t i = 0; i < licence_other_count; i++)
        if (compare(id, licence_others[i].id) == 0) return licence_others[i].row;
    return LICENCE_NOTHING;
}

enum licence_class licence_class_of(struct slice id)
{
    const unsigned row = id.len ? expression_row(id) : LICENCE_NOTHING;

    return row == LICENCE_NOTHING ? LICENCE_UNKNOWN : licence_rows[row].class;
}

static bool is_id(char c)
{
    return ((c | 32) >= 'a' && (c | 32) <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' ||
        c == ':';
}

/* The next identifier or operator, without what ends a sentence or a comment; nothing where there is neither. */
static struct slice token(const struct parsing *p, size_t *end)
{
    size_t from = p->at, to, last;

    while (from < p->text.len && (p->text.at[from] == ' ' || p->text.at[from] == '\t')) from++;
    to = from;
    while (to < p->text.len && is_id(p->text.at[to])) to++;
    last = to;
    while (last > from && strchr(".-:", p->text.at[last - 1])) last--;
    *end = to;
    if (last == from || p->text.at[from] == '-' || p->text.at[from] == '.') last = from;
    return (struct slice){ p->text.at + from, last - from };
}

static bool is_word(struct slice s, const char *word)
{
    return s.len == strlen(word) && strncasecmp(s.at, word, s.len) == 0;
}

static bool is_operator(struct slice s) { return is_word(s, "and") || is_word(s, "or") || is_word(s, "with"); }

/* Words of prose are none: an identifier that nobody knows has a digit, a hyphen or a capital, and two letters. */
static bool looks_like_id(struct slice s)
{
    bool   sign = false;
    size_t letters = 0;

    for (size_t i = 0; i < s.len; i++) {
        sign |= (s.at[i] >= '0' && s.at[i] <= '9') || s.at[i] == '-' || (s.at[i] >= 'A' && s.at[i] <= 'Z');
        letters += (s.at[i] | 32) >= 'a' && (s.at[i] | 32) <= 'z';
    }
    return sign && letters > 1 && s.len <= ID_BYTES && !is_word(s, "none") && !is_word(s, "noassertion");
}

/* ---- the expression ---- */

static void put(struct parsing *p, const char *text, size_t len)
{
    if (len >= LICENCE_BYTES - p->len) p->full = true;
    if (p->full) return;
    memcpy(p->out->expression + p->len, text, len);
    p->len += len;
    p->out->expression[p->len] = '\0';
}

/* Takes the operator if it comes next; `/` is OR, too. */
static bool takes(struct parsing *p, const char *operator)
{
    size_t             end;
    const struct slice s = token(p, &end);

    if (is_word(s, operator)) {
        p->at = end;
        return true;
    }
    if (s.len == 0 && strcmp(operator, "or") == 0 && end + 1 < p->text.len && p->text.at[end] == '/' &&
        is_id(p->text.at[end + 1])) {
        p->at = end + 1;
        return true;
    }
    return false;
}

/* GPL with an exception for what is linked with it is no longer strong. */
static enum licence_class class_with(enum licence_class class, struct slice exception)
{
    for (size_t i = 0; i < licence_exception_count; i++)
        if (is_word(exception, licence_exceptions[i].id) && licence_exceptions[i].class != LICENCE_NONE &&
            class == LICENCE_STRONG) return licence_exceptions[i].class;
    return class;
}

static enum licence_class read_or(struct parsing *p, unsigned depth);

/* What stands in more brackets than are read: something, if it is no empty ones. */
static enum licence_class read_deep(struct parsing *p)
{
    struct parsing inside = *p;
    size_t         end;
    struct slice   s = token(p, &end);

    for (; s.len == 0 && end < p->text.len && p->text.at[end] == '('; s = token(&inside, &end)) inside.at = end + 1;
    if (s.len == 0 || is_operator(s)) return LICENCE_NONE;
    p->at = end;
    p->full = true;
    return LICENCE_UNKNOWN;
}

/* An identifier, with its exception; an expression in parentheses.  LICENCE_NONE: neither, and p is as it was. */
static enum licence_class read_one(struct parsing *p, unsigned depth)
{
    size_t             end;
    struct slice       s = token(p, &end);
    unsigned           row;
    enum licence_class class;

    if (s.len == 0 && end < p->text.len && p->text.at[end] == '(' && depth == EXPRESSION_DEPTH) return read_deep(p);
    if (s.len == 0 && end < p->text.len && p->text.at[end] == '(') {
        const struct parsing before = *p;

        p->at = end + 1;
        put(p, "(", 1);
        class = read_or(p, depth + 1);
        if (class == LICENCE_NONE) {
            *p = before;
            return LICENCE_NONE;
        }
        put(p, ")", 1);
        token(p, &end);
        if (end < p->text.len && p->text.at[end] == ')') p->at = end + 1;
        return class;
    }
    if (s.len == 0 || is_operator(s)) return LICENCE_NONE;
    row = expression_row(s);
    if (row == LICENCE_NOTHING && !looks_like_id(s)) return LICENCE_NONE;
    p->at = end;
    if (row != LICENCE_NOTHING && p->out->count < LICENCE_MOST) p->out->id[p->out->count++] = licence_rows[row].id;
    put(p, row == LICENCE_NOTHING ? s.at : licence_rows[row].id,
        row == LICENCE_NOTHING ? s.len : strlen(licence_rows[row].id));
    class = row == LICENCE_NOTHING ? licence_class_of((struct slice){ s.at, s.len - (s.at[s.len - 1] == '+') })
        : licence_rows[row].class;
    if (takes(p, "with")) {
        s = token(p, &end);
        if (s.len == 0 || s.len > ID_BYTES || is_operator(s)) return class;
        p->at = end;
        put(p, " WITH ", 6);
        put(p, s.at, s.len);
        class = class_with(class, s);
    }
    return class;
}

/* Operands of one operator.  An operator that nothing follows is given back. */
static enum licence_class read_and(struct parsing *p, unsigned depth)
{
    enum licence_class class = read_one(p, depth), next;

    for (struct parsing before = *p; class != LICENCE_NONE && takes(p, "and"); before = *p) {
        put(p, " AND ", 5);
        next = read_one(p, depth);
        if (next == LICENCE_NONE) {
            *p = before;
            p->out->expression[p->len] = '\0';
            break;
        }
        class = next > class ? next : class;
    }
    return class;
}

static enum licence_class read_or(struct parsing *p, unsigned depth)
{
    enum licence_class class = read_and(p, depth), next;

    for (struct parsing before = *p; class != LICENCE_NONE && takes(p, "or"); before = *p) {
        put(p, " OR ", 4);
        next = read_and(p, depth);
        if (next == LICENCE_NONE) {
            *p = before;
            p->out->expression[p->len] = '\0';
            break;
        }
        class = next < class ? next : class;
        p->out->choice = true;
    }
    return class;
}

/* Brackets around all of it say nothing: `(A OR B)` is the licence `A OR B`. */
static void drop_brackets(char *expression)
{
    size_t len = strlen(expression);

    while (len > 1 && expression[0] == '(') {
        size_t depth = 1, end = 1;

        for (; end < len && depth; end++) depth = depth + (expression[end] == '(') - (expression[end] == ')');
        if (depth || end < len) return;
        len -= 2;
        memmove(expression, expression + 1, len);
        expression[len] = '\0';
    }
}

size_t expression_read(struct licence *out, struct slice text)
{
    struct parsing p = { .text = text, .out = out };

    *out = (struct licence){ .class = LICENCE_NONE };
    out->class = read_or(&p, 0);
    if (out->class == LICENCE_NONE) {
        *out = (struct licence){ .class = LICENCE_NONE };
        return 0;
    }
    if (p.full) *out = (struct licence){ .expression = EXPRESSION_OTHERS, .class = LICENCE_UNKNOWN };
    drop_brackets(out->expression);
    return p.at;
}
