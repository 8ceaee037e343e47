/* code/docstring.c -- see docstring.h.
 *
 * 1. Where it is   2. What it says */
#include "code/docstring.h"
#include "code/functions.h"
#include "code/lexing.h"

/* ---- 1. Where it is ---- */

static uint32_t comment_end(const struct token *comment) { return comment->at + comment->len; }

/* The first of `count` tokens that begins at `at` or behind it. */
static size_t first_from(const struct token *token, size_t count, size_t at)
{
    size_t low = 0;

    while (low < count) {
        const size_t middle = low + (count - low) / 2;

        if (token[middle].at < at) low = middle + 1;
        else count = middle;
    }
    return low;
}

/* How many lines end in [from, to) if that is white space, else SIZE_MAX. */
static size_t lines_between(struct slice text, size_t from, size_t to)
{
    size_t lines = 0;

    for (size_t i = from; i < to; i++) {
        if (!strchr(" \t\f\r\n\v", text.at[i]) || !text.at[i]) return SIZE_MAX;
        lines += text.at[i] == '\n' || (text.at[i] == '\r' && !(i + 1 < to && text.at[i + 1] == '\n'));
    }
    return lines;
}

static bool begins_line(struct slice text, size_t at)
{
    while (at && is_blank(text.at[at - 1])) at--;
    return at == 0 || text.at[at - 1] == '\n' || text.at[at - 1] == '\r';
}

/* Is a string of this spelling a text, and not bytes or code? */
static bool is_text(struct slice string)
{
    for (size_t i = 0; i < string.len && string.at[i] != '"' && string.at[i] != '\''; i++)
        if (!strchr("rRuU", string.at[i])) return false;
    return true;
}

/* Nothing of the statement is behind the string that ends at `end`: the next token is on another line. */
static bool ends_statement(const struct lexer *lexer, struct slice text, size_t end, size_t next)
{
    size_t i = end, to = next < lexer->count ? lexer->token[next].at : text.len;

    if (next < lexer->count && lexer->token[next].len == 1 && text.at[to] == ';') return true;
    for (; i < to && text.at[i] != '#' && text.at[i] != '\n' && text.at[i] != '\r'; i++)
        if (text.at[i] == '\\') return false;
    return i < to || to == text.len;
}

static struct span of_body(const struct lexer *lexer, const struct function *function, struct slice text)
{
    const size_t next = first_from(lexer->token, lexer->count, function->body);
    const size_t code = next < lexer->count ? lexer->token[next].at : text.len;
    size_t       c = first_from(lexer->comment, lexer->comment_count, function->body);

    while (c < lexer->comment_count && lexer->comment[c].kind == TOKEN_COMMENT && lexer->comment[c].at < code) c++;
    if (c < lexer->comment_count && lexer->comment[c].kind == TOKEN_STRING && lexer->comment[c].at < code) {
        const struct token *string = &lexer->comment[c];

        if (string->at < function->end && is_text((struct slice){ text.at + string->at, string->len }) &&
            ends_statement(lexer, text, comment_end(string), next))
            return (struct span){ string->at, comment_end(string) };
        return (struct span){ 0, 0 };
    }
    if (next < lexer->count && code < function->end &&      /* def f(): "on the head's line" */
        (lexer->token[next].kind == TOKEN_STRING || lexer->token[next].kind == TOKEN_PREFIXED) &&
        is_text((struct slice){ text.at + code, lexer->token[next].len }) &&
        ends_statement(lexer, text, code + lexer->token[next].len, next + 1))
        return (struct span){ (uint32_t)code, (uint32_t)(code + lexer->token[next].len) };
    return (struct span){ 0, 0 };
}

/* The token at which the attributes before the function begin of which the finder knows nothing: #[a] and [a],
 * template <...>, and JavaScript's export. */
static uint32_t before_attributes(const struct lexer *lexer, const struct function *function, struct slice text)
{
    const struct finding f = { .token = lexer->token, .count = (uint32_t)lexer->count, .text = text };
    uint32_t             begin = function->token;

    while (begin && (token_is(&f, begin - 1, "export") || token_is(&f, begin - 1, "default"))) begin--;
    while (begin > 1 && (token_is_mark(&f, begin - 1, "]") || token_is_mark(&f, begin - 1, ">"))) {
        const bool square = token_is_mark(&f, begin - 1, "]");
        uint32_t   t = begin - 1, depth = 0;

        for (; t > 0 && begin - t < HEAD_MOST; t--) {
            if (square) {
                depth += token_is_mark(&f, t, "]");
                if ((token_is_mark(&f, t, "[") && --depth == 0) || token_is_mark(&f, t, ";{}")) break;
            } else if (token_is_mark(&f, t, ";{}") || token_is(&f, t, "template")) break;
        }
        if (square ? !token_is_mark(&f, t, "[") : !token_is(&f, t, "template")) break;
        if (square && t && token_is_mark(&f, t - 1, "#")) t--;
        if (!begins_line(text, lexer->token[t].at)) break;
        begin = t;
    }
    return begin;
}

