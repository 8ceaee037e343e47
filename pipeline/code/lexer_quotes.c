/* code/lexer_quotes.c -- strings whose end must be searched for before we know that they are strings at all.
 *
 * An unclosed candidate is an operator after all, so its search was in vain.  Such searches draw on a budget
 * proportional to the text, after which candidates are taken for operators: hostile text costs linear time. */
#include "code/lexing.h"

enum { OPENING_BYTES = 4096 };                              /* before a bracket, in which its partner is looked for */

struct piece piece_lost(struct scan *scan, size_t from, size_t to)
{
    size_t cost = to > from ? to - from : 0;

    scan->budget -= cost < scan->budget ? cost : scan->budget;
    return piece_none(from);
}

/* Lua [==[ ... ]==], after -- a comment. */
static struct piece long_match(struct scan *scan, const struct form *form, size_t at)
{
    const char *text = scan->text;
    size_t      level = 0, i = at + strlen(form->open);

    while (i < scan->len && text[i] == '=')
        i++, level++;
    if (i >= scan->len || text[i] != '[') return (struct piece){ at, at, PIECE_NONE, false };
    for (i++; i < scan->len; i++) {
        const char *hit = memchr(text + i, ']', scan->len - i);
        size_t      k = 0;

        if (!hit) break;
        i = (size_t)(hit - text);
        while (k < level && i + 1 + k < scan->len && text[i + 1 + k] == '=')
            k++;
        if (k == level && i + 1 + k < scan->len && text[i + 1 + k] == ']')
            return (struct piece){ at, i + k + 2, form->flags & FORM_COMMENT ? PIECE_COMMENT : PIECE_STRING, false };
        i += k;
    }
    return (struct piece){ at, scan->len, form->flags & FORM_COMMENT ? PIECE_COMMENT : PIECE_STRING, false };
}

/* Haskell's [name| ... |]. What it holds is balanced in brackets, or a list comprehension would be one: [x|x <- xs].
 * Those of Template Haskell's own, [e| [d| [t| [p|, hold code. */
static struct piece quasi_match(struct scan *scan, size_t at)
{
    const char *text = scan->text;
    size_t      i = at + 1, depth = 0;

    while (i < scan->len && (is_word(text[i]) || char_in(text[i], "'.")))
        i++;
    if (i == at + 1 || i >= scan->len || text[i] != '|' || is_digit(text[at + 1])) return piece_none(at);
    if (i == at + 2 && char_in(text[at + 1], "edtp")) return piece_none(at);
    for (i++; i < scan->len && i - at < scan->budget; i++) {
        if (text[i] == '[') depth++;
        else if (text[i] == ']' && depth > 0) depth--;
        else if (text[i] == ']') break;
    }
    return i < scan->len && text[i] == ']' && text[i - 1] == '|' ? piece_string(at, i + 1) : piece_lost(scan, at, i);
}

static struct piece dollar_match(struct scan *scan, size_t at)
{
    const char *text = scan->text;
    size_t      i = at + 1, size;

    if (at > scan->begin && is_word(text[at - 1])) return piece_none(at);
    if (i < scan->len && is_digit(text[i]))                 /* $1: a parameter, no name */
        return (struct piece){ .start = at, .end = i, .kind = PIECE_OPERATOR };
    while (i < scan->len && is_word(text[i]))
        i++;
    if (i >= scan->len || text[i] != '$') return piece_none(at);
    size = i + 1 - at;
    for (i++; i + size <= scan->len && i - at < scan->budget; i++) {
        const char *hit = memchr(text + i, '$', scan->len - i);

        if (!hit) break;
        i = (size_t)(hit - text);
        if (i + size <= scan->len && memcmp(hit, text + at, size) == 0)
            return (struct piece){ at, i + size, PIECE_STRING, false };
    }
    return piece_lost(scan, at, scan->len);
}

char closing_delimiter(char open)
{
    return open == '(' ? ')' : open == '[' ? ']' : open == '{' ? '}' : open == '<' ? '>' : open;
}

size_t delimited_end(const struct scan *scan, size_t i, char open)
{
    const char *text = scan->text;
    char        close = closing_delimiter(open);
    size_t      depth = 1, start = i;

    for (; i < scan->len && i - start < scan->budget; i++) {
        if (text[i] == '\\' && open != '\\') i++;
        else if (text[i] == close && --depth == 0) return i + 1;
        else if (text[i] == open) depth++;
    }
    return 0;
}

size_t code_before(const struct scan *scan, size_t at, bool *line)
{
    size_t i = at;

    *line = false;
    while (i > scan->begin && (unsigned char)scan->text[i - 1] <= ' ')
        *line |= scan->text[--i] == '\n';
    if (!scan->comment_end || i != scan->comment_end) return i;
    *line |= scan->comment_line;
    return scan->comment_before;
}

size_t opening_before(struct scan *scan, size_t end, char open)
{
    const char *text = scan->text;
    char        close = closing_delimiter(open);
    size_t      low = end > scan->begin + OPENING_BYTES ? end - OPENING_BYTES : scan->begin, depth = 0, i = end;

    if (scan->budget == 0) return end;
    while (i > low) {
        char c = text[--i];

        if (c == close) depth++;
        if (c == open && --depth == 0) return piece_lost(scan, i, end), i;
        if (c == '"' || c == '\'' || c == '`') {            /* a quote before it on its line makes a string */
            size_t k = i;

            while (k > low && text[k - 1] != c && text[k - 1] != '\n')
                k--;
            if (k > low && text[k - 1] == c) i = k - 1;
        }
    }
    return piece_lost(scan, i, end), end;
}

size_t word_before(const struct scan *scan, size_t end)
{
    while (end > scan->begin && is_word(scan->text[end - 1]))
        end--;
    return end;
}

bool word_in(struct slice word, const char *const *list)
{
    while (*list && !slice_equal(word, slice_of(*list)))
        list++;
    return *list;
}

struct piece quote_match(struct scan *scan, const struct form *form, size_t at)
{
    switch ((enum form_kind)form->kind) {
    case FORM_REGEX:      return regex_match(scan, at);
    case FORM_LONG:       return long_match(scan, form, at);
    case FORM_HERE_PERL:
    case FORM_HERE_PHP:
    case FORM_HERE_RUBY:
    case FORM_HERE_SHELL: return here_match(scan, form, at);
    case FORM_QUASI:      return quasi_match(scan, at);
    case FORM_DOLLAR:     return dollar_match(scan, at);
    case FORM_PERL:       return perl_match(scan, at);
    case FORM_RUBY:       return ruby_match(scan, form, at);
    case FORM_SHELL:      return shell_match(scan, form, at);
    case FORM_SQL:        return sql_match(scan, at);
    case FORM_JSX:        return jsx_match(scan, form, at);
    default:              return (struct piece){ at, at, PIECE_NONE, false };
    }
}
