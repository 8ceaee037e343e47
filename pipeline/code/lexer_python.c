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

/* ---- by the tokens before ---- */

enum { TOLD_MOST = 64 };                                    /* tokens looked at */

/* White space that reading takes for such: of other controls it is code. */
static bool is_plain_space(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\n'; }

/* Line ends in text[from..to), or -1 where one may be continued, may not be one, or may be of a line that is none to
 * the tokens; *line: behind the last. */
static ptrdiff_t lines_between(const char *text, size_t from, size_t to, size_t *line)
{
    ptrdiff_t lines = 0;

    for (size_t i = from; i < to; i++) {
        if (text[i] == '\\' || ((unsigned char)text[i] < ' ' && !is_plain_space(text[i]))) return -1;
        if (text[i] != '\n') continue;
        lines++;
        *line = i + 1;
    }
    return lines;
}

/* Columns that the blanks from `line` to `at` are, or SIZE_MAX: there are others than spaces. */
static size_t spaces_before(const char *text, size_t line, size_t at)
{
    return spaces_end(text, line, at) == at ? at - line : SIZE_MAX;
}

/* Goes back to the first token of the logical line before. */
int python_docstring_told(const char *text, size_t docstring_end, const struct token *token, size_t count,
                          size_t floor, size_t at, ptrdiff_t depth)
{
    size_t    line = 0, column, before, end;
    ptrdiff_t lines;

    if (!count) return -1;
    end = token[count - 1].at + token[count - 1].len;       /* of the code before: comments may stand behind it */
    if (docstring_end > end) return -1;                     /* nor would what is behind it be read once alone */
    for (size_t i = floor; i < at; i++) {
        if (char_in(text[i], "\\#\"'")) return -1;         /* what is no operator, or may be none */
        if (is_plain_space(text[i])) continue;
        if (lines_between(text, end, i, &line) != 0) return -1;             /* a line that begins with an operator */
        depth -= char_in(text[i], "([{") - char_in(text[i], ")]}");
        end = i + 1;
    }
    if ((lines = lines_between(text, end, at, &line)) <= 0) return -1;
    if ((column = spaces_before(text, line, at)) == SIZE_MAX) return -1;
    for (size_t looked = 0; count > 0 && looked < TOLD_MOST; looked++) {
        const struct token *t = &token[--count];
        const size_t        from = count ? (size_t)token[count - 1].at + token[count - 1].len : 0;
        size_t              start = 0;
        ptrdiff_t           ends;

        if (t->kind == TOKEN_PREFIXED || (t->kind == TOKEN_STRING && !char_in(text[t->at], "\"'"))) return -1;
        if (t->kind >= TOKEN_OPERATOR && t->len == 1)
            depth -= char_in(text[t->at], "([{") - char_in(text[t->at], ")]}");
        if (!count || docstring_end > from) return -1;
        if ((unsigned char)text[t->at - 1] > ' ') continue;
        ends = lines_between(text, from, t->at, &start);
        if (ends < 0) return -1;
        if (ends == 0 || depth > 0) continue;
        before = spaces_before(text, start, t->at);
        if (before == SIZE_MAX) return -1;
        return column > before || (column == before && lines == 1);
    }
    return -1;
}

/* ---- by reading on ---- */

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

bool python_in_step(const char *text, size_t at, size_t end, size_t len)
{
    size_t count;

    while (at < end && is_word(text[at])) at++;             /* its prefix */
    if (at == end || !char_in(text[at], "\"'")) return false;
    count = at + 2 < len && text[at + 1] == text[at] && text[at + 2] == text[at] ? 3 : 1;
    return string_end(text, at + count, len, text[at], count, FORM_ESCAPES | (count == 3 ? FORM_LINES : 0)) == end;
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
