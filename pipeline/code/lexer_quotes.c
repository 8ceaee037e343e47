/* code/lexer_quotes.c -- strings whose end must be searched for before we know that they are strings at all.
 *
 * An unclosed candidate is an operator after all, so its search was in vain.  Such searches draw on a budget
 * proportional to the text, after which candidates are taken for operators: hostile text costs linear time. */
#include "code/lexing.h"

/* Accounts for a search over [from, to); for one in vain, the candidate is no string. */
static struct piece give_up(struct scan *scan, size_t at, size_t from, size_t to)
{
    size_t cost = to > from ? to - from : 0;

    scan->budget -= cost < scan->budget ? cost : scan->budget;
    return (struct piece){ at, at, PIECE_NONE, false };
}

static size_t newline_at(const struct scan *scan, size_t i)
{
    const char *hit = i < scan->len ? memchr(scan->text + i, '\n', scan->len - i) : NULL;

    return hit ? (size_t)(hit - scan->text) : scan->len;
}

/* Words after which an expression starts, in any of the languages with regular expression literals. */
static bool word_takes_operand(struct slice word)
{
    static const char *const words[] = {
        "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do", "and", "or", "not",
            "if", "elsif",
        "unless", "while", "until", "when", "then", "split", "grep", "map", "join", "push", "x", "yield", "await",
            "instanceof", NULL,
    };

    for (const char *const *w = words; *w; w++)
        if (slice_equal(word, slice_of(*w))) return true;
    return false;
}

bool operand_expected(const struct scan *scan, size_t at)
{
    size_t i = at, start;

    while (i > scan->begin && is_blank(scan->text[i - 1]))
        i--;
    if (i == scan->begin || scan->text[i - 1] == '\n' || scan->text[i - 1] == '\r') return true;
    if (!is_word(scan->text[i - 1])) return !char_in(scan->text[i - 1], ")]}\"'`$");
    for (start = i; start > scan->begin && i - start < 12 && is_word(scan->text[start - 1]);)
        start--;
    return word_takes_operand((struct slice){ scan->text + start, i - start });
}

static struct piece regex_match(struct scan *scan, size_t at)
{
    const char *text = scan->text;
    bool        set = false;
    size_t      i;

    if (!operand_expected(scan, at)) return (struct piece){ at, at, PIECE_NONE, false };
    for (i = at + 1; i < scan->len && text[i] != '\n' && i - at < scan->budget; i++) {
        if (text[i] == '\\') i++;
        else if (text[i] == '[') set = true;                /* a slash inside [...] does not close */
        else if (text[i] == ']') set = false;
        else if (text[i] == '/' && !set) break;
    }
    if (i >= scan->len || text[i] != '/' || i == at + 1) return give_up(scan, at, at, i);
    for (i++; i < scan->len && text[i] >= 'a' && text[i] <= 'z';)
        i++;                                                /* flags */
    return (struct piece){ at, i, PIECE_STRING, false };
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

static struct piece dollar_match(struct scan *scan, size_t at)
{
    const char *text = scan->text;
    size_t      i = at + 1, size;

    if (at > scan->begin && is_word(text[at - 1])) return (struct piece){ at, at, PIECE_NONE, false };
    while (i < scan->len && is_word(text[i]))
        i++;
    if (i >= scan->len || text[i] != '$' || is_digit(text[at + 1])) return (struct piece){ at, at, PIECE_NONE, false };
    size = i + 1 - at;
    for (i++; i + size <= scan->len && i - at < scan->budget; i++) {
        const char *hit = memchr(text + i, '$', scan->len - i);

        if (!hit) break;
        i = (size_t)(hit - text);
        if (i + size <= scan->len && memcmp(hit, text + at, size) == 0)
            return (struct piece){ at, i + size, PIECE_STRING, false };
    }
    return give_up(scan, at, at, scan->len);
}

/* The end of the line that consists of the tag alone (indentation aside), from the line start i on; 0 when there is
 * none. */
static size_t here_body_end(const struct scan *scan, size_t i, struct slice tag)
{
    while (i < scan->len) {
        size_t p = i, end = newline_at(scan, i);

        while (p < end && is_blank(scan->text[p]))
            p++;
        if (end - p >= tag.len && memcmp(scan->text + p, tag.at, tag.len) == 0 &&
            (p + tag.len == end || !is_word(scan->text[p + tag.len])))
            return p + tag.len;
        i = end + 1;
    }
    return 0;
}

/* <<TAG: the tag is a string here; the body starts on the next line (scan->here_at), after the bodies already pending.
 */
static struct piece here_match(struct scan *scan, const struct form *form, size_t at)
{
    const char   *text = scan->text;
    struct piece  none = { at, at, PIECE_NONE, false };
    size_t        i = at + strlen(form->open), start, line, end;
    bool          php = i - at == 3, quoted = false;
    char          quote = 0;

