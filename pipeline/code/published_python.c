/* code/published_python.c -- Python tokens as the published pipeline makes them (docs/definitions.md, "Tokens"), quirks
 * and all.
 *
 * It tokenizes twice: first to blank out comments, docstrings and every string at column 0, padding with spaces to the
 * old columns, then what is left.  Tab-indented blocks and unbalanced brackets make either pass fail, and a failure
 * drops the text. We do the same: both passes are one pull tokenizer with the rules of Python 3.11's tokenize.py, and
 * the text between them keeps, for each byte, its offset in the source, so that tokens point into the source.  (A
 * multi-line string loses its blank lines in between; the token here is the source's whole literal.) */
#include "code/lexing.h"

#include <errno.h>

enum python_type { PY_NAME, PY_NUMBER, PY_STRING, PY_OP, PY_ERROR, PY_COMMENT, PY_NL, PY_NEWLINE, PY_INDENT, PY_DEDENT,
                   PY_END, PY_FAILED };

struct python_token { size_t start, end, line, end_line; enum python_type type; };     /* lines count from 1 */

enum { INDENTS = 1024 };                                    /* levels of indentation; deeper text is dropped */

struct python_stream {
    const struct language *row;
    const char *text;
    /* the physical line text[line_at..line_end), its LF included */
    size_t      len, at, line_at, line, line_end;
    ptrdiff_t   depth;                                      /* open brackets; negative after too many closing ones */
    size_t      indents[INDENTS], indent_count;
    size_t      dedents;                                    /* still to be yielded */
    size_t      error_at;                                   /* all blanks before this position are errors */
    size_t      unclosed[2];                                /* ' and ": up to here, none of the line's quotes closes */
    bool        continued, in_line, comment_line, ended;
};

static void stream_open(struct python_stream *s, const struct language *row, const char *text, size_t len)
{
    *s = (struct python_stream){ .row = row, .text = text, .len = len, .indent_count = 1 };
}

static struct python_token token_of(const struct python_stream *s, enum python_type type, size_t start, size_t end)
{
    return (struct python_token){ start, end, s->line, s->line, type };
}

static bool next_line(struct python_stream *s)
{
    const char *lf;

    s->line_at = s->at = s->line_end;
    s->line++;
    if (s->line_at >= s->len) return false;
    lf = memchr(s->text + s->line_at, '\n', s->len - s->line_at);
    s->line_end = lf ? (size_t)(lf - s->text) + 1 : s->len;
    return true;
}

/* Length of a string prefix (0-2 letters of r b u f br fr) before a quote at text[i], or -1 when no quote follows. */
static int string_prefix(const char *text, size_t i, size_t len)
{
    int k = 0;
    char a, b;

    while (k < 3 && i + (size_t)k < len && text[i + (size_t)k] != '"' && text[i + (size_t)k] != '\'')
        k++;
    if (k > 2 || i + (size_t)k >= len) return -1;
    a = k > 0 ? (char)(text[i] | 32) : 0;
    b = k > 1 ? (char)(text[i + 1] | 32) : 0;
    if (k == 0) return 0;
    if (k == 1) return a == 'r' || a == 'b' || a == 'u' || a == 'f' ? 1 : -1;
    return (a == 'r' && (b == 'b' || b == 'f')) || (b == 'r' && (a == 'b' || a == 'f')) ? 2 : -1;
}

/* A backslash and what it takes with it: one byte, or CRLF. */
static size_t escape_length(const char *text, size_t i, size_t len)
{
    return i + 2 < len && text[i + 1] == '\r' && text[i + 2] == '\n' ? 3 : 2;
}

/* The string whose opening quote is at q.  0: unclosed within its line (single quotes); len + 1: the text ends in
 * triple quotes. */
static size_t string_close(struct python_stream *s, size_t q)
{
    const char *text = s->text;
    size_t      i = q + 1, end = s->len;
    char        quote = text[q];
    bool        triple = q + 2 < s->len && text[q + 1] == quote && text[q + 2] == quote;

    if (triple) i += 2;
    for (; i < end; i++) {
        if (text[i] == '\\') {
            i += escape_length(text, i, end) - 1;
        } else if (text[i] == quote) {
            if (!triple) return i + 1;
            if (i + 2 < end && text[i + 1] == quote && text[i + 2] == quote) return i + 3;
        } else if (text[i] == '\n' && !triple) {
            return 0;
        }
    }
    return triple ? end + 1 : 0;
}

/* Moves to the physical line that holds position `end`, counting lines; `end` may be just past its LF. */
static void advance_to(struct python_stream *s, size_t end)
{
    while (end > s->line_end && next_line(s))
        continue;
    s->at = end;
}

static struct python_token string_token(struct python_stream *s, size_t start, size_t end)
{
    struct python_token t = token_of(s, PY_STRING, start, end);

