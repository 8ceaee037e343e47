/* code/lexer_perl.c -- what a mark or a word begins in Perl, told by what stands before it.
 *
 * Perl's own reader knows from its grammar whether an operand or an operator comes next.  Here the last character of
 * code before the mark tells, as in PPI; a comment between is passed over.  Source: perlop, "Quote and Quote-like
 * Operators" and "Gory details of parsing quoted constructs"; perlform; perldata. */
#include "code/lexing.h"

/* Words after which an operand stands, where after other words an operator does. */
static const char *const words_before_operand[] = {
    "and", "cmp", "die", "do", "else", "elsif", "eq", "for", "foreach", "ge", "grep", "gt", "if", "join", "le", "lt",
    "map", "ne", "not", "or", "print", "push", "return", "say", "split", "unless", "unshift", "until", "warn", "when",
    "while", "x", "xor", NULL,
};

/* <FH> and <$fh> are values: whether one ends before `end`. */
static bool ends_readline(const struct scan *scan, size_t end)
{
    size_t i = end - 1;

    while (i > scan->begin && is_word(scan->text[i - 1]))
        i--;
    if (i > scan->begin && scan->text[i - 1] == '$') i--;
    return i + 1 < end && i > scan->begin && scan->text[i - 1] == '<';
}

/* Whether the brace at text[end - 1] closes a block, after which a statement begins, rather than a subscript, a hash or
 * the value of `do`, `eval` and `sub`. */
static bool ends_block(struct scan *scan, size_t end)
{
    static const char *const values[] = { "do", "eval", "sub", NULL };
    const char *text = scan->text;
    size_t      open = opening_before(scan, end, '{'), i, start;
    bool        line;

    if (open == end) return false;
    if (open > scan->begin && !is_blank(text[open - 1]) && !char_in(text[open - 1], "\n;{)")) return false;
    i = code_before(scan, open, &line);
    start = word_before(scan, i);
    if (i == scan->begin || start == i) return i == scan->begin || char_in(text[i - 1], ");{}");
    return !word_in((struct slice){ text + start, i - start }, values) &&
        !(start > scan->begin && char_in(text[start - 1], "$@%&>"));
}

bool perl_operand(struct scan *scan, size_t at)
{
    const char *text = scan->text;
    bool        line;
    size_t      i = code_before(scan, at, &line);
    char        c, before;

    if (i == scan->begin) return true;
    c = text[i - 1];
    before = i - 1 > scan->begin ? text[i - 2] : ' ';
    if (is_word(c)) {
        size_t start = word_before(scan, i);
        char   mark = start > scan->begin ? text[start - 1] : ' ';
        char   first = start > scan->begin + 1 ? text[start - 2] : ' ';

        if (char_in(mark, "$@%&*'") || (mark == '>' && first == '-') || (mark == ':' && first == ':')) return false;
        return word_in((struct slice){ text + start, i - start }, words_before_operand);
    }
    if (c == '}') return line || ends_block(scan, i);
    if (before == '$' || ((c == '+' || c == '-') && before == c)) return false;         /* $! and the like; $i++ */
    if (c == '>' && ends_readline(scan, i)) return false;
    return !char_in(c, ")]\"'`$");
}

/* In main'name the quote stands between two parts of one name. */
static bool is_quote(const struct scan *scan, size_t at)
{
    return !(scan->word_end == at && at > scan->begin && at + 1 < scan->len && is_word(scan->text[at + 1]) &&
             !is_digit(scan->text[at + 1]));
}

static size_t skip_space(const struct scan *scan, size_t i)
{
    while (i < scan->len && (is_blank(scan->text[i]) || scan->text[i] == '\n' || scan->text[i] == '\r'))
        i++;
    return i;
}

/* The same, and comments: between the halves of s{...} # so
 * {...}. */
static size_t skip_comments(const struct scan *scan, size_t i)
{
    for (i = skip_space(scan, i); i < scan->len && scan->text[i] == '#'; i = skip_space(scan, i))
        while (i < scan->len && scan->text[i] != '\n')
            i++;
    return i;
}

/* Whether text[i] opens the text of a quote word, `gap`: white space stands between. */
static bool opens_quote(const struct scan *scan, size_t i, bool gap)
{
    char c, next;

    if (i >= scan->len) return false;
    c = scan->text[i];
    next = i + 1 < scan->len ? scan->text[i + 1] : ' ';
    if ((unsigned char)c <= ' ' || c == 0x7F || c == ')') return false;
    if (c == '=') return !gap && !char_in(next, ">=~ ");
    if (c == ',' || c == ';') return !gap && (unsigned char)next > ' ';
    if (c == ':' && next == ':') return false;
    if (gap && c == '#') return false;                      /* a comment */
    return !char_in(c, "]}>") && (!is_word(c) || gap);
}

/* Whether a quote word may stand at `at`: not after a sigil, an arrow, `sub`, as a file test or as a hash's key. */
static bool may_quote(const struct scan *scan, size_t at, size_t end)
{
    const char *text = scan->text;
    char        before = at > scan->begin ? text[at - 1] : ' ', first = at > scan->begin + 1 ? text[at - 2] : ' ';
    bool        line;
    size_t      i, next = skip_space(scan, end);

    if (char_in(before, "$@%&*'") || (before == '>' && first == '-') || (before == ':' && first == ':')) return false;
    if (before == '-' && !is_word(first)) return false;
    if (next + 1 < scan->len && text[next] == '=' && text[next + 1] == '>') return false;
    i = code_before(scan, at, &line);
    return !(i > scan->begin + 2 && memcmp(text + i - 3, "sub", 3) == 0);
}

