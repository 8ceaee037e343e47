/* generate/prompt.c -- where a text is cut so that a model goes on with it; see generate.h.
 *
 * Python's functions are found by what its tokenizer knows: strings, brackets, comments, continued lines, indentation.
 * A definition's depth is that of the statements around it, as in the syntax tree (the statements of an except are one
 * deeper than those of its try, an elif is within the if before it), so that the first in breadth-first order is the
 * first of the least depth. */
#include "generate/generate.h"

#include <errno.h>
#include <stdlib.h>

enum { PROMPT_PIECES = 220, PROMPT_DEPTH = 100, PROMPT_BRACKETS = 200 };     /* the last two are the tokenizer's own */

/* One logical line: where it begins after its white space, where the one after it does, and whether it opens a block.
 */
struct logical { size_t at, indent, next; bool opens; };

static bool in_name(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
        (unsigned char)c >= 0x80;
}

/* Past the line end at `at`, LF or CRLF; where there is none, `at`. */
static size_t line_end(struct slice text, size_t at)
{
    if (at + 1 < text.len && text.at[at] == '\r' && text.at[at + 1] == '\n') return at + 2;
    return at < text.len && text.at[at] == '\n' ? at + 1 : at;
}

/* Past a string literal that begins at `at` with a quote; SIZE_MAX when it does not end. */
static size_t string_end(struct slice text, size_t at)
{
    const char quote = text.at[at];
    const bool triple = at + 2 < text.len && text.at[at + 1] == quote && text.at[at + 2] == quote;

    for (at += triple ? 3 : 1; at < text.len; at++) {
        if (text.at[at] == '\\') at = line_end(text, at + 1) > at + 1 ? line_end(text, at + 1) - 1 : at + 1;
        else if (!triple && text.at[at] == '\n') return SIZE_MAX;
        else if (text.at[at] == quote && !triple) return at + 1;
        else if (text.at[at] == quote && at + 2 < text.len && text.at[at + 1] == quote && text.at[at + 2] == quote)
            return at + 3;
    }
    return SIZE_MAX;
}

static size_t comment_end(struct slice text, size_t at)
{
    while (at < text.len && text.at[at] != '\n') at++;
    return at;
}

/* Past blank lines and comments: to where the next logical line begins, *indent columns from the left.  False at the
 * end. */
static bool logical_begin(struct slice text, size_t *at, size_t *indent)
{
    for (*indent = 0; *at < text.len; ++*at) {
        switch (text.at[*at]) {
        case ' ':  ++*indent; break;
        case '\t': *indent = *indent / 8 * 8 + 8; break;
        case '\f': case '\r': case '\n': *indent = 0; break;
        case '#':  *at = comment_end(text, *at) - 1; break;
        default:   return true;
        }
    }
    return false;
}

/* The next logical line from `at`, which begins a line.  1; 0 at the end; -EBADMSG when the text is no Python. */
static int logical_next(struct slice text, size_t at, struct logical *out)
{
    char   open[PROMPT_BRACKETS];                           /* what closes those that are open */
    size_t depth = 0;

    if (!logical_begin(text, &at, &out->indent)) return 0;
    out->at = at;
    out->opens = false;
    while (at < text.len && (text.at[at] != '\n' || depth)) {
        const char c = text.at[at];

        if (c != ' ' && c != '\t' && c != '\r' && c != '#') out->opens = c == ':' && !depth;
        switch (c) {
        case '"': case '\'':
            at = string_end(text, at);
            if (at == SIZE_MAX) return -EBADMSG;
            continue;
        case '#':
            at = comment_end(text, at);
            continue;
        case '(': case '[': case '{':
            if (depth == PROMPT_BRACKETS) return -EBADMSG;
            open[depth++] = c == '(' ? ')' : (char)(c + 2);
            break;
        case ')': case ']': case '}':
            if (depth == 0 || open[--depth] != c) return -EBADMSG;
            break;
        case '\\':
            if (line_end(text, at + 1) == at + 1) return -EBADMSG;
            at = line_end(text, at + 1);
            continue;
        case '$': case '?': case '`': case '\0': return -EBADMSG;
        default: break;
        }
        at++;
    }
    out->next = at < text.len ? at + 1 : text.len;
    return depth ? -EBADMSG : 1;
}

/* Whether the line's first word is this one; *after: past it and the white space behind it. */
static bool begins_with(struct slice text, size_t at, const char *word, size_t *after)
{
    size_t len = strlen(word);

    if (text.len - at < len || memcmp(text.at + at, word, len) != 0 ||
        (at + len < text.len && in_name(text.at[at + len])))
        return false;
    for (at += len; at < text.len && (text.at[at] == ' ' || text.at[at] == '\t'); at++) continue;
    *after = at;
    return true;
}

static bool is_definition(struct slice text, size_t at)
{
    size_t after;

    return begins_with(text, at, "def", &after) || (begins_with(text, at, "async", &after) &&
                                                    begins_with(text, after, "def", &after));
}

/* Past the colon that ends a definition's head, at which its body may begin in the same line; SIZE_MAX: there is none.
 */