static bool is_line_comment(struct slice comment)
{
    return comment.len && !memchr(comment.at, '\n', comment.len) && comment.at[0] != '=' &&
        !(comment.len > 1 && comment.at[0] == '/' && comment.at[1] == '*') &&
        !(comment.len > 1 && comment.at[0] == '#' && comment.at[1] == '=');
}

static bool opens_as_documentation(struct slice comment)
{
    return comment.len > 3 && comment.at[0] == '/' && comment.at[1] == '*' && (comment.at[2] == '*' ||
                                                                              comment.at[2] == '!') &&
        comment.at[3] != '/';
}

/* Of what begins at the token. */
static struct span of_comment(const struct lexer *lexer, uint32_t token, struct slice text)
{
    const struct token *all = lexer->comment;
    const size_t        before = lexer->token[token].at, next = first_from(all, lexer->comment_count, before);
    size_t              first = next, lines;
    struct slice        comment;
    bool                documents;

    /* code between them is seen at its end: one comment may be the last before very many functions */
    if (!next || (token && lexer->token[token - 1].at > all[next - 1].at)) return (struct span){ 0, 0 };
    first--;
    comment = (struct slice){ text.at + all[first].at, all[first].len };
    documents = opens_as_documentation(comment);
    lines = lines_between(text, comment_end(&all[first]), before);
    if (lines == SIZE_MAX || (!documents && (lines > 1 || !begins_line(text, all[first].at))) ||
        (comment.len > 1 && comment.at[0] == '#' && comment.at[1] == '!')) return (struct span){ 0, 0 };
    while (first && is_line_comment((struct slice){ text.at + all[first].at, all[first].len }) &&
           is_line_comment((struct slice){ text.at + all[first - 1].at, all[first - 1].len }) &&
           lines_between(text, comment_end(&all[first - 1]), all[first].at) == 1 &&
           begins_line(text, all[first - 1].at) && memcmp(text.at + all[first - 1].at, "#!", 2) != 0) first--;
    return (struct span){ all[first].at, comment_end(&all[next - 1]) };
}

struct span docstring_of(const struct language *language, const struct lexer *lexer, const struct function *function,
                         struct slice text)
{
    const struct token *string;

    if (language->functions == FUNCTIONS_INDENTED) return of_body(lexer, function, text);
    if (language->functions == FUNCTIONS_JULIA && function->token) {
        string = &lexer->token[function->token - 1];
        if (string->kind == TOKEN_STRING && begins_line(text, string->at) &&
            lines_between(text, string->at + string->len, function->at) == 1)
            return (struct span){ string->at, string->at + string->len };
    }
    return of_comment(lexer, before_attributes(lexer, function, text), text);
}

/* ---- 2. What it says ---- */

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f'; }

static bool starts(struct slice line, const char *mark)
{
    return line.len >= strlen(mark) && memcmp(line.at, mark, strlen(mark)) == 0;
}

static struct slice cut(struct slice s, size_t begin, size_t end)
{
    return (struct slice){ s.at + begin, s.len - begin - end };
}

/* Without prefix and quotes. */
static struct slice unquoted(struct slice s)
{
    size_t count, prefix = 0;
    char   quote;

    while (prefix < s.len && s.at[prefix] != '"' && s.at[prefix] != '\'') prefix++;
    s = cut(s, prefix, 0);
    if (!s.len) return s;
    quote = s.at[0];
    count = s.len > 2 && s.at[1] == quote && s.at[2] == quote ? 3 : 1;
    s = cut(s, count, 0);
    for (; count && s.len && s.at[s.len - 1] == quote; count--) s.len--;
    return s;
}

/* A comment's line without the marks that it begins and ends with. */
static struct slice unmarked(struct slice line)
{
    size_t i = 0;

