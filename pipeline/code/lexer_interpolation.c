/* code/lexer_interpolation.c -- where text of a string ends and code in it begins, and the other way round.
 *
 * The stack of opened strings is all that is known of the nesting, so lexing stays one pass: every byte is read once,
 * as text or as code.  What never closes is read as it was begun, to the text's end. */
#include "code/lexing.h"

static char at_or_nul(const struct scan *scan, size_t i) { return i < scan->len ? scan->text[i] : '\0'; }

static bool starts_name(const struct scan *scan, size_t i)
{
    return i < scan->len && is_word(scan->text[i]) && !is_digit(scan->text[i]);
}

/* Past $, @ or @@ at i; 0 without. */
static size_t past_sigils(const struct scan *scan, size_t i)
{
    char c = at_or_nul(scan, i);

    if (c != '$' && c != '@') return 0;
    return i + 1 + (c == '@' && at_or_nul(scan, i + 1) == '@');
}

bool text_open(struct scan *scan, const struct opened *string)
{
    if (!scan->opened || scan->level == OPENED_MAX) return false;
    scan->opened[scan->level++] = *string;
    return true;
}

static size_t run_length(const struct scan *scan, size_t i, char c)
{
    size_t n = 0;

    while (at_or_nul(scan, i + n) == c && c)
        n++;
    return n;
}

/* Braces open code by their number: one of an odd run, the rest is text; as many as there are $ (C# """). */
static bool braces_open(const struct opened *string, size_t run)
{
    return string->count > 2 && string->braces ? run >= string->braces : run % 2 == 1;
}

/* Whether code opens at text[i]; *end is where it starts, or, when what stands there is text after all, where that
 * ends. */
static bool code_opens(const struct scan *scan, struct opened *string, size_t i, size_t *end)
{
    const struct interpolation *with = string->with;

    *end = i;
    for (size_t k = 0; k < sizeof with->code / sizeof *with->code && with->code[k].close; k++) {
        const char *open = with->code[k].open;
        size_t      p = i;

        if (scan->text[p] != open[0]) continue;
        if (with->flags & INTERPOLATION_DOUBLED && !open[1]) {
            size_t run = run_length(scan, i, open[0]);

            *end = i + run;
            if (!braces_open(string, run)) return false;
        } else {
            p++;
            if (open[0] == '\\')                            /* Swift #"\#(x)"# */
                p += run_length(scan, p, '#');
            if (open[0] == '\\' && p - i - 1 != string->hashes) continue;
            while (*++open && at_or_nul(scan, p) == *open)
                p++;
            if (*open || (with->code[k].kept && !starts_name(scan, p) && at_or_nul(scan, p) != '{')) continue;
            *end = p - with->code[k].kept;
        }
        string->close = with->code[k].close;
        string->depth = string->others = 0;
        return true;
    }
    return false;
}

/* Length of an escape at text[i], which is a backslash; 0: it is none. */
static size_t escape_length(const struct scan *scan, const struct opened *string, size_t i)
{
    char next = at_or_nul(scan, i + 1);

    if (!(string->flags & FORM_ESCAPES)) return 0;
    if (string->hashes) return run_length(scan, i + 1, '#') >= string->hashes ? string->hashes + 2 : 0;
    if (string->with->flags & INTERPOLATION_FORMAT) {
        if (next == '{' || next == '}') return 1;           /* Python's \{ opens a field */
        if (next == 'N' && at_or_nul(scan, i + 2) == '{') { /* \N{EM DASH} */
            size_t k = i + 3;

            while (k < scan->len && scan->text[k] != '}' && scan->text[k] != string->quote && scan->text[k] != '\n')
                k++;
            return k - i;
        }
    }
    return next == '\r' && at_or_nul(scan, i + 2) == '\n' ? 3 : 2;
}

