/* code/lexer_sql.c -- SQL in its dialects: what quotes mean, which comments nest, what is no SQL in a script.
 *
 * A text does not say its dialect.  One that has names in backquotes is taken for MySQL's (BigQuery, Hive and others
 * are like it): a backslash escapes in strings, "..." is a string, # begins a comment.  Elsewhere "..." is a name,
 * and a backslash escapes in E'...' alone, and from where a letter or digit follows the quote behind it, which cannot
 * stand after a string.  Sources: PostgreSQL 4.1 "Lexical Structure" and psql; MySQL 9.1 "String Literals", 9.2, 9.7;
 * Transact-SQL "Database Identifiers"; Oracle "Text Literals". */
#include "code/lexing.h"

#include <strings.h>

static char at_or_nul(const struct scan *scan, size_t i) { return i < scan->len ? scan->text[i] : '\0'; }

static bool is_alnum(char c) { return is_word(c) && c != '_'; }

/* Whether the text has a name in backquotes before which no comment begins on its line. */
static bool has_backquoted_name(const struct scan *scan)
{
    const char *text = scan->text, *hit;

    for (size_t i = scan->begin; i < scan->len; i++) {
        size_t start, k;

        hit = memchr(text + i, '`', scan->len - i);
        if (!hit) return false;
        i = (size_t)(hit - text);
        for (k = i + 1; k < scan->len && is_word(text[k]);)
            k++;
        if (k == i + 1 || k >= scan->len || text[k] != '`') continue;
        for (start = i; start > scan->begin && text[start - 1] != '\n' && i - start < 256;)
            start--;
        for (k = start; k < i && !(text[k] == '-' && text[k + 1] == '-') && !char_in(text[k], "'\"#*");)
            k++;
        if (k == i) return true;
        i++;
    }
    return false;
}

static bool is_mysql(struct scan *scan)
{
    if (scan->dialect == DIALECT_UNKNOWN)
        scan->dialect = has_backquoted_name(scan) ? DIALECT_MYSQL : DIALECT_STANDARD;
    return scan->dialect == DIALECT_MYSQL;
}

/* End of the string or name whose content starts at i. */
static size_t quoted_end(struct scan *scan, size_t i, char quote, bool escapes)
{
    for (; i < scan->len; i++) {
        char c = scan->text[i], next = at_or_nul(scan, i + 1);

        if (c == '\\' && quote == '\'' && next == quote && is_alnum(at_or_nul(scan, i + 2)) && !escapes)
            escapes = scan->escapes = true;
        if (c == '\\' && escapes) {
            i++;
        } else if (c == quote) {
            if (next != quote) return i + 1;
            i++;
        }
    }
    return scan->len;
}

/* Oracle's q'[it's]', the quote at `at`; 0: it is none. */
static size_t alternative_end(struct scan *scan, size_t at)
{
    char   open = at_or_nul(scan, at + 1), close[3] = { closing_delimiter(open), '\'', '\0' };
    size_t end;

    if ((unsigned char)open <= ' ' || is_word(open) || scan->budget == 0) return 0;
    end = find_close(scan->text, at + 2, scan->len, close);
    if (end < scan->len) return end + 2;
    piece_lost(scan, at, scan->len);
    return 0;
}

/* U&'d\0061t', U&"d\0061t" */
static bool is_unicode(const struct scan *scan, size_t at)
{
    return scan->word_end + 1 == at && scan->word_end == scan->word_at + 1 && scan->text[at - 1] == '&' &&
        (scan->text[at - 2] | 32) == 'u';
}

/* '...', with what belongs before it. */
static struct piece string(struct scan *scan, size_t at)
{
    struct piece piece = { .start = at, .kind = PIECE_STRING };
    bool         escapes = false;

    if (scan->word_end == at && scan->word_end > scan->word_at && scan->word_end - scan->word_at <= 2) {
        char last = scan->text[at - 1] | 32, first = scan->text[scan->word_at] | 32;

        if (last == 'q' && (at - scan->word_at == 1 || first == 'n')) piece.end = alternative_end(scan, at);
        if (piece.end || (at - scan->word_at == 1 && char_in(last, "nbxe"))) {
            piece.start = scan->word_at;
            piece.kind = PIECE_PREFIXED;
            escapes = last == 'e';
        }
    }
    if (is_unicode(scan, at)) {
        piece.start = scan->word_at;
        piece.kind = PIECE_PREFIXED;
    }
    if (!piece.end) piece.end = quoted_end(scan, at + 1, '\'', escapes || scan->escapes || is_mysql(scan));
    return piece;
}

