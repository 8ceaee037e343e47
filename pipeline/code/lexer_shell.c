/* code/lexer_shell.c -- what $ begins in the shell, and which ) ends the code in a string.
 *
 * In ${name:-text} the name is code, its subscript too, and the rest is text, with code in it again: so it makes no
 * difference whether quotes stand around it. Sources: POSIX.1-2017 XCU 2.2, 2.6; the bash manual, "Quoting" and "Shell
 * Expansions". */
#include "code/lexing.h"

enum { PATTERN_MAX = 256 };                                 /* bytes before a ) that a pattern of `case` may have */

/* ${name...}; from is behind the brace. */
bool shell_parameter(struct scan *scan, const struct interpolation *with, bool inner)
{
    const struct opened *outer = inner ? &scan->opened[scan->level - 1] : NULL;
    struct opened        text = { .with = with, .end = outer ? outer->end : scan->len, .count = 1, .quote = '}',
                                  .flags = FORM_LINES | FORM_ESCAPES, .parameter = PARAMETER_NAME, .inner = inner,
                                  .quoted = outer && (!outer->parameter || outer->quoted) };

    return text_open(scan, &text);
}

bool shell_inner_string(struct scan *scan)
{
    struct opened text = scan->opened[scan->level - 1];

    text.quote = '"';
    text.inner = true;
    text.parameter = PARAMETER_NONE;
    return text_open(scan, &text);
}

enum text_stop shell_parameter_read(const struct scan *scan, struct opened *parameter, size_t *i, size_t *end)
{
    const char *text = scan->text;

    if (parameter->parameter == PARAMETER_NAME) {
        parameter->parameter = PARAMETER_SUBSCRIPT;
        while (*i < scan->len && char_in(text[*i], "!#"))
            ++*i;
        if (*i < scan->len && is_word(text[*i]) && !is_digit(text[*i]) && (unsigned char)text[*i] < 0x80)
            return *end = *i, TEXT_NAME;
        if (*i < scan->len && char_in(text[*i], "@*?$-")) ++*i;
        while (*i < scan->len && is_digit(text[*i]))
            ++*i;
    }
    if (parameter->parameter == PARAMETER_SUBSCRIPT) {
        parameter->parameter = PARAMETER_OPERATOR;
        if (*i < scan->len && text[*i] == '[') {
            parameter->close = ']';
            parameter->depth = parameter->others = 0;
            return *end = *i + 1, TEXT_CODE;
        }
    }
    parameter->parameter = *i < scan->len && char_in(text[*i], "#%/^,") ? PARAMETER_PATTERN : PARAMETER_WORD;
    if (*i + 1 >= scan->len || text[*i] != ':' || char_in(text[*i + 1], "-=?+")) return TEXT_CLOSED;
    parameter->parameter = PARAMETER_SLICE;                 /* an offset and a length */
    parameter->close = '}';
    parameter->depth = parameter->others = 0;
    return *end = *i + 1, TEXT_CODE;
}

size_t shell_quote_end(const struct scan *scan, const struct opened *parameter, size_t i)
{
    const char *text = scan->text;
    size_t      start = i + (text[i] == '$'), k = start + 1;

    if (text[start] != '\'' || start >= parameter->end) return i;
    if (parameter->quoted && parameter->parameter != PARAMETER_PATTERN) return i;
    for (; k < parameter->end && text[k] != '\''; k++) {
        if (parameter->quoted && char_in(text[k], "\"\n")) return i;
        k += start > i && text[k] == '\\';
    }
    return k < parameter->end ? k + 1 : i;
}

struct piece shell_match(struct scan *scan, const struct form *form, size_t at)
{
    struct opened string = { .with = form->interpolation, .end = scan->len, .count = 1, .quote = '"',
                             .flags = FORM_LINES | FORM_ESCAPES };
    char          next = at + 1 < scan->len ? scan->text[at + 1] : ' ';

    if (next == '\'')
        return piece_string(at, string_end(scan->text, at + 2, scan->len, '\'', 1, FORM_LINES | FORM_ESCAPES));
    if ((next == '"' && text_open(scan, &string)) || (next == '{' && shell_parameter(scan, form->interpolation, false)))
        return (struct piece){ .start = at, .end = at + 2, .kind = PIECE_STRING, .opened = true };
    return piece_none(at);
}

static bool word_ends(const struct scan *scan, size_t end, const char *word)
{
    size_t size = strlen(word);

    return end >= scan->begin + size && memcmp(scan->text + end - size, word, size) == 0 &&
        (end == scan->begin + size || !is_word(scan->text[end - size - 1])) &&
        (end >= scan->len || !is_word(scan->text[end]));
}

bool shell_pattern(const struct scan *scan, size_t at)
{
    const char *text = scan->text;
    bool        line;
    size_t      i = at;

    while (i > scan->begin && at - i < PATTERN_MAX && !char_in(text[i - 1], ";&()\n") && !word_ends(scan, i, "in"))
        i--;
    if (i == scan->begin || i == at) return false;
    for (size_t k = i; k < at; k++)                         /* esac 2>/dev/null) */
        if (!is_blank(text[k])) {
            if (word_ends(scan, k + 4, "esac")) return false;
            break;
        }
    if (text[i - 1] != '\n') return word_ends(scan, i, "in") || (text[i - 1] == ';' && i > scan->begin + 1 &&
                                                                text[i - 2] == ';');
    i = code_before(scan, i, &line);
    return word_ends(scan, i, "in") || (i > scan->begin + 1 && text[i - 1] == ';' && text[i - 2] == ';');
}