    if (at > scan->begin && text[at - 1] == '<') return none;
    if (i < scan->len && (text[i] == '-' || text[i] == '~')) i++;
    while (i < scan->len && is_blank(text[i]))
        i++;
    if (i < scan->len && (text[i] == '"' || text[i] == '\'' || text[i] == '\\'))
        quote = text[i++], quoted = quote != '\\';
    for (start = i; i < scan->len && (is_word(text[i]) || (quoted && text[i] != quote && text[i] != '\n'));)
        i++;
    if (i == start || is_digit(text[start]) || scan->budget == 0) return none;
    if (!php && !quote && is_blank(text[start - 1]) && !operand_expected(scan, at) && text[start] > 'Z') return none;
    line = newline_at(scan, i) + 1;
    if (scan->here_end && scan->here_at == line) line = scan->here_end + (scan->here_end < scan->len);
    end = line < scan->len ? here_body_end(scan, line, (struct slice){ text + start, i - start }) : 0;
    /* found or not: what follows on this line may void the find */
    give_up(scan, at, line, end ? end : scan->len);
    if (!end) return none;
    if (!scan->here_end || scan->here_at <= at) scan->here_at = newline_at(scan, i) + 1;
    scan->here_end = end;
    scan->here_with = !quote || quote == '"' ? form->interpolation : NULL;
    return (struct piece){ at, quoted && i < scan->len && text[i] == quote ? i + 1 : i, PIECE_STRING, false };
}

/* One part between delimiters, i after the opening one; the position after the closing one, or 0. */
static size_t delimited_end(const struct scan *scan, size_t i, char open)
{
    const char *text = scan->text;
    char        close = open == '(' ? ')' : open == '[' ? ']' : open == '{' ? '}' : open == '<' ? '>' : open;
    size_t      depth = 1, start = i;

    for (; i < scan->len && i - start < scan->budget; i++) {
        if (text[i] == '\\') i++;
        else if (text[i] == close && --depth == 0) return i + 1;
        else if (text[i] == open) depth++;
    }
    return 0;
}

static bool is_delimiter(char c) { return c > ' ' && c < 0x7F && !is_word(c) && !char_in(c, ",;)]}>="); }

/* Perl q(...) qw/.../ s{...}{...}g: the word at `at` starts with one of q m s t y. */
static struct piece quote_word_match(struct scan *scan, size_t at)
{
    static const char *const words[] = { "q", "qq", "qw", "qx", "qr", "m", "s", "tr", "y", NULL };
    const char        *text = scan->text;
    struct piece       none = { at, at, PIECE_NONE, false };
    size_t             i = at, parts, end;
    const char *const *word = words;

    if (at > scan->begin && char_in(text[at - 1], "$@%&>-'{")) return none;
    while (i < scan->len && i - at < 3 && is_word(text[i]))
        i++;
    while (*word && !slice_equal((struct slice){ text + at, i - at }, slice_of(*word)))
        word++;
    if (!*word) return none;
    parts = char_in(text[at], "sty") ? 2 : 1;
    if (i < scan->len && is_blank(text[i])) {
        while (i < scan->len && is_blank(text[i]))
            i++;
        if (i < scan->len && text[i] == '#') return none;   /* a comment, not a delimiter */
    }
    if (i >= scan->len || !is_delimiter(text[i])) return none;
    end = delimited_end(scan, i + 1, text[i]);
    if (end && parts == 2 && char_in(text[i], "([{<")) {
        while (end < scan->len && (is_blank(text[end]) || text[end] == '\n'))
            end++;
        end = end < scan->len && is_delimiter(text[end]) ? delimited_end(scan, end + 1, text[end]) : 0;
    } else if (end && parts == 2) {
        end = delimited_end(scan, end, text[i]);
    }
    if (!end) return give_up(scan, at, at, scan->len);
    while (parts + (text[at] == 'm') > 1 && end < scan->len && text[end] >= 'a' && text[end] <= 'z')
        end++;                                              /* flags */
    return (struct piece){ at, end, PIECE_STRING, false };
}

/* Ruby %w[...] %q(...) %(...) where no modulo can be meant. */
static struct piece percent_match(struct scan *scan, size_t at)
{
    const char  *text = scan->text;
    struct piece none = { at, at, PIECE_NONE, false };
    size_t       i = at + 1, end;
    bool         letter = i < scan->len && char_in(text[i], "qQwWiIrxs");

    i += letter;
    if (i >= scan->len || !is_delimiter(text[i])) return none;
    if (!operand_expected(scan, at) && !(letter && at > scan->begin && is_blank(text[at - 1]))) return none;
    end = delimited_end(scan, i + 1, text[i]);
    return end ? (struct piece){ at, end, PIECE_STRING, false } : give_up(scan, at, at, scan->len);
}

struct piece quote_match(struct scan *scan, const struct form *form, size_t at)
{
    switch ((enum form_kind)form->kind) {
    case FORM_REGEX:      return regex_match(scan, at);
    case FORM_LONG:       return long_match(scan, form, at);
    case FORM_HERE:       return here_match(scan, form, at);
    case FORM_DOLLAR:     return dollar_match(scan, at);
    case FORM_QUOTE_WORD: return quote_word_match(scan, at);
    case FORM_PERCENT:    return percent_match(scan, at);
    default:              return (struct piece){ at, at, PIECE_NONE, false };
    }
}