/* "a b" and `a b`: a name, but "..." of MySQL. */
static struct piece quoted(struct scan *scan, size_t at, char quote)
{
    bool   text = quote == '"' && is_mysql(scan);
    size_t end = quoted_end(scan, at + 1, quote, text);

    if (is_unicode(scan, at) && quote == '"' && end >= at + 3 && scan->text[end - 1] == quote)
        return (struct piece){ .start = scan->word_at, .end = end, .kind = PIECE_RAW_NAME };

    return (struct piece){ .start = at, .end = end, .kind = text || end < at + 3 || scan->text[end - 1] != quote
                                                        ? PIECE_STRING : PIECE_NAME };
}

/* [a b] of Transact-SQL; not a subscript, not a list. */
static struct piece bracketed(const struct scan *scan, size_t at)
{
    const char *text = scan->text;
    bool        letters = false;
    size_t      i = at + 1;

    if (at > scan->begin && (is_word(text[at - 1]) || char_in(text[at - 1], ")]"))) return piece_none(at);
    if (i >= scan->len || (!is_word(text[i]) && !char_in(text[i], "#@"))) return piece_none(at);
    for (; i < scan->len && (!char_in(text[i], "],'\"[\n") || (text[i] == ']' && at_or_nul(scan, i + 1) == ']')); i++) {
        letters |= is_word(text[i]) && !is_digit(text[i]);
        i += text[i] == ']';                                /* two are one of the name */
    }
    return letters && at_or_nul(scan, i) == ']' ? (struct piece){ .start = at, .end = i + 1, .kind = PIECE_NAME }
        : piece_none(at);
}

static size_t line_end(const struct scan *scan, size_t i)
{
    const char *hit = i < scan->len ? memchr(scan->text + i, '\n', scan->len - i) : NULL;

    return hit ? (size_t)(hit - scan->text) : scan->len;
}

/* # is a comment of MySQL; elsewhere it is an operator or begins a name, but not as the first of a line before a blank.
 */
static struct piece hash(struct scan *scan, size_t at)
{
    char before = at > scan->begin ? scan->text[at - 1] : '\n', next = at_or_nul(scan, at + 1);

    if (!is_mysql(scan) && (before != '\n' || !char_in(next, " \t#!\n"))) return piece_none(at);
    return (struct piece){ .start = at, .end = line_end(scan, at), .kind = PIECE_COMMENT };
}

/* Comments nest where all that open close, else they do not. */
static struct piece comment(struct scan *scan, size_t at)
{
    const char *text = scan->text;
    size_t      depth = 1, i = at + 2, first = 0;

    for (; depth > 0 && i + 1 < scan->len && (!first || i - at < scan->budget); i++) {
        if (text[i] == '*' && text[i + 1] == '/') {
            depth--;
            i++;
            if (!first) first = i + 1;
        } else if (text[i] == '/' && text[i + 1] == '*') {
            depth++;
            i++;
        }
    }
    if (depth > 0 && first) piece_lost(scan, first, i);
    return (struct piece){ .start = at, .end = depth == 0 ? i : first ? first : scan->len, .kind = PIECE_COMMENT };
}

/* The rows after COPY ... FROM stdin; up to a line \. */
static struct piece copied_rows(struct scan *scan, size_t at)
{
    const char *text = scan->text;
    size_t      i = at, start, end;

    if (scan->budget == 0) return piece_none(at);
    while (i > scan->begin && at - i < 256 && text[i - 1] != ';' &&
           !((text[i - 1] | 32) == 's' && at - i >= 4 && strncasecmp(text + i - 1, "stdin", 5) == 0))
        i--;
    if (i == scan->begin || at - i < 4 || text[i - 1] == ';') return piece_none(at);
    while (i > scan->begin + 1 && (unsigned char)text[i - 2] <= ' ')
        i--;
    if (i < scan->begin + 5 || strncasecmp(text + i - 5, "from", 4) != 0) return piece_none(at);
    start = line_end(scan, at) + 1;
    end = start < scan->len ? find_close(text, start - 1, scan->len, "\n\\.") : scan->len;
    return end < scan->len ? piece_string(start, end + 3) : piece_lost(scan, at, scan->len);
}

struct piece sql_match(struct scan *scan, size_t at)
{
    char c = scan->text[at];

    switch (c) {
    case '\'': return string(scan, at);
    case '"':
    case '`':  return quoted(scan, at, c);
    case '[':  return bracketed(scan, at);
    case '#':  return hash(scan, at);
    case '/':  return comment(scan, at);
    case ';':  return copied_rows(scan, at);
    default:                                                /* a command of psql */
        if (at > scan->begin && scan->text[at - 1] != '\n') return piece_none(at);
        return (struct piece){ .start = at, .end = line_end(scan, at), .kind = PIECE_COMMENT };
    }
}
