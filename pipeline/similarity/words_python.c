/* similarity/words_python.c -- the words of Python as Pygments' lexer cuts them; see words.h.
 *
 * The lexer is a stack of states: the text, strings, fields of f-strings with their brackets.  In each the first rule
 * that fits takes its bytes; where none does, a line feed goes back to the text and anything else is a character by
 * itself.  Where a rule looks for an end that may be far away, the place that was found is kept, so that no byte is
 * looked through twice for it. */
#include "similarity/words.h"

#include "code/lexing.h"

#include <errno.h>

enum place { PLACE_STRING, PLACE_FIELD, PLACE_BRACKET };    /* an empty stack is the text */

/* Of a string: its quote, three of them or one, which escapes are known in it, whether it has fields. */
struct state { uint8_t place; char quote; bool triple, format, escapes, unicode; };

/* The next of a byte, looked for once; len where there is none. */
struct next { char wanted; size_t at; bool known; };

struct cutting {
    struct words *words;
    const char   *text;
    size_t        len, at;
    struct next   bracket, brace, line;
    bool          unclosed[2];                              /* no three of ' or of " any more */
};

static char char_at(const struct cutting *c, size_t at) { return at < c->len ? c->text[at] : 0; }

static size_t next_of(struct cutting *c, struct next *next, size_t from)
{
    if (!next->known || next->at < from) {
        const char *found = from < c->len ? memchr(c->text + from, next->wanted, c->len - from) : NULL;

        *next = (struct next){ next->wanted, found ? (size_t)(found - c->text) : c->len, true };
    }
    return next->at;
}

/* Takes the bytes to `end` as one token. */
static int take(struct cutting *c, size_t end)
{
    const struct slice token = { c->text + c->at, end - c->at };

    c->at = end;
    return words_split(c->words, token);
}

static int push(struct cutting *c, struct state state)
{
    return bytes_append(&c->words->stack, &state, sizeof state);
}

static void pop(struct cutting *c) { c->words->stack.len -= sizeof(struct state); }

/* The end of a run of letters, digits and underscores. */
static size_t word_end(const struct cutting *c, size_t at)
{
    for (size_t used; at < c->len && unicode_is_word(unicode_decode(c->text + at, c->len - at, &used)); at += used) { }
    return at;
}

static size_t digits_end(const struct cutting *c, size_t at)
{
    while (is_digit(char_at(c, at))) at++;
    return at;
}

static bool is_hex(char d) { return is_digit(d) || (d >= 'a' && d <= 'f') || (d >= 'A' && d <= 'F'); }

static bool is_triple(const struct cutting *c, size_t at, char quote)
{
    return char_at(c, at) == quote && char_at(c, at + 1) == quote && char_at(c, at + 2) == quote;
}

/* ---- numbers ---- */

/* Digits of a base with single underscores between them; `at` itself where there is none. */
static size_t grouped_end(const struct cutting *c, size_t at, int base, bool underscore_first)
{
    size_t end = at;

    for (;;) {
        const size_t next = end + (char_at(c, end) == '_' && (end > at || underscore_first));
        const char   d = char_at(c, next);

        if (base == 16 ? !is_hex(d) : !is_digit(d) || d >= '0' + base) return end;
        end = next + 1;
    }
}

/* e, perhaps a sign, and digits; `at` itself where there is none. */
static size_t exponent_end(const struct cutting *c, size_t at)
{
    size_t digits, end;

    if (!char_in(char_at(c, at), "eE")) return at;
    digits = at + 1 + char_in(char_at(c, at + 1), "+-");
    end = grouped_end(c, digits, 10, false);
    return end > digits ? end : at;
}

/* The end of the number at c->at; c->at where there is none. */
static size_t numeral_end(const struct cutting *c)
{
    const size_t at = c->at, whole = grouped_end(c, at, 10, false);
    size_t       end;

    if (char_at(c, whole) == '.') {
        end = grouped_end(c, whole + 1, 10, false);
        if (whole > at || end > whole + 1) return exponent_end(c, end);
    }
    if (whole == at) return at;
    end = exponent_end(c, whole);
    if (end > whole) return end + (char_at(c, end) == 'j');
    if (char_at(c, at) == '0' && at + 1 < c->len) {
        const char base = c->text[at + 1];

        end = at + 2;
        if (char_in(base, "oO")) end = grouped_end(c, at + 2, 8, true);
        if (char_in(base, "bB")) end = grouped_end(c, at + 2, 2, true);
        if (char_in(base, "xX")) end = grouped_end(c, at + 2, 16, true);
        if (end > at + 2) return end;
    }
    return whole;
}

