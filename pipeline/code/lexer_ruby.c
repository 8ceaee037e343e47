/* code/lexer_ruby.c -- what / % ? and << begin in Ruby, told by what stands before them and after.
 *
 * Ruby's own reader keeps a state for it (parse.y, enum lex_state_e).  Here the last character of code before the mark
 * tells; after a name the mark is an operator unless a blank stands before it and none after, as for Ruby itself where
 * the name may be a method's. */
#include "code/lexing.h"

enum { LOCAL_BYTES = 2048 };                                /* before a name, in which what it is is looked for */

/* Words after which an operand stands, where after other words an operator may. */
static const char *const words_before_operand[] = {
    "and", "begin", "break", "case", "do", "else", "elsif", "ensure", "if", "in", "next", "not", "or", "puts", "rescue",
    "return", "then", "unless", "until", "when", "while", "yield", NULL,
};

/* :/ and def / and .% are names of methods. */
static bool names_method(const struct scan *scan, size_t at)
{
    const char *text = scan->text;
    char        before = at > scan->begin ? text[at - 1] : ' ', first = at > scan->begin + 1 ? text[at - 2] : ' ';
    size_t      i = at;

    if (before == '.') return first != '.';
    if (before == ':' && first != ':') return !is_word(first) && !char_in(first, "\"')]}");
    while (i > scan->begin && is_blank(text[i - 1]))
        i--;
    return i < at && i >= scan->begin + 3 && memcmp(text + i - 3, "def", 3) == 0 &&
        (i == scan->begin + 3 || !is_word(text[i - 4]));
}

/* Whether the name text[at..end) is written to there, or a parameter. */
static bool is_written(const struct scan *scan, size_t at, size_t end)
{
    const char *text = scan->text;

    while (at > scan->begin && char_in(text[at - 1], " \t*&"))
        at--;
    while (end < scan->len && is_blank(text[end]))
        end++;
    if (end + 1 >= scan->len) return false;
    if (at > scan->begin && char_in(text[at - 1], "|(,") && char_in(text[end], "|,)")) return true;
    if (at > scan->begin && char_in(text[at - 1], ".@$:")) return false;
    if (text[end] == '=') return !char_in(text[end + 1], "=~>");
    return char_in(text[end], "+-*/%|&^") && (text[end + 1] == '=' || (end + 2 < scan->len && text[end + 2] == '='));
}

/* Whether the name text[start..end) is a local variable, after which an operator stands: one that was written to, or a
 * parameter, since the last `def`.  The search is paid for. */
static bool is_local(struct scan *scan, size_t start, size_t end)
{
    const char *text = scan->text;
    size_t      low = start > scan->begin + LOCAL_BYTES ? start - LOCAL_BYTES : scan->begin;
    size_t      i = start, len = end - start;
    bool        local = false, over = text[start] >= 'A' && text[start] <= 'Z';

    if (scan->budget == 0) return false;
    while (i > low && !local && !over) {
        i--;
        if (i > scan->begin && is_word(text[i - 1])) continue;
        local = memcmp(text + i, text + start, len) == 0 && !is_word(text[i + len]) && is_written(scan, i, i + len);
        over = memcmp(text + i, "def ", 4) == 0;
    }
    piece_lost(scan, i, start);
    return local;
}

bool ruby_operand(struct scan *scan, size_t at, size_t after)
{
    const char *text = scan->text;
    bool        line, gap, tight;
    size_t      i = code_before(scan, at, &line), end;
    char        c;

    if (names_method(scan, at)) return false;
    if (line || i == scan->begin) return true;              /* a new line is a new statement, but after operators */
    c = text[i - 1];
    gap = i < at;
    tight = after < scan->len && (unsigned char)text[after] > ' ' && text[after] != '=' && !is_digit(text[after]);
    end = i - ((c == '?' || c == '!') && i > scan->begin + 1 && is_word(text[i - 2]));
    if (end < i || is_word(c)) {
        size_t start = word_before(scan, end);
        char   mark = start > scan->begin ? text[start - 1] : ' ';
        bool   method = mark == '.' || (mark == ':' && start > scan->begin + 1 && text[start - 2] == ':');

        if (is_digit(text[start]) || char_in(mark, "@$")) return false;
        if (!method && word_in((struct slice){ text + start, end - start }, words_before_operand)) return true;
        if (!gap || !tight || method || (text[at] == '<' && char_in(text[after], "-~")))
            return gap && tight && (method || mark != ':');
        return mark != ':' && !is_local(scan, start, end);
    }
    if (i > scan->begin + 1 && text[i - 2] == '$') return false;                        /* $! and the like */
    return !char_in(c, ")]}\"'`");
}

