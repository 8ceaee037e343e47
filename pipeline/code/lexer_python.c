/* code/lexer_python.c -- which Python strings are docstrings, asked about one string at a time.
 *
 * The rule (docs/definitions.md, "Tokens"): a string whose previous token is INDENT or NEWLINE.  Only a string that
 * stands first on its physical line can be one, and hardly any string that somebody wants does.  So indentation is not
 * followed along with the lexing: a question reads forward from where the last one stopped. */
#include "code/lexing.h"

/* Reads a physical line's indentation from lines->at; returns the first character after it. */
static size_t measure(const struct python_lines *lines, const char *text, size_t len, size_t *column)
{
    size_t i = lines->at;

    for (*column = 0; i < len; i++) {
        if (text[i] == ' ') {
            size_t end = spaces_end(text, i + 1, len);

            *column += end - i;
            i = end - 1;
        }
        else if (text[i] == '\t') *column = (*column / 8 + 1) * 8;
        else if (text[i] == '\f') *column = 0;
        else break;
    }
    return i;
}

/* Reads the logical line from lines->at up to `to` or past its line end, whichever is first. */
static void read_logical(struct python_lines *lines, const char *text, size_t to, size_t len)
{
    size_t i = lines->at;

    while (i < to) {
        char   c = text[i];
        size_t count;

        if (is_word(c) || c == ' ') {                       /* most of them */
            i++;
        } else if (c == '"' || c == '\'') {
            count = i + 2 < len && text[i + 1] == c && text[i + 2] == c ? 3 : 1;
            i = string_end(text, i + count, len, c, count, FORM_ESCAPES | (count == 3 ? FORM_LINES : 0));
        } else if (c == '#') {
            while (i < len && text[i] != '\n' && text[i] != '\r')
                i++;
        } else if (c == '\\' && i + 1 < len && (text[i + 1] == '\n' || text[i + 1] == '\r')) {
            /* a continued line is no new line */
            i += i + 2 < len && text[i + 1] == '\r' && text[i + 2] == '\n' ? 3 : 2;
        } else {
            if (c == '(' || c == '[' || c == '{') lines->depth++;
            if (c == ')' || c == ']' || c == '}') lines->depth--;
            i++;
            if ((c == '\n' || c == '\r') && lines->depth <= 0) {
                if (c == '\r' && i < len && text[i] == '\n') i++;
                lines->fresh = lines->newline = true;
                break;
            }
        }
    }
    lines->at = i;
}

bool python_docstring(struct python_lines *lines, const char *text, size_t at, size_t len)
{
    while (lines->at <= at) {
        size_t column, i;

        if (!lines->fresh) {
            if (lines->at == at) return false;              /* inside brackets, or continued */
            read_logical(lines, text, at, len);
            continue;
        }
        i = measure(lines, text, len, &column);
        if (i >= at) return i == at && (column > lines->column || (column == lines->column && lines->newline));
        if (text[i] == '#' || text[i] == '\n' || text[i] == '\r') {
            while (i < len && text[i] != '\n' && text[i] != '\r')
                i++;
            if (i + 1 < len && text[i] == '\r' && text[i + 1] == '\n') i++;
            lines->at = i + 1;
            /* the NL of a line without code comes between, but at the start of a text all of them are such */
            lines->newline = !lines->code;
            continue;
        }
        lines->column = column;
        lines->code = true;
        lines->at = i;
        lines->fresh = false;
    }
    return false;
}