/* ---- strings ---- */

/* A string's prefix and opening quotes at c->at: 1 taken, 0 there is none, -ENOMEM. */
static int string_open(struct cutting *c)
{
    struct state state = { .place = PLACE_STRING, .escapes = true, .unicode = true };
    size_t       at = c->at;
    bool         raw = false, bytes = false;

    for (; at < c->at + 2 && char_in(char_at(c, at), "rRbBuUfF"); at++) {
        const char letter = (char)(c->text[at] | 0x20);

        if (at > c->at && (letter == 'u' || (c->text[c->at] | 0x20) == 'u')) return 0;
        if (letter == 'r' ? raw : letter == 'b' ? bytes || state.format : state.format || bytes) return 0;
        if (letter == 'r') raw = true;
        else if (letter == 'b') bytes = true;
        else if (letter == 'f') state.format = true;
    }
    if (at == c->at + 2 && !raw) return 0;
    state.quote = char_at(c, at);
    if (state.quote != '"' && state.quote != '\'') return 0;
    state.triple = is_triple(c, at, state.quote);
    state.escapes = !raw;
    state.unicode = !raw && !bytes;
    if (at > c->at && take(c, at) < 0) return -ENOMEM;
    return take(c, at + (state.triple ? 3 : 1)) < 0 || push(c, state) < 0 ? -ENOMEM : 1;
}

/* The end of the escape at a backslash; `at` where it is none. */
static size_t escape_end(struct cutting *c, const struct state *state, size_t at)
{
    const char kind = char_at(c, at + 1);
    size_t     end = at + 2;

    if (state->escapes && state->unicode && kind == 'N' && char_at(c, end) == '{') {
        const size_t brace = next_of(c, &c->brace, end + 1);

        if (brace < next_of(c, &c->line, end + 1)) return brace + 1;
    }
    if (state->escapes && state->unicode && (kind == 'u' || kind == 'U')) {
        while (end < at + (kind == 'u' ? 6 : 10) && is_hex(char_at(c, end))) end++;
        if (end == at + (kind == 'u' ? 6 : 10)) return end;
    }
    end = at + 2;
    if (state->escapes && at + 1 < c->len && (char_in(kind, "\\abfnrtv\"'") || kind == '\n')) return end;
    if (state->escapes && kind == 'x' && is_hex(char_at(c, end)) && is_hex(char_at(c, end + 1))) return end + 2;
    if (state->escapes && kind >= '0' && kind <= '7') {
        while (end < at + 4 && char_at(c, end) >= '0' && char_at(c, end) <= '7') end++;
        return end;
    }
    return !state->triple && (kind == '\\' || kind == state->quote || kind == '\n') ? end : at;
}

/* The end of a field of % at `at`; `at` where it is none. */
static size_t percent_end(const struct cutting *c, size_t at)
{
    size_t end = at + 1;

    if (char_at(c, end) == '(') {
        const size_t word = word_end(c, end + 1);

        if (word == end + 1 || char_at(c, word) != ')') return at;
        end = word + 1;
    }
    while (char_in(char_at(c, end), "-#0 +")) end++;
    end = char_at(c, end) == '*' ? end + 1 : digits_end(c, end);
    if (char_at(c, end) == '.' && (char_at(c, end + 1) == '*' || is_digit(char_at(c, end + 1))))
        end = char_at(c, end + 1) == '*' ? end + 2 : digits_end(c, end + 1);
    if (char_in(char_at(c, end), "hlL")) end++;
    return char_in(char_at(c, end), "EFGXcdefgiorsaux%") ? end + 1 : at;
}

/* What follows the alignment of a format, with the closing brace; 0 where that does not fit. */
static size_t format_rest_end(const struct cutting *c, size_t at)
{
    if (char_in(char_at(c, at), "-+ ")) at++;
    if (char_at(c, at) == '#') at++;
    at = digits_end(c, at);
    if (char_at(c, at) == ',') at++;
    if (char_at(c, at) == '.' && is_digit(char_at(c, at + 1))) at = digits_end(c, at + 1);
    if (char_in(char_at(c, at), "EFGXbcdefgnosx%")) at++;
    return char_at(c, at) == '}' ? at + 1 : 0;
}