/* q(...) qw/.../ s{...}{...}g: the word at `at` starts with one of q m s t y. */
static struct piece quote_word(struct scan *scan, size_t at)
{
    static const char *const words[] = { "q", "qq", "qw", "qx", "qr", "m", "s", "tr", "y", NULL };
    const char *text = scan->text;
    size_t      i = at, open, end;
    bool        two = char_in(text[at], "sty"), pattern;

    while (i < scan->len && i - at < 3 && is_word(text[i]))
        i++;
    if (!word_in((struct slice){ text + at, i - at }, words) || !may_quote(scan, at, i)) return piece_none(at);
    pattern = two || text[at] == 'm' || (i - at == 2 && text[at + 1] == 'r');
    open = i < scan->len && scan->text[i] == '#' ? i : skip_comments(scan, i);
    if (!opens_quote(scan, open, open > i)) return piece_none(at);
    end = delimited_end(scan, open + 1, text[open]);
    if (end && two && char_in(text[open], "([{<")) {
        end = skip_comments(scan, end);
        end = opens_quote(scan, end, false) ? delimited_end(scan, end + 1, text[end]) : 0;
    } else if (end && two) {
        end = delimited_end(scan, end, text[open]);
    }
    if (!end) return piece_lost(scan, at, scan->len);
    if (is_word(text[open]) && memchr(text + at, '\n', end - at)) return piece_none(at);
    while (pattern && end < scan->len && char_in(text[end], "msixpodualngcer"))
        end++;
    return piece_string(at, end);
}

/* /.../ and //: the delimiter ends it in a set [...] too. */
static struct piece pattern(struct scan *scan, size_t at)
{
    size_t end;

    if (at > scan->floor && scan->text[at - 1] == '/') return piece_none(at);           /* the second of defined-or */
    if (!perl_operand(scan, at)) return piece_none(at);
    end = delimited_end(scan, at + 1, '/');
    if (!end) return piece_lost(scan, at, scan->len);
    while (end < scan->len && char_in(scan->text[end], "msixpodualngc"))
        end++;
    return piece_string(at, end);
}

/* <*.c> is a string; <FH> and <$fh> are names. */
static struct piece glob(struct scan *scan, size_t at)
{
    const char *text = scan->text;
    bool        plain = true;
    size_t      i = at + 1;

    if (!perl_operand(scan, at)) return piece_none(at);
    for (; i < scan->len && text[i] != '>' && (unsigned char)text[i] >= ' ' && !char_in(text[i], "<=;"); i++)
        plain &= is_word(text[i]) || text[i] == ':' || (text[i] == '$' && i == at + 1);
    return plain || i >= scan->len || text[i] != '>' ? piece_none(at) : piece_string(at, i + 1);
}

/* v5.36.1 and `use v5`: a version, no name. */
static struct piece version(struct scan *scan, size_t at)
{
    const char *text = scan->text;
    char        before = at > scan->begin ? text[at - 1] : ' ';
    bool        points = false, line;
    size_t      i = at + 1, use;

    if (char_in(before, "$@%&*>:") || i >= scan->len || !is_digit(text[i])) return piece_none(at);
    for (; i < scan->len && (is_digit(text[i]) || text[i] == '_' || (text[i] == '.' && is_digit(text[i + 1]))); i++)
        points |= text[i] == '.';
    if (i < scan->len && is_word(text[i])) return piece_none(at);
    use = code_before(scan, at, &line);
    return points || (use > scan->begin + 2 && memcmp(text + use - 3, "use", 3) == 0) ? piece_string(at, i)
        : piece_none(at);
}

/* The picture after `format NAME =`, up to a line that is a point alone. */
static struct piece format_picture(struct scan *scan, size_t at)
{
    const char *text = scan->text;
    size_t      i = at + 1, start = at;

    while (i < scan->len && (is_blank(text[i]) || text[i] == '\r'))
        i++;
    if (i >= scan->len || text[i] != '\n' || scan->budget == 0) return piece_none(at);
    while (start > scan->begin && text[start - 1] != '\n' && at - start < 256)
        start--;
    if (at - start < 7 || memcmp(text + start, "format", 6) != 0 || is_word(text[start + 6])) return piece_none(at);
    for (size_t k = start + 6; k < at; k++)
        if (!is_blank(text[k]) && !is_word(text[k]) && text[k] != ':') return piece_none(at);
    for (i++; i < scan->len;) {
        const char *lf = memchr(text + i, '\n', scan->len - i);
        size_t      end = lf ? (size_t)(lf - text) : scan->len;

        if (text[i] == '.' && (end == i + 1 || text[i + 1] == '\r')) return piece_string(at + 1, end);
        i = end + 1;
    }
    return piece_lost(scan, at, scan->len);
}

struct piece perl_match(struct scan *scan, size_t at)
{
    switch (scan->text[at]) {
    case '/': return pattern(scan, at);
    case '<': return glob(scan, at);
    case 'v': return version(scan, at);
    case '=': return format_picture(scan, at);
    case '\'': return is_quote(scan, at) ? piece_string(at, string_end(scan->text, at + 1, scan->len, '\'', 1,
                                                                        FORM_LINES | FORM_ESCAPES)) : piece_none(at);
    default:  return quote_word(scan, at);
    }
}
