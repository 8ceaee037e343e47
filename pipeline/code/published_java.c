/* code/published_java.c -- Java tokens as the published pipeline makes them (docs/definitions.md, "Tokens"), quirks and
 * all.
 *
 * Comments are cut out by a pattern that knows quotes but no escapes; then \uXXXX is resolved everywhere; then the
 * javalang tokenizer runs and any of its errors drops the snippet.  The text between the steps keeps, for each byte,
 * its offset in the source, so that tokens point into the source. */
#include "code/lexing.h"

#include <errno.h>

struct stripped { char *text; uint32_t *from; size_t len; };

static void put(struct stripped *s, char c, size_t from)
{
    s->from[s->len] = (uint32_t)from;
    s->text[s->len++] = c;
}

/* Step 1.  A quoted run or comment that is not closed is text like any other; closes_* is false once a search has found
 * no end, so that each end is searched for in vain once only. */
static void strip_comments(struct stripped *out, const char *text, size_t len)
{
    bool   closes_double = true, closes_single = true, closes_block = true;
    size_t i = 0, cut = 0;                                  /* before `cut`, no comment of a line ends as it must */

    while (i < len) {
        size_t end = i;

        if (text[i] == '"' || text[i] == '\'') {
            bool       *closes = text[i] == '"' ? &closes_double : &closes_single;
            const char *hit = *closes && i + 1 < len ? memchr(text + i + 1, text[i], len - i - 1) : NULL;

            if (!hit) *closes = false;
            end = hit ? (size_t)(hit - text) + 1 : i + 1;
            for (; i < end; i++)
                put(out, text[i], i);
            continue;
        }
        if (text[i] == '/' && i + 1 < len && text[i + 1] == '*' && closes_block) {
            end = find_close(text, i + 2, len, "*/");
            closes_block = end < len;
            end = closes_block ? end + 2 : i;
        } else if (text[i] == '/' && i + 1 < len && text[i + 1] == '/' && i >= cut) {
            for (end = i + 2; end < len && text[end] != '\n' && text[end] != '\r';)
                end++;
            if (end < len && text[end] == '\r') {           /* the pattern wants the line's end right there */
                cut = end;
                end = i;
            }
        }
        if (end == i) put(out, text[i], i), end++;
        i = end;
    }
}