/* A string from `from` on that `open` opened; code in it if `with`, small letters after it if `letters`. */
static struct piece open_text(struct scan *scan, size_t at, size_t from, char open,
                              const struct interpolation *with, bool letters)
{
    char          close = closing_delimiter(open);
    struct opened string = { .with = with, .end = scan->len, .count = 1, .quote = close,
                             .nest = close == open ? '\0' : open, .flags = FORM_LINES | FORM_ESCAPES,
                             .letters = letters };
    size_t        end = delimited_end(scan, from, open);

    if (!end) return piece_lost(scan, at, scan->len);
    if (with && memchr(scan->text + from, '#', end - from) && text_open(scan, &string)) {
        piece_lost(scan, from, end);                        /* brackets in its code may have led the search astray */
        return (struct piece){ .start = at, .end = from, .kind = PIECE_STRING, .opened = true };
    }
    while (letters && end < scan->len && scan->text[end] >= 'a' && scan->text[end] <= 'z')
        end++;
    return piece_string(at, end);
}

/* %w[...] %q(...) %(...) */
static struct piece percent(struct scan *scan, const struct form *form, size_t at)
{
    const char *text = scan->text;
    size_t      i = at + 1;
    char        letter = i < scan->len && char_in(text[i], "qQwWiIrxs") ? text[i] : 'Q';
    bool        code = char_in(letter, "QWIrx");

    i += i < scan->len && text[i] == letter;
    if (i >= scan->len || is_word(text[i]) || (unsigned char)text[i] <= ' ' || text[i] == '=' || text[i] == 0x7F)
        return piece_none(at);
    if (!ruby_operand(scan, at, at + 1)) return piece_none(at);
    return open_text(scan, at, i + 1, text[i], code ? form->interpolation : NULL, letter == 'r');
}

/* ?a ?\n ?\C-a: a character, where ? is no operator. */
static struct piece character(struct scan *scan, size_t at)
{
    const char *text = scan->text;
    size_t      used, before, end, i = at + 1;
    bool        line;

    if (i >= scan->len || (unsigned char)text[i] <= ' ' || (at > scan->begin && is_word(text[at - 1])))
        return piece_none(at);
    if (!ruby_operand(scan, at, i)) return piece_none(at);
    if (text[i] == '\\') {
        i = i + 2 < scan->len ? i + 2 : scan->len;
        if (char_in(text[i - 1], "uxCM01234567c"))
            while (i < scan->len && (is_word(text[i]) || char_in(text[i], "-{}\\")))
                i++;
        return piece_string(at, i);
    }
    unicode_decode(text + i, scan->len - i, &used);
    i += used;
    for (end = i; end < scan->len && is_blank(text[end]);)
        end++;
    before = code_before(scan, at, &line);
    if (end > i && end < scan->len && text[end] == ':' && before > scan->begin && is_word(text[before - 1]))
        return piece_none(at);                              /* a ?b :c */
    return i < scan->len && is_word(text[i]) && is_word(text[i - used]) ? piece_none(at) : piece_string(at, i);
}

struct piece ruby_match(struct scan *scan, const struct form *form, size_t at)
{
    char c = scan->text[at];

    if (c == '%') return percent(scan, form, at);
    if (c == '?') return character(scan, at);
    if (c == '`' && names_method(scan, at)) return piece_none(at);
    if (c == '/' && !ruby_operand(scan, at, at + 1)) return piece_none(at);
    return open_text(scan, at, at + 1, c, form->interpolation, c == '/');               /* /.../ or `...` */
}