/* Past the quotes at text[i] if they close the string, else 0; *skip is how many of them are text. */
static size_t quotes_close(const struct scan *scan, struct opened *string, size_t i, size_t *skip)
{
    size_t take = string->count, most = string->flags & FORM_TRIPLE_RAW ? SIZE_MAX : take, run = 1;

    while (run < most && at_or_nul(scan, i + run) == string->quote)
        run++;                                              /* no further than it matters: lexing stays linear */
    *skip = run;
    if (string->nest && string->nested) {
        string->nested--;
        return 0;
    }
    if ((string->flags & FORM_DOUBLED) && at_or_nul(scan, i + 1) == string->quote) {
        *skip = 2;
        return 0;
    }
    if (run < string->count) return 0;
    if (string->flags & FORM_TRIPLE_RAW && string->count > 2) take = run;  /* its last quotes stand before those */
    if (string->hashes) {
        *skip = 1;
        if (run_length(scan, i + take, '#') < string->hashes) return 0;
        take += string->hashes;
    }
    i += take;
    while (string->letters && at_or_nul(scan, i) >= 'a' && at_or_nul(scan, i) <= 'z')
        i++;
    return i;
}

/* Whether a name begins at i, after a sigil in text; the shell's begin with ASCII. */
static bool takes_name(const struct scan *scan, const struct interpolation *with, size_t i)
{
    return starts_name(scan, i) && !(with->flags & INTERPOLATION_SHELL && (unsigned char)scan->text[i] >= 0x80);
}

/* Past what is no tag of XML's at i: <!-- -->, <![CDATA[ ]]>, <? ?>; i where a tag is. */
static size_t declaration_end(const struct scan *scan, size_t i)
{
    const char *close = at_or_nul(scan, i + 1) == '?' ? "?>" : at_or_nul(scan, i + 2) == '[' ? "]]>" : "-->";
    size_t      end;

    if (at_or_nul(scan, i + 1) != '!' && at_or_nul(scan, i + 1) != '?') return i;
    end = find_close(scan->text, i + 2, scan->len, close);
    return end < scan->len ? end + strlen(close) : scan->len;
}

static enum text_stop string_read(const struct scan *scan, struct opened *string, size_t i, bool after_name,
                                  size_t *end)
{
    const struct interpolation *with = string->with;
    const char                 *text = scan->text;

    if (after_name && with->flags & INTERPOLATION_ACCESS && text[word_before(scan, i) - 1] == '$') {
        size_t arrow = at_or_nul(scan, i) == '?' ? i + 1 : i;

        if (at_or_nul(scan, i) == '[' && at_or_nul(scan, i + 1) > ' ' && at_or_nul(scan, i + 1) != ']') {
            string->close = ']';
            string->depth = string->others = 0;
            return *end = i + 1, TEXT_CODE;
        }
        if (at_or_nul(scan, arrow) == '-' && at_or_nul(scan, arrow + 1) == '>' && starts_name(scan, arrow + 2))
            return *end = arrow + 2, TEXT_NAME;
    }
    if (string->parameter && string->parameter < PARAMETER_SLICE) {
        enum text_stop stop = shell_parameter_read(scan, string, &i, end);

        if (stop != TEXT_CLOSED) return stop;
    }
    while (i < string->end) {
        char   c = text[i];
        size_t next;

        if (string->tag && c == '<' && (next = declaration_end(scan, i)) == i) return *end = i, TEXT_TAG;
        if (string->tag && c == '<') {
            i = next;
            continue;
        }
        if (is_word(c) || c == ' ') {
            i++;
            continue;
        }
        if (c == '$' && with->flags & INTERPOLATION_SHELL && at_or_nul(scan, i + 1) == '{')
            return *end = i + 2, TEXT_INNER;
        if (string->parameter && char_in(c, "\"'$")) {
            if (c == '"') return *end = i + 1, TEXT_INNER;
            if ((next = shell_quote_end(scan, string, i)) > i) {
                i = next;
                continue;
            }
        }
        if (c == '$' && with->flags & INTERPOLATION_COUNTED) {
            size_t run = run_length(scan, i, c);

            i += run < string->braces ? run : run - 1;      /* the last one is a name's or a brace's */
            if (run < string->braces) continue;
        }
        if (code_opens(scan, string, i, &next)) return *end = next, TEXT_CODE;
        if (next > i) {                                     /* doubled braces */
            i = next;
        } else if (c == '\\' && (next = escape_length(scan, string, i)) > 0) {
            i += next;
        } else if (c == string->quote && c) {
            size_t skip, past = quotes_close(scan, string, i, &skip);

            if (past) return *end = past, TEXT_CLOSED;
            i += skip;
        } else if (string->format && scan->level > 1 && c == scan->opened[scan->level - 2].quote) {
            return *end = i, TEXT_CLOSED;                   /* the string ends before its code does */
        } else if (!(string->flags & FORM_LINES) && (c == '\n' || c == '\r')) {
            return *end = i, TEXT_CLOSED;
        } else if (char_in(c, with->sigils)) {
            size_t name = i + 1;

            if (with->flags & INTERPOLATION_SIGILS) name = past_sigils(scan, name);
            if (name && takes_name(scan, with, name)) return *end = name, TEXT_NAME;
            i += with->flags & INTERPOLATION_DOUBLED &&
                (at_or_nul(scan, i + 1) == c || at_or_nul(scan, i + 1) == string->quote) ? 2 : 1;
        } else {
            string->nested += c && c == string->nest;
            i++;
        }
    }
    return *end = string->end, TEXT_CLOSED;
}