static int hex_value(char c)
{
    return is_digit(c) ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

/* \uXXXX, the u repeated or not, after an even number of backslashes: *c and its length; 0 when it is none. */
static size_t unicode_escape(const struct stripped *s, size_t i, uint32_t *c)
{
    size_t k = i + 1;

    while (k < s->len && s->text[k] == 'u')
        k++;
    if (k == i + 1 || k + 4 > s->len) return 0;
    *c = 0;
    for (size_t end = k + 4; k < end; k++) {
        if (hex_value(s->text[k]) < 0) return 0;
        *c = *c << 4 | (uint32_t)hex_value(s->text[k]);
    }
    return k - i;
}

static size_t encode(uint32_t c, char out[3])
{
    if (c < 0x80) return out[0] = (char)c, 1;
    if (c < 0x800) return out[0] = (char)(0xC0 | c >> 6), out[1] = (char)(0x80 | (c & 63)), 2;
    return out[0] = (char)(0xE0 | c >> 12), out[1] = (char)(0x80 | (c >> 6 & 63)), out[2] = (char)(0x80 | (c & 63)), 3;
}

/* In place: an escape is longer than its character. */
static void resolve_escapes(struct stripped *s)
{
    size_t to = 0, i = 0, backslashes = 0;

    while (i < s->len) {
        uint32_t c = 0;
        size_t   used = s->text[i] == '\\' && backslashes % 2 == 0 ? unicode_escape(s, i, &c) : 0, n = 1;
        char     bytes[3] = { s->text[i] };
        uint32_t from = s->from[i];

        backslashes = s->text[i] == '\\' && !used ? backslashes + 1 : 0;
        if (used) n = encode(c, bytes);
        i += used ? used : 1;
        for (size_t k = 0; k < n; k++) {
            s->text[to] = bytes[k];
            s->from[to++] = from;
        }
    }
    s->len = to;
}

/* The source offset after the character that became s->text[i]. */
static size_t source_end(const struct stripped *s, size_t i, struct slice source)
{
    size_t at = s->from[i];

    if (source.at[at] != '\\' || s->text[i] == '\\') return at + 1;
    for (at++; source.at[at] == 'u';)
        at++;
    return at + 4;
}

static bool is_octal(char c) { return c >= '0' && c <= '7'; }

/* End of a string or character literal, 0 when it is unterminated or has a bad escape. */
static size_t literal_end(const char *text, size_t i, size_t len)
{
    char quote = text[i];

    for (i++; i < len; i++) {
        if (text[i] == quote) return i + 1;
        if (text[i] != '\\') continue;
        if (++i >= len || (!char_in(text[i], "btnfru\"'\\") && !is_octal(text[i]))) return 0;
    }
    return 0;
}

/* Digits of a base and underscores between them, then one l or L.  *end moves past them; false when the text has ended
 * before the first one: javalang raises there. */
static bool read_digits(const char *text, size_t *end, size_t len, unsigned base)
{
    size_t i = *end;

    if (i >= len) return false;
    for (; i < len; i++) {
        if (text[i] == '_') continue;
        if (base == 16 ? hex_value(text[i]) < 0 : !is_digit(text[i]) || text[i] >= (char)('0' + base)) break;
        *end = i + 1;
    }
    if (i < len && (text[i] | 32) == 'l') ++*end;
    return true;
}

static bool is_one_of(const char *text, size_t i, size_t len, const char *set)
{
    return i < len && char_in(text[i], set);
}

/* End of a number as javalang reads it; 0: it raises and the snippet is dropped. */
static size_t published_number_end(const char *text, size_t i, size_t len)
{
    size_t end = i;
    bool   ok;

    if (text[i] == '0' && i + 1 >= len) return 0;
    if (text[i] == '0' && is_one_of(text, i + 1, len, "xX")) {
        end = i + 2;
        ok = read_digits(text, &end, len, 16);
        if (!ok || !is_one_of(text, end, len, ".pP")) return ok ? end : 0;
        if (text[end] == '.') {
            end++;
            ok = read_digits(text, &end, len, 16);
        }
        if (!ok || !is_one_of(text, end, len, "pP")) return 0;  /* invalid hex float literal */
        end++;
        if (is_one_of(text, end, len, "+-")) end++;
        ok = read_digits(text, &end, len, 10);
        return ok ? end + is_one_of(text, end, len, "fFdD") : 0;
    }
    if (text[i] == '0' && is_one_of(text, i + 1, len, "bB")) {
        end = i + 2;
        return read_digits(text, &end, len, 2) ? end : 0;
    }
    if (text[i] == '0' && is_octal(text[i + 1])) {
        end = i + 1;
        return read_digits(text, &end, len, 8) ? end : 0;
    }
    if (!read_digits(text, &end, len, 10)) return 0;
    if (!is_one_of(text, end, len, ".eEfFdD")) return end;
    if (text[end] == '.') {
        end++;
        if (!read_digits(text, &end, len, 10)) return 0;
    }
    if (is_one_of(text, end, len, "eE")) {
        end++;
        if (is_one_of(text, end, len, "+-")) end++;
        if (!read_digits(text, &end, len, 10)) return 0;
    }
    return end + is_one_of(text, end, len, "fFdD");
}

/* End of the token at text[i], which is no space, and its kind; 0: the snippet is dropped.  Comments that step 1 left
 * are skipped: *kind is then TOKEN_STRAY, which Java has none of. */
static size_t java_token_end(const struct language *row, const char *text, size_t i, size_t len, enum token_kind *kind)
{
    char   c = text[i], next = i + 1 < len ? text[i + 1] : 0;
    size_t end = i, used;

    *kind = TOKEN_OPERATOR;
    if (c == '/' && (next == '/' || next == '*')) {
        *kind = TOKEN_STRAY;
        end = find_close(text, i + 2, len, next == '/' ? "\n" : "*/");
        if (end == len) return next == '/' ? len : 0;
        return end + (next == '/' ? 1 : 2);
    }
    if (c == '.' && next == '.' && i + 2 < len && text[i + 2] == '.') return i + 3;
    if (c == '@') return i + 1;
    if (is_digit(c) || (c == '.' && is_digit(next))) {
        *kind = TOKEN_NUMBER;
        return published_number_end(text, i, len);
    }
    if (char_in(c, "(){}[];,.")) return i + 1;
    if (c == '\'' || c == '"') {
        *kind = TOKEN_STRING;
        return literal_end(text, i, len);
    }
    while (end < len && (text[end] == '$' || unicode_is_word(unicode_decode(text + end, len - end, &used)))) {
        if (text[end] == '$') used = 1;
        end += used;
    }
    if (end > i) {
        *kind = TOKEN_NAME;
        return end;
    }
    if (!char_in(c, "|&^=!<>+-*/%~?:")) return 0;
    end = i + operator_length(row, text + i, len - i);
    return end;
}

int published_java(struct lexer *lexer, const struct language *row, struct slice text, unsigned want, struct err *err)
{
    enum { PAD = 64 };
    size_t          from_words = (text.len + 1) / 2, text_words = (text.len + PAD + 7) / 8, i = 0, end, used;
    struct stripped s;

    if (lexer_scratch(lexer, from_words + text_words, err) < 0) return -ENOMEM;
    s = (struct stripped){ .text = (char *)(lexer->bits + from_words), .from = (uint32_t *)lexer->bits };
    strip_comments(&s, text.at, text.len);
    resolve_escapes(&s);
    memset(s.text + s.len, 0, PAD);
    for (; i < s.len; i = end) {
        enum token_kind kind;
        size_t          at = s.from[i];

        if (unicode_is_space(unicode_decode(s.text + i, s.len - i, &used))) {
            end = i + used;
            continue;
        }
        end = java_token_end(row, s.text, i, s.len, &kind);
        if (!end) {
            lexer->dropped = true;
            return 0;
        }
        if (kind == TOKEN_STRAY || (kind == TOKEN_OPERATOR && !(want & LEX_OPERATORS))) continue;
        if ((kind == TOKEN_NUMBER || kind == TOKEN_STRING) && !(want & LEX_LITERALS)) continue;
        if (lexer_reserve(lexer, 1, err) < 0) return -ENOMEM;
        lexer->token[lexer->count++] = token_make(at, source_end(&s, end - 1, text), kind);
    }
    return 0;
}
