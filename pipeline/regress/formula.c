/* regress/formula.c -- see formula.h.  A reader of tokens; nothing nests, so that nothing recurs. */
#include "regress/formula.h"

#include "base/suggest.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

const char *const formula_function_names[FORMULA_FUNCTIONS + 1] = { "", "log", "log1p", "scale", "factor", NULL };

enum token { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_SIGN };

struct reader {
    struct formula *out;
    struct slice    text;
    size_t          at, end;                                /* of the token at hand */
    enum token      token;
    struct slice    name;
    bool            quoted;
    struct err     *err;
};

/* Sets of variables that a part of the right side stands for. */
struct sets { uint32_t at[FORMULA_TERMS]; size_t count; };

static int refuse(const struct reader *r, const char *what)
{
    return err_set(r->err, -EINVAL, "formula, character %zu: %s", r->at + 1, what);
}

/* What stands there, where something else is wanted. */
static int unexpected(const struct reader *r, const char *wanted)
{
    const size_t len = r->end - r->at;

    if (r->token == TOKEN_END)
        return err_set(r->err, -EINVAL, "formula, character %zu: it ends where %s is wanted", r->at + 1, wanted);
    return err_set(r->err, -EINVAL, "formula, character %zu: `%.*s` where %s is wanted", r->at + 1,
                   len > 40 ? 40 : (int)len, r->text.at + r->at, wanted);
}