/* The end of a field of str.format at `at`; `at` where it is none. */
static size_t field_end(struct cutting *c, size_t at)
{
    size_t end = word_end(c, at + 1), rest, used = 0;

    while (end > at + 1) {
        size_t next = char_at(c, end) == '.' ? word_end(c, end + 1) : end;

        if (char_at(c, end) == '.' && next == end + 1) next = end;
        if (char_at(c, end) == '[') {
            next = next_of(c, &c->bracket, end + 1);
            next = next > end + 1 && next < c->len ? next + 1 : end;
        }
        if (next == end) break;
        end = next;
    }
    if (char_at(c, end) == '!' && char_in(char_at(c, end + 1), "sra")) end += 2;
    if (char_at(c, end) == '}') return end + 1;
    if (char_at(c, end) != ':') return at;
    end++;
    if (end < c->len && c->text[end] != '\n') unicode_decode(c->text + end, c->len - end, &used);
    rest = used && char_in(char_at(c, end + used), "<>=^") ? format_rest_end(c, end + used + 1) : 0;
    if (!rest && char_in(char_at(c, end), "<>=^")) rest = format_rest_end(c, end + 1);
    if (!rest) rest = format_rest_end(c, end);
    return rest ? rest : at;
}

/* A token inside a string. */
static int string_token(struct cutting *c, const struct state state)
{
    const char   first = c->text[c->at];
    const char  *stops = state.format ? "\\'\"{}\n" : "\\'\"%{\n";
    size_t       end = c->at;

    if (state.format && (first == '{' || first == '}') && char_at(c, c->at + 1) == first) return take(c, c->at + 2);
    if (first == '\\' && (end = escape_end(c, &state, c->at)) > c->at) return take(c, end);
    if (state.triple ? is_triple(c, c->at, state.quote) : first == state.quote) {
        pop(c);
        return take(c, c->at + (state.triple ? 3 : 1));
    }
    if (first == '\n') {
        if (!state.triple) c->words->stack.len = 0;         /* it was never closed */
        return take(c, c->at + 1);
    }
    if (state.format && first == '{') {
        if (take(c, c->at + 1) < 0) return -ENOMEM;
        return push(c, (struct state){ .place = PLACE_FIELD });
    }
    if (first == '%' && !state.format) end = percent_end(c, c->at);
    if (first == '{') {
        end = field_end(c, c->at);
        if (end == c->at) end += char_at(c, end + 1) == '{' ? 2 : 1;
    }
    if (end > c->at) return take(c, end);
    while (end < c->len && (!c->text[end] || !strchr(stops, c->text[end]))) end++;
    return take(c, end > c->at ? end : c->at + 1);
}

/* ---- the text and what stands in fields ---- */

/* A string of three quotes that begins its line, with at most two letters before it: 1 taken, 0, -ENOMEM. */
static int doc_token(struct cutting *c)
{
    size_t      at = c->at, used, quote;
    const char *found = NULL;

    while (at < c->len && c->text[at] != '\n' && unicode_is_space(unicode_decode(c->text + at, c->len - at, &used)))
        at += used;
    for (quote = at; quote < at + 2 && char_in(char_at(c, quote), "rRuUbB"); quote++) { }
    if (!char_in(char_at(c, quote), "'\"") || !is_triple(c, quote, c->text[quote])) return 0;
    if (!c->unclosed[c->text[quote] == '"'])
        found = memmem(c->text + quote + 3, c->len - quote - 3, c->text[quote] == '"' ? "\"\"\"" : "'''", 3);
    if (!found) {
        c->unclosed[c->text[quote] == '"'] = true;
        return 0;
    }
    c->at = at;
    if (take(c, quote) < 0) return -ENOMEM;
    return take(c, (size_t)(found - c->text) + 3) < 0 ? -ENOMEM : 1;
}

/* Behind `def`, `class`, `from`, `import`: white space and backslashes before more of it. */
static int keyword_space(struct cutting *c)
{
    size_t end = c->at, used;

    while (end < c->len) {
        const size_t space = end + (c->text[end] == '\\');

        if (space == c->len || !unicode_is_space(unicode_decode(c->text + space, c->len - space, &used))) break;
        end = space + used;
    }
    return take(c, end);
}

/* Names that follow `import` and `from`: a dot is a word by itself there, whatever stands behind it. */
static int module_names(struct cutting *c)
{
    size_t end;

    while (c->at < c->len) {
        const char first = c->text[c->at];

        end = is_digit(first) ? c->at : word_end(c, c->at);
        if (first == '.') end = c->at + 1;
        if (end == c->at) return 0;
        if (take(c, end) < 0) return -ENOMEM;
    }
    return 0;
}