static size_t head_end(struct slice text, const struct logical *line)
{
    size_t depth = 0;

    for (size_t at = line->at; at < line->next; at++) {
        char c = text.at[at];

        if (c == '"' || c == '\'') at = string_end(text, at) - 1;
        else if (c == '#') while (at + 1 < line->next && text.at[at + 1] != '\n') at++;
        else if (c == '(' || c == '[' || c == '{') depth++;
        else if (c == ')' || c == ']' || c == '}') depth--;
        else if (c == ':' && depth == 0) return at + 1;
    }
    return SIZE_MAX;
}

static size_t line_begin(struct slice text, size_t at)
{
    while (at && text.at[at - 1] != '\n') at--;
    return at;
}

/* Where the first statement of a definition's body begins.  0 or -EBADMSG. */
static int definition_body(struct slice text, const struct logical *line, size_t *out)
{
    size_t         at = head_end(text, line), skip;
    struct logical first;

    if (at == SIZE_MAX) return -EBADMSG;
    for (; at < line->next; at = skip) {
        for (skip = at; skip < line->next && (text.at[skip] == ' ' || text.at[skip] == '\t'); skip++) continue;
        if (skip < line->next && text.at[skip] == '\\') skip = line_end(text, skip + 1);
        if (skip == at) break;
    }
    *out = at;
    /* in the same logical line */
    if (at < line->next && text.at[at] != '\n' && text.at[at] != '\r' && text.at[at] != '#') return 0;
    if (logical_next(text, line->next, &first) != 1 || first.indent <= line->indent) return -EBADMSG;
    while (text.at[first.at] == '@')                        /* a decorated definition's line is that of its def */
        if (logical_next(text, first.next, &first) != 1) return -EBADMSG;
    *out = first.at;
    return 0;
}

/* Where the prompt of a definition ends: before the line of its body's first statement, but behind it when it begins
 * with three double quotes. */
static int definition_cut(struct slice text, const struct logical *line, size_t *out)
{
    size_t body, at;

    if (definition_body(text, line, &body) < 0) return -EBADMSG;
    *out = at = line_begin(text, body);
    while (at < body && (text.at[at] == ' ' || text.at[at] == '\t' || text.at[at] == '\f')) at++;
    if (text.len - at < 3 || memcmp(text.at + at, "\"\"\"", 3) != 0) return 0;
    *out = comment_end(text, at);
    return 0;
}

static bool few_pieces(struct slice text)
{
    size_t pieces = 1;

    for (size_t i = 0; i < text.len; i++) pieces += text.at[i] == ' ';
    return pieces <= PROMPT_PIECES;
}

/* A block that a line is in, and of its last statement: how many elifs it has had so far, and by how much its clause's
 * statements are deeper for the node that the tree has of the clause. */
struct block { size_t indent, depth, elifs, inner; };

/* The block that the line is a statement of, the last one of around[0, *open); -EBADMSG when it is indented as no line
 * may be.  opened: the line before opens one. */
static int block_enter(struct block around[PROMPT_DEPTH], size_t *open, const struct logical *line, bool opened)
{
    const struct block *outer = *open ? &around[*open - 1] : NULL;

    if (!outer || line->indent > outer->indent) {
        if ((outer ? !opened : line->indent > 0) || *open == PROMPT_DEPTH) return -EBADMSG;
        around[(*open)++] = (struct block){ .indent = line->indent, .depth = outer ? outer->depth + 1 + outer->inner
                                            : 1 };
        return 0;
    }
    if (opened) return -EBADMSG;
    while (*open && around[*open - 1].indent > line->indent) --*open;
    return *open && around[*open - 1].indent == line->indent ? 0 : -EBADMSG;
}

static void block_take(struct block *block, struct slice text, const struct logical *line)
{
    size_t after;

    if (begins_with(text, line->at, "elif", &after)) block->inner = ++block->elifs;
    else if (begins_with(text, line->at, "else", &after)) block->inner = block->elifs;
    else {
        block->elifs = 0;
        block->inner = begins_with(text, line->at, "except", &after);
    }
}

struct slice prompt_head(struct slice text)
{
    struct block   around[PROMPT_DEPTH];
    struct logical line = { 0 }, best = { 0 };
    size_t         open = 0, depth_best = SIZE_MAX, at = 0, cut;
    bool           opened = false;
    int            rc;

    for (; (rc = logical_next(text, at, &line)) == 1; at = line.next) {
        if (block_enter(around, &open, &line, opened) < 0) return (struct slice){ 0 };
        if (is_definition(text, line.at) && around[open - 1].depth < depth_best) {
            best = line;
            depth_best = around[open - 1].depth;
        }
        block_take(&around[open - 1], text, &line);
        opened = line.opens;
    }
    if (rc < 0 || opened || depth_best == SIZE_MAX || definition_cut(text, &best, &cut) < 0) return (struct slice){ 0 };
    while (cut && text.at[cut - 1] == '\n') cut--;          /* lines are joined by line feeds: the last has none */
    text.len = cut;
    return few_pieces(text) ? text : (struct slice){ 0 };
}

struct slice prompt_lines(struct slice text, uint32_t lines)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] == '\n' && --lines == 0) text.len = i;
    return text;
}