    advance_to(s, end);
    t.end_line = s->line;
    return t;
}

/* End of a single-quoted string that nothing closes, backslash-continued lines and all; *open when the text ends in the
 * middle of it, after such a line. */
static size_t broken_string_end(const struct python_stream *s, size_t q, bool *open)
{
    size_t i = q + 1;

    *open = false;
    while (i < s->len && s->text[i] != '\n') {
        size_t step = s->text[i] != '\\' ? 1 : escape_length(s->text, i, s->len);

        *open = i + step == s->len && s->text[i + step - 1] == '\n';
        i += step;
    }
    return i < s->len ? i + 1 : s->len;
}

/* Whether the backslash at text[i] is the last of a physical line that ends at line_end. */
static bool continues_line(const char *text, size_t i, size_t line_end)
{
    if (i + 1 < line_end && text[i + 1] == '\n') return true;
    return i + 2 < line_end && text[i + 1] == '\r' && text[i + 2] == '\n';
}

/* A string that begins at s->at with so many letters before its quote, or the error that it is when it does not end;
 * false when what is there is no string at all. */
static bool quoted_token(struct python_stream *s, int prefix, struct python_token *t)
{
    const size_t i = s->at, q = i + (size_t)prefix;
    size_t      *unclosed = &s->unclosed[s->text[q] == '"'], end;
    bool         open = false;

    /* A quote that a failed search passed over was escaped, so a search from it would read the same characters. */
    end = q < *unclosed ? 0 : string_close(s, q);
    if (end) {
        *t = end == s->len + 1 ? token_of(s, PY_FAILED, i, s->len) : string_token(s, i, end);
        return true;
    }
    end = q < *unclosed ? *unclosed : broken_string_end(s, q, &open);
    if (open) {                                             /* EOF in multi-line string */
        *t = token_of(s, PY_FAILED, i, end);
        return true;
    }
    if (end > s->line_end) {                                /* over a backslash: one error, all lines of it */
        *t = string_token(s, i, end);
        t->type = PY_ERROR;
        s->in_line = false;
        return true;
    }
    *unclosed = end;
    return false;
}

/* A name or an operator at s->at; false when there is none. */
static bool word_token(struct python_stream *s, struct python_token *t)
{
    const char  *text = s->text;
    const size_t i = s->at;
    size_t       end = i, used;

    if ((unsigned char)text[i] >= 0x80 || is_word(text[i])) {
        while (end < s->line_end && unicode_is_word(unicode_decode(text + end, s->line_end - end, &used))) end += used;
        if (end == i) return false;
        s->at = end;
        *t = token_of(s, PY_NAME, i, end);
        return true;
    }
    if ((unsigned char)text[i] > ' ' && text[i] != 0x7F && !char_in(text[i], "$?!`\\\"'")) {
        end = i + operator_length(s->row, text + i, s->line_end - i);
        if (char_in(text[i], "([{")) s->depth++;
        if (char_in(text[i], ")]}")) s->depth--;
    } else if (text[i] == '!' && i + 1 < s->line_end && text[i + 1] == '=') end = i + 2;
    if (end == i) return false;
    s->at = end;
    *t = token_of(s, PY_OP, i, end);
    return true;
}

/* The token at s->at within its line; blanks before it are passed over when something follows them. */
static struct python_token line_token(struct python_stream *s)
{
    const char         *text = s->text;
    size_t              blank = s->at, i = blank, end, used;
    int                 prefix;
    struct python_token t;

    if (blank < s->error_at) {
        s->at = blank + 1;
        return token_of(s, PY_ERROR, blank, blank + 1);
    }
    while (i < s->line_end && is_blank(text[i]))
        i++;
    if (i >= s->line_end) {
        s->at = i;
        s->in_line = false;
        /* trailing blanks of the last line: no token (see stream_next) */
        return token_of(s, PY_NL, i, i);
    }
    s->at = i;
    if (text[i] == '\n' || (text[i] == '\r' && i + 1 < s->line_end && text[i + 1] == '\n')) {
        t = token_of(s, s->depth > 0 ? PY_NL : PY_NEWLINE, i, s->line_end);
        s->in_line = false;
        return t;
    }
    if (text[i] == '#') {
        for (end = i; end < s->line_end && text[end] != '\n' && text[end] != '\r';)
            end++;
        s->at = end;
        return token_of(s, PY_COMMENT, i, end);
    }
    if (is_digit(text[i]) || (text[i] == '.' && i + 1 < s->line_end && is_digit(text[i + 1]))) {
        bool point = text[i] == '.';

        s->at = number_end(s->row, text, i + point, s->line_end, point);
        return token_of(s, PY_NUMBER, i, s->at);
    }
    if (text[i] == '\\' && continues_line(text, i, s->line_end)) {
        s->continued = true;
        s->in_line = false;
        return token_of(s, PY_NL, i, i);
    }
    prefix = string_prefix(text, i, s->line_end);
    if (prefix >= 0 && quoted_token(s, prefix, &t)) return t;
    if (word_token(s, &t)) return t;
    /* nothing matches: each blank before it is an error of its own */
    if (blank < i) {
        s->error_at = i;
        s->at = blank + 1;
        return token_of(s, PY_ERROR, blank, blank + 1);
    }
    unicode_decode(text + i, s->line_end - i, &used);
    s->at = i + used;
    return token_of(s, PY_ERROR, i, i + used);
}