    while (i < line.len && blank(line.at[i])) i++;
    line = cut(line, i, 0);
    if (starts(line, "/*")) line = cut(line, 1, 0);
    if (starts(line, "//")) {
        line = cut(line, 2, 0);
        while (line.len && char_in(line.at[0], "/!<")) line = cut(line, 1, 0);
    } else if (starts(line, "--")) {
        while (line.len && line.at[0] == '-') line = cut(line, 1, 0);
        if (starts(line, "[[")) line = cut(line, 2, 0);
    } else if (starts(line, "#")) {
        while (line.len && line.at[0] == '#') line = cut(line, 1, 0);
        if (line.len && char_in(line.at[0], "'=")) line = cut(line, 1, 0);
    } else if (line.len && line.at[0] == '*') {
        while (line.len && line.at[0] == '*') line = cut(line, 1, 0);
        if (starts(line, "!")) line = cut(line, 1, 0);
        if (starts(line, "/")) line = cut(line, 1, 0);
    }
    while (line.len && blank(line.at[line.len - 1])) line.len--;
    if (line.len > 1 && line.at[line.len - 1] == '/' && line.at[line.len - 2] == '*') {
        line.len--;
        while (line.len && line.at[line.len - 1] == '*') line.len--;
    } else if (line.len > 1 && (memcmp(line.at + line.len - 2, "]]", 2) == 0 ||
                                memcmp(line.at + line.len - 2, "=#", 2) == 0)) line.len -= 2;
    while (line.len && blank(line.at[line.len - 1])) line.len--;
    return line;
}

/* =pod, =begin, =cut: lines that are marks themselves. */
static bool is_mark(struct slice line)
{
    return line.len > 1 && line.at[0] == '=' && line.at[1] >= 'a' && line.at[1] <= 'z';
}

static bool line_take(struct slice text, size_t *at, struct slice *line)
{
    const size_t from = *at;
    size_t       end = from;

    if (from > text.len) return false;
    while (end < text.len && text.at[end] != '\n' && text.at[end] != '\r') end++;
    *line = (struct slice){ text.at + from, end - from };
    *at = end + 1 + (end + 1 < text.len && text.at[end] == '\r' && text.at[end + 1] == '\n');
    return true;
}

static size_t indent_of(struct slice line)
{
    size_t i = 0;

    while (i < line.len && blank(line.at[i])) i++;
    return i == line.len ? SIZE_MAX : i;
}

int docstring_text(struct bytes *out, const struct language *language, struct slice docstring)
{
    const bool   string = docstring.len && (docstring.at[0] == '"' || docstring.at[0] == '\'' ||
                                            language->functions == FUNCTIONS_INDENTED);
    /* behind the mark that opens all of it the first line's indentation tells nothing */
    const bool   opened = string || starts(docstring, "/*") || starts(docstring, "--[[") || starts(docstring, "#=");
    const size_t begin = out->len;
    size_t       common = SIZE_MAX, at = 0, indent;
    struct slice line;

    if (string) docstring = unquoted(docstring);
    for (bool first = true; line_take(docstring, &at, &line); first = false) {
        if (!string) line = unmarked(line);
        indent = opened && first ? SIZE_MAX : indent_of(line);
        if (indent < common && !(!string && is_mark(line))) common = indent;
    }
    at = 0;
    for (bool first = true; line_take(docstring, &at, &line); first = false) {
        if (!string) line = unmarked(line);
        if (!string && is_mark(line)) continue;
        indent = indent_of(line);
        if (indent == SIZE_MAX) line.len = 0;
        else line = cut(line, (opened && first) || indent < common ? indent : common, 0);
        while (line.len && blank(line.at[line.len - 1])) line.len--;
        if (!line.len && out->len == begin) continue;
        if (bytes_append_slice(out, line) < 0 || bytes_append(out, "\n", 1) < 0) return -ENOMEM;
    }
    while (out->len > begin && (out->at[out->len - 1] == '\n' || blank(out->at[out->len - 1]))) out->len--;
    return 0;
}

struct slice docstring_summary(struct slice said)
{
    struct slice line, summary = { said.at, 0 };
    size_t       at = 0;

    while (line_take(said, &at, &line)) {
        const size_t indent = indent_of(line);

        if (indent == SIZE_MAX || line.at[indent] == '@') break;
        summary.len = (size_t)(line.at + line.len - said.at);
    }
    return summary;
}

size_t docstring_words(struct slice said)
{
    size_t words = 0;

    for (size_t i = 0; i < said.len; i++) words += is_word(said.at[i]) && !(i && is_word(said.at[i - 1]));
    return words;
}