enum text_stop text_read(struct scan *scan, size_t i, bool after_name, size_t *end)
{
    enum text_stop stop = string_read(scan, &scan->opened[scan->level - 1], i, after_name, end);

    while (stop == TEXT_INNER) {
        if (scan->text[*end - 1] == '"') shell_inner_string(scan);
        else shell_parameter(scan, scan->opened[scan->level - 1].with, true);
        stop = string_read(scan, &scan->opened[scan->level - 1], *end, false, end);
    }
    return stop;
}

size_t text_end(const struct scan *scan, const struct opened *string, size_t i)
{
    static const struct interpolation none;
    struct opened                     plain = *string;

    plain.with = &none;
    string_read(scan, &plain, i, false, &i);
    return i;
}

/* Whether a format begins at `at`, outside brackets: at the colon, or at Python's conversion (!r) before it. */
static bool format_begins(const struct scan *scan, size_t at)
{
    char c = scan->text[at], next = at_or_nul(scan, at + 1);

    if (c == ':') return !((scan->row->flags & ROW_VERBATIM) && (next == ':' || scan->text[at - 1] == ':'));
    return c == '!' && char_in(next, "rsa") && char_in(at_or_nul(scan, at + 2), ":} ");
}

enum code_stop code_read(struct scan *scan, size_t at)
{
    struct opened *string = &scan->opened[scan->level - 1];
    char           c = scan->text[at], open = string->close == '}' ? '{' : string->close == ')' ? '('
        : string->close == '>' ? '<' : '[';

    if (string->with->flags & INTERPOLATION_SHELL && ((c == ')' && shell_pattern(scan, at)) ||
                                                      (c == '`' && scan->text[at - 1] == '\\')))
        return CODE_GOES_ON;
    if (string->close == '`') open = '\0';
    if (c == string->close && !(c == '>' && scan->text[at - 1] == '=')) {
        if (string->depth == 0) return CODE_CLOSES;
        string->depth--;
    } else if (c == open) {
        string->depth++;
    } else if (c == '(' || c == '[' || c == '{') {
        string->others++;
    } else if (c == ')' || c == ']' || c == '}') {
        string->others -= string->others > 0;
    } else if ((string->with->flags & INTERPOLATION_FORMAT) && string->depth == 0 && string->others == 0 &&
               format_begins(scan, at)) {
        struct opened format = *string;

        format.quote = string->close;
        format.count = 1;
        format.flags &= (uint16_t)~(FORM_DOUBLED | FORM_TRIPLE_RAW);
        format.format = true;
        return text_open(scan, &format) ? CODE_FORMAT : CODE_GOES_ON;
    }
    return CODE_GOES_ON;
}