static int name_token(struct cutting *c, size_t end, bool text)
{
    const struct slice name = { c->text + c->at, end - c->at };
    const bool         modules = slice_equal(name, SLICE("import")) || slice_equal(name, SLICE("from"));

    if (take(c, end) < 0) return -ENOMEM;
    if (!text || (!modules && !slice_equal(name, SLICE("def")) && !slice_equal(name, SLICE("class")))) return 0;
    end = c->at;
    if (keyword_space(c) < 0) return -ENOMEM;
    return modules && c->at > end ? module_names(c) : 0;
}

/* A token of an expression, or in the text. */
static int expression_token(struct cutting *c, bool text)
{
    const char first = c->text[c->at], second = char_at(c, c->at + 1);
    size_t     used = 1, end;
    int        rc = string_open(c);

    if (rc != 0) return rc;
    end = numeral_end(c);
    if (end > c->at) return take(c, end);
    if ((second == '=' && char_in(first, "!=:")) || (char_in(first, "<>") && first == second))
        return take(c, c->at + 2);
    if (first == '@' && !is_digit(second)) return take(c, word_end(c, c->at + 1));
    end = word_end(c, c->at);
    if (end > c->at) return name_token(c, end, text);
    unicode_decode(c->text + c->at, c->len - c->at, &used);
    return take(c, c->at + used);
}

/* Inside the braces of an f-string; `bracket`: inside others there. */
static int field_token(struct cutting *c, bool bracket)
{
    const char first = c->text[c->at];
    size_t     end = c->at, used;

    if (char_in(first, "{([")) {
        if (take(c, c->at + 1) < 0) return -ENOMEM;
        return push(c, (struct state){ .place = PLACE_BRACKET });
    }
    if (bracket && char_in(first, "])}")) {
        pop(c);
        return take(c, c->at + 1);
    }
    if (!bracket) {                                         /* = for show, a conversion, then : or the end */
        if (first == '=')
            for (end++; end < c->len && unicode_is_space(unicode_decode(c->text + end, c->len - end, &used)); )
                end += used;
        if (char_at(c, end) == '!' && char_in(char_at(c, end + 1), "sraf")) end += 2;
        if (char_in(char_at(c, end), ":}")) {
            pop(c);
            return take(c, end + 1);
        }
    }
    if (unicode_is_space(unicode_decode(c->text + c->at, c->len - c->at, &used))) return take(c, c->at + used);
    return expression_token(c, false);
}

static int text_token(struct cutting *c)
{
    const char first = c->text[c->at];
    size_t     used;
    int        rc = c->at == 0 || c->text[c->at - 1] == '\n' ? doc_token(c) : 0;

    if (rc != 0) return rc;
    if (first == '#') return take(c, next_of(c, &c->line, c->at));
    if (unicode_is_space(unicode_decode(c->text + c->at, c->len - c->at, &used))) return take(c, c->at + used);
    return expression_token(c, true);
}

/* The text without a byte order mark, line feeds around it and other line ends. */
static int text_copy(struct words *words, struct slice text)
{
    if (text.len >= 3 && memcmp(text.at, "\xEF\xBB\xBF", 3) == 0) text = (struct slice){ text.at + 3, text.len - 3 };
    words->text.len = words->stack.len = words->count = 0;
    if (bytes_reserve(&words->text, text.len + 1) < 0) return -ENOMEM;
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.at[i];

        if (c == '\r' && i + 1 < text.len && text.at[i + 1] == '\n') continue;
        if (c == '\n' ? words->text.len == 0 : c == '\r' && words->text.len == 0) continue;
        words->text.at[words->text.len++] = c == '\r' ? '\n' : c;
    }
    while (words->text.len && words->text.at[words->text.len - 1] == '\n') words->text.len--;
    words->text.at[words->text.len++] = '\n';
    return 0;
}

int words_of_python(struct words *words, struct slice text, struct err *err)
{
    struct cutting c = { .words = words, .bracket.wanted = ']', .brace.wanted = '}', .line.wanted = '\n' };
    int            rc = text_copy(words, text);

    c.text = words->text.at;
    c.len = words->text.len;
    while (rc >= 0 && c.at < c.len) {
        struct state state;

        if (!words->stack.len) {
            rc = text_token(&c);
            continue;
        }
        memcpy(&state, words->stack.at + words->stack.len - sizeof state, sizeof state);
        rc = state.place == PLACE_STRING ? string_token(&c, state) : field_token(&c, state.place == PLACE_BRACKET);
    }
    return rc < 0 ? err_memory(err, text.len, "words") : 0;
}