/* ---- tokens ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Bytes beyond ASCII, too: columns may be called in any language. */
static bool begins_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool next(struct reader *r)
{
    const char *text = r->text.at;
    size_t      at = r->end;

    while (at < r->text.len && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n')) at++;
    r->at = r->end = at;
    r->quoted = false;
    if (at == r->text.len) {
        r->token = TOKEN_END;
        return true;
    }
    if (text[at] == '`') {
        const char *close = memchr(text + at + 1, '`', r->text.len - at - 1);

        r->end = close ? (size_t)(close - text) + 1 : r->text.len;
        r->token = TOKEN_NAME;
        r->quoted = true;
        r->name = (struct slice){ text + at + 1, close ? r->end - at - 2 : 0 };
        return close && r->name.len;
    }
    r->end++;
    r->token = begins_name(text[at]) ? TOKEN_NAME : is_digit(text[at]) ? TOKEN_NUMBER : TOKEN_SIGN;
    while (r->token != TOKEN_SIGN && r->end < r->text.len &&
           (begins_name(text[r->end]) || is_digit(text[r->end]) || text[r->end] == '.')) r->end++;
    r->name = (struct slice){ text + at, r->end - at };
    return true;
}

static int advance(struct reader *r)
{
    return next(r) ? 0 : refuse(r, "a backquote begins a name, which another one ends");
}

static bool is_sign(const struct reader *r, char c) { return r->token == TOKEN_SIGN && r->text.at[r->at] == c; }

static bool is_number(const struct reader *r, const char *digits)
{
    return r->token == TOKEN_NUMBER && slice_equal(r->name, slice_of(digits));
}

/* ---- variables ---- */

static int function_of(const struct reader *r, struct slice name, size_t at, enum formula_function *out)
{
    char word[64], near[SUGGEST_ROOM];

    for (*out = FORMULA_LOG; *out < FORMULA_FUNCTIONS; ++*out)
        if (slice_equal(name, slice_of(formula_function_names[*out]))) return 0;
    snprintf(word, sizeof word, "%.*s", (int)(name.len < 60 ? name.len : 60), name.at);
    return err_set(r->err, -EINVAL, "formula, character %zu: `%s` is no function that is known; log, log1p, scale "
                                    "and factor are%s", at + 1, word, suggest(word, formula_function_names + 1, near));
}

/* NAME or FUNCTION(NAME). */
static int read_variable(struct reader *r, struct formula_variable *out)
{
    const size_t at = r->at;
    const bool   quoted = r->quoted;
    int          rc;

    if (r->token != TOKEN_NAME) return unexpected(r, "a column");
    *out = (struct formula_variable){ FORMULA_PLAIN, r->name };
    rc = advance(r);
    if (rc < 0 || quoted || !is_sign(r, '(')) return rc;
    rc = function_of(r, out->name, at, &out->function);
    if (rc == 0) rc = advance(r);
    if (rc == 0 && r->token != TOKEN_NAME) rc = unexpected(r, "a column");
    if (rc < 0) return rc;
    out->name = r->name;
    rc = advance(r);
    if (rc == 0 && !is_sign(r, ')')) rc = unexpected(r, "`)`");
    return rc == 0 ? advance(r) : rc;
}

/* The same variable is one, wherever it stands. */
static int number_variable(struct reader *r, struct formula_variable v, uint32_t *set)
{
    struct formula *f = r->out;
    size_t          i = 0;

    while (i < f->variables &&
           !(f->variable[i].function == v.function && slice_equal(f->variable[i].name, v.name))) i++;
    if (i == FORMULA_VARIABLES) return refuse(r, "more than 32 columns");
    if (i == f->variables) f->variable[f->variables++] = v;
    *set = UINT32_C(1) << i;
    return 0;
}

/* ---- terms ---- */

/* a:b:c, as one set. */
static int read_product(struct reader *r, uint32_t *out)
{
    int rc;

    *out = 0;
    for (;;) {
        struct formula_variable v = { FORMULA_PLAIN, { NULL, 0 } };
        uint32_t                set = 0;

        rc = read_variable(r, &v);
        if (rc == 0) rc = number_variable(r, v, &set);
        *out |= set;
        if (rc < 0 || !is_sign(r, ':')) return rc;
        if ((rc = advance(r)) < 0) return rc;
    }
}

static int sets_add(const struct reader *r, struct sets *sets, uint32_t set)
{
    for (size_t i = 0; i < sets->count; i++)
        if (sets->at[i] == set) return 0;
    if (sets->count == FORMULA_TERMS) return refuse(r, "more than 64 terms");
    sets->at[sets->count++] = set;
    return 0;
}

/* a*b:c, each with all that stand before it. */
static int read_crossing(struct reader *r, struct sets *terms)
{
    struct sets all = { .count = 0 };
    int         rc;

    for (;;) {
        const size_t before = all.count;
        uint32_t     set;

        rc = read_product(r, &set);
        if (rc == 0) rc = sets_add(r, &all, set);
        for (size_t i = 0; i < before && rc == 0; i++) rc = sets_add(r, &all, all.at[i] | set);
        if (rc < 0 || !is_sign(r, '*')) break;
        if ((rc = advance(r)) < 0) break;
    }
    for (size_t i = 0; i < all.count && rc == 0; i++) rc = sets_add(r, terms, all.at[i]);
    return rc;
}

static int group_add(const struct reader *r, uint32_t set)
{
    struct formula *f = r->out;

    for (size_t i = 0; i < f->groups; i++)
        if (f->group[i] == set) return 0;
    if (f->groups == REGRESS_TERMS) return refuse(r, "more than 4 grouping factors");
    f->group[f->groups++] = set;
    return 0;
}

/* Behind `(1 |`: g, a:b, or a/b/c, each within those before it. */
static int read_groups(struct reader *r)
{
    uint32_t all = 0;
    int      rc;

    for (;;) {
        uint32_t set;

        rc = read_product(r, &set);
        all |= set;
        if (rc == 0) rc = group_add(r, all);
        if (rc < 0 || !is_sign(r, '/')) break;
        if ((rc = advance(r)) < 0) break;
    }
    if (rc == 0 && !is_sign(r, ')')) rc = unexpected(r, "`)`");
    return rc == 0 ? advance(r) : rc;
}

/* Behind the bracket. */
static int read_random(struct reader *r)
{
    int rc;

    if (!is_number(r, "1"))
        return refuse(r, "a bracket begins a random intercept, as (1 | group); slopes of groups, and sums in brackets, "
                         "are not fitted");
    rc = advance(r);
    if (rc == 0 && !is_sign(r, '|')) rc = refuse(r, "`|` is wanted, as in (1 | group)");
    if (rc == 0) rc = advance(r);
    return rc == 0 ? read_groups(r) : rc;
}

/* One of those that + joins. */
static int read_term(struct reader *r, struct sets *terms, bool minus)
{
    if (minus && !is_number(r, "1")) return refuse(r, "only the intercept is taken away, as -1");
    if (is_number(r, "0") || is_number(r, "1")) {
        r->out->intercept = !minus && is_number(r, "1");
        return advance(r);
    }
    if (!is_sign(r, '(')) return read_crossing(r, terms);
    return advance(r) < 0 ? r->err->code : read_random(r);
}

static int read_right(struct reader *r, struct sets *terms)
{
    bool minus = is_sign(r, '-');
    int  rc = minus ? advance(r) : 0;

    while (rc == 0) {
        rc = read_term(r, terms, minus);
        if (rc < 0 || r->token == TOKEN_END) break;
        if (is_sign(r, '/')) rc = refuse(r, "`/` stands in a group, as (1 | a/b), and left of `~`");
        else if (is_sign(r, '^') || is_sign(r, '%')) rc = unexpected(r, "`+`; powers are no terms,");
        else if (!is_sign(r, '+') && !is_sign(r, '-')) rc = unexpected(r, "`+`");
        minus = is_sign(r, '-');
        if (rc == 0) rc = advance(r);
    }
    return rc;
}

static int read_left(struct reader *r)
{
    struct formula *f = r->out;
    int             rc = 0;

    if (r->token == TOKEN_NAME && !r->quoted && slice_equal(r->name, SLICE("cbind")))
        return refuse(r, "cbind is not known: hits of trials are HITS/TRIALS ~ ...");
    rc = read_variable(r, &f->response);
    if (rc == 0 && is_sign(r, '/')) {
        rc = advance(r);
        if (rc == 0) rc = read_variable(r, &f->trials);
    }
    if (rc == 0 && !is_sign(r, '~')) rc = unexpected(r, "`~`");
    return rc == 0 ? advance(r) : rc;
}

static int count_of(uint32_t set)
{
    int count = 0;

    for (; set; set &= set - 1) count++;
    return count;
}

int formula_parse(struct formula *out, struct slice text, struct err *err)
{
    struct reader r = { .out = out, .text = text, .err = err };
    struct sets   terms = { .count = 0 };
    int           rc;

    *out = (struct formula){ .intercept = true };
    if (text.len > FORMULA_LONGEST) return refuse(&r, "a formula of more than 4096 bytes");
    if (text.len && memchr(text.at, 0, text.len)) return refuse(&r, "it has a byte 0");
    rc = advance(&r);
    if (rc == 0) rc = read_left(&r);
    if (rc == 0) rc = read_right(&r, &terms);
    for (int size = 1; size <= FORMULA_VARIABLES && rc == 0; size++)
        for (size_t i = 0; i < terms.count; i++)
            if (count_of(terms.at[i]) == size) out->term[out->terms++] = terms.at[i];
    return rc;
}