/* A new statement's line: its indentation against the stack.  Returns false when the line holds no statement or the
 * token is the indentation itself (then *t is set); true to go on inside the line. */
static bool statement_line(struct python_stream *s, struct python_token *t)
{
    const char *text = s->text;
    size_t      i = s->line_at, column = 0, level;

    for (; i < s->line_end; i++) {
        if (text[i] == ' ') column++;
        else if (text[i] == '\t') column = (column / 8 + 1) * 8;
        else if (text[i] == '\f') column = 0;
        else break;
    }
    s->at = i;
    if (i >= s->line_end) {                                 /* blanks without LF: the stream ends here */
        s->ended = true;
        *t = token_of(s, PY_END, i, i);
        return false;
    }
    if (text[i] == '#' || text[i] == '\r' || text[i] == '\n') {
        size_t end = s->line_end;

        if (text[i] == '#') {
            while (end > i && (text[end - 1] == '\n' || text[end - 1] == '\r'))
                end--;
            *t = token_of(s, PY_COMMENT, i, end);
            s->at = end;
            s->comment_line = true;
        } else {
            *t = token_of(s, PY_NL, i, end);
        }
        return false;
    }
    s->in_line = true;
    if (column > s->indents[s->indent_count - 1]) {
        if (s->indent_count == INDENTS) {
            *t = token_of(s, PY_FAILED, i, i);
            return false;
        }
        s->indents[s->indent_count++] = column;
        *t = token_of(s, PY_INDENT, s->line_at, i);
        return false;
    }
    for (level = s->indent_count; column < s->indents[level - 1];)
        level--;
    if (column != s->indents[level - 1]) {
        *t = token_of(s, PY_FAILED, i, i);                  /* unindent does not match any outer indentation level */
        return false;
    }
    s->dedents = s->indent_count - level;
    s->indent_count = level;
    return true;
}

static struct python_token stream_next(struct python_stream *s)
{
    for (;;) {
        struct python_token t;

        if (s->ended) return token_of(s, PY_END, s->at, s->at);
        if (s->dedents) {
            s->dedents--;
            return token_of(s, PY_DEDENT, s->at, s->at);
        }
        if (s->comment_line) {
            s->comment_line = false;
            return token_of(s, PY_NL, s->at, s->line_end);
        }
        if (s->in_line) {
            t = line_token(s);
            if (t.type == PY_NL && t.start == t.end) continue;
            return t;
        }
        if (!next_line(s)) {
            if (s->depth != 0 || s->continued) return token_of(s, PY_FAILED, s->len, s->len);
            s->ended = true;
            continue;
        }
        if (s->depth == 0 && !s->continued) {
            if (!statement_line(s, &t)) return t;
        } else {
            s->continued = false;
            s->in_line = true;
        }
    }
}

/* The text between the passes, each byte with its offset in the source. */
struct blanked { char *text; uint32_t *from; size_t len; };

static void put(struct blanked *b, char c, size_t from)
{
    b->from[b->len] = (uint32_t)from;
    b->text[b->len++] = c;
}

/* Length of the line boundary (in the sense of str.splitlines) at text[i], 0 for none. */
static size_t boundary(const char *text, size_t i, size_t len)
{
    unsigned char c = (unsigned char)text[i];

    if (c == '\r') return i + 1 < len && text[i + 1] == '\n' ? 2 : 1;
    if ((c >= '\n' && c <= '\f') || (c >= 0x1C && c <= 0x1E)) return 1;
    if (c == 0xC2 && i + 1 < len && (unsigned char)text[i + 1] == 0x85) return 2;
    return c == 0xE2 && i + 2 < len && text[i + 1] == '\x80' && (text[i + 2] == '\xA8' || text[i + 2] == '\xA9') ? 3
        : 0;
}

/* Drops the lines of white space alone; all line ends become LF. */
static void squeeze_lines(struct blanked *b)
{
    size_t to = 0, start = 0, i = 0, used;
    bool   visible = false, first = true;

    while (i <= b->len) {
        size_t cut = i < b->len ? boundary(b->text, i, b->len) : 1;

        if (!cut) {
            visible |= !unicode_is_space(unicode_decode(b->text + i, b->len - i, &used));
            i += used;
            continue;
        }
        if (visible) {
            if (!first) {
                b->text[to] = '\n';
                b->from[to] = b->from[start - 1];
                to++;
            }
            memmove(b->text + to, b->text + start, i - start);
            memmove(b->from + to, b->from + start, (i - start) * sizeof *b->from);
            to += i - start;
            first = false;
        }
        i += cut;
        start = i;
        visible = false;
    }
    b->len = to;
}

/* Step 1.  False: the snippet is dropped. */
static bool blank_out(struct blanked *b, const struct language *row, const char *text, size_t len)
{
    struct python_stream s;
    enum python_type     previous = PY_INDENT;
    size_t               line = 0, at = 0;                  /* where the last token ended */

    stream_open(&s, row, text, len);
    for (;;) {
        struct python_token t = stream_next(&s);
        bool                start_of_line = t.start == 0 || text[t.start - 1] == '\n';

        if (t.type == PY_FAILED) return false;
        if (t.type == PY_END) break;
        if (t.line > line)
            for (at = t.start; at > 0 && text[at - 1] != '\n';)
                at--;
        for (; at < t.start; at++)
            put(b, ' ', at);
        if (t.type == PY_STRING && (start_of_line || previous == PY_INDENT || previous == PY_NEWLINE)) at = t.end;
        if (t.type == PY_COMMENT) at = t.end;
        for (; at < t.end; at++)
            put(b, text[at], at);
        line = t.end_line;
        previous = t.type;
    }
    squeeze_lines(b);
    return true;
}

/* Step 2.  0, with lexer->dropped set when this pass fails, or -ENOMEM. */
static int emit_tokens(struct lexer *lexer, const struct language *row, const struct blanked *b, unsigned want,
                       struct err *err)
{
    static const enum token_kind kinds[] = { TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING, TOKEN_OPERATOR, TOKEN_STRAY };
    static const unsigned        asked[] = { LEX_NAMES, LEX_LITERALS, LEX_LITERALS, LEX_OPERATORS, LEX_OPERATORS };
    size_t                       skip = b->len >= 3 && memcmp(b->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    struct python_stream         s;

    stream_open(&s, row, b->text + skip, b->len - skip);
    for (;;) {
        struct python_token t = stream_next(&s);
        enum token_kind     kind;
        size_t              start, end;

        if (t.type == PY_END) return 0;
        if (t.type == PY_FAILED) {
            lexer->dropped = true;
            return 0;
        }
        if (t.type > PY_ERROR) continue;
        kind = t.type == PY_STRING && is_word(s.text[t.start]) ? TOKEN_PREFIXED : kinds[t.type];
        if (kind != TOKEN_PREFIXED && (asked[t.type] & want) != asked[t.type]) continue;
        if (lexer_reserve(lexer, 1, err) < 0) return -ENOMEM;
        start = b->from[t.start + skip];
        end = (size_t)b->from[t.end - 1 + skip] + 1;
        lexer->token[lexer->count++] = token_make(start, end, kind);
    }
}

int published_python(struct lexer *lexer, const struct language *row, struct slice text, unsigned want, struct err *err)
{
    enum { PAD = 64 };
    size_t         from_words = (text.len + 1) / 2, text_words = (text.len + PAD + 7) / 8;
    struct blanked b;

    if (lexer_scratch(lexer, from_words + text_words, err) < 0) return -ENOMEM;
    b = (struct blanked){ .text = (char *)(lexer->bits + from_words), .from = (uint32_t *)lexer->bits };
    if (!blank_out(&b, row, text.at, text.len)) {
        lexer->dropped = true;
        return 0;
    }
    memset(b.text + b.len, 0, PAD);
    return emit_tokens(lexer, row, &b, want, err);
}

int published_python_comments(struct lexer *lexer, const struct language *row, struct slice text, struct err *err)
{
    struct python_stream s;

    lexer->count = 0;
    lexer->dropped = false;
    stream_open(&s, row, text.at, text.len);
    for (;;) {
        const struct python_token t = stream_next(&s);

        if (t.type == PY_END) return 0;
        if (t.type == PY_FAILED) {
            lexer->dropped = true;
            return 0;
        }
        if (t.type != PY_COMMENT && t.type != PY_STRING) continue;
        if (lexer_reserve(lexer, 1, err) < 0) return -ENOMEM;
        lexer->token[lexer->count++] = token_make(t.start, t.end, t.type == PY_COMMENT ? TOKEN_COMMENT
                                                  : is_word(text.at[t.start]) ? TOKEN_PREFIXED : TOKEN_STRING);
    }
}
