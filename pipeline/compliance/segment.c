/* compliance/segment.c -- see segment.h. */
#include "compliance/segment.h"

#include "code/lexing.h"

#include <errno.h>
#include <stdlib.h>

struct cutter {
    struct segments        *segments;
    const struct lexer     *lexer;
    struct slice            text;
    const uint32_t         *line;                           /* [lines + 1] where each begins; the last is the end */
    size_t                  lines;
};

/* ---- lines ---- */

static int lines_make(struct cutter *c)
{
    struct bytes *lines = &c->segments->lines;
    uint32_t      at = 0;

    lines->len = 0;
    do {
        const char *end = at < c->text.len ? memchr(c->text.at + at, '\n', c->text.len - at) : NULL;

        if (bytes_append(lines, &at, sizeof at) < 0) return -ENOMEM;
        at = end ? (uint32_t)(end - c->text.at) + 1 : (uint32_t)c->text.len;
    } while (at < c->text.len);
    if (bytes_append(lines, &at, sizeof at) < 0) return -ENOMEM;
    c->line = (const uint32_t *)(const void *)lines->at;
    c->lines = lines->len / sizeof at - 1;
    return 0;
}

/* The line that a byte is in, from 0. */
static size_t line_of(const struct cutter *c, uint32_t byte)
{
    size_t low = 0, high = c->lines;

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;

        if (c->line[middle] <= byte) low = middle;
        else high = middle;
    }
    return low;
}

/* Lines [first, end) as they stand. */
static struct slice lines_at(const struct cutter *c, size_t first, size_t end)
{
    if (end > c->lines) end = c->lines;
    if (first >= end) return (struct slice){ "", 0 };
    return (struct slice){ c->text.at + c->line[first], c->line[end] - c->line[first] };
}

static struct slice token_slice(const struct cutter *c, size_t i)
{
    return (struct slice){ c->text.at + c->lexer->token[i].at, c->lexer->token[i].len };
}

/* ---- how deep a line is in the syntax tree ---- */

struct block { uint32_t column, depth, base; };             /* base: of the statement that it is a part of */

/* Of a line that begins with this word, below `around`; before: the block at the same column right before it, which an
 * elif is inside of, and what handles exceptions is a part of. */
static struct block block_of(struct slice word, uint32_t column, const struct block *around, const struct block *before)
{
    struct block block = { .column = column, .depth = around ? around->depth + 1 : 1 };

    block.base = block.depth;
    if (before && slice_equal(word, SLICE("elif"))) block.depth = block.base = before->base + 1;
    if (before && slice_equal(word, SLICE("else"))) block.depth = block.base = before->base;
    if (before && slice_equal(word, SLICE("finally"))) block.depth = block.base = before->base;
    if (before && slice_equal(word, SLICE("except"))) {
        block.base = before->base;
        block.depth = before->base + 1;
    }
    return block;
}

/* Depths of the functions' lines: segments->at is by where they begin. */
static int depths_make(struct cutter *c, const struct functions *functions)
{
    struct bytes *stack = &c->segments->blocks;
    int           brackets = 0;
    size_t        next = 0, known_line = SIZE_MAX;

    stack->len = 0;
    for (size_t i = 0; i < c->lexer->count && next < functions->count; i++) {
        const struct slice word = token_slice(c, i);
        const size_t       line = line_of(c, c->lexer->token[i].at);

        if (!brackets && line != known_line) {
            const uint32_t column = c->lexer->token[i].at - c->line[line];
            struct block   before, block, *top = NULL;
            bool           sibling = false;

            while (stack->len) {
                top = (struct block *)(void *)(stack->at + stack->len - sizeof *top);
                if (top->column < column) break;
                sibling = top->column == column;
                before = *top;
                stack->len -= sizeof *top;
                top = NULL;
            }
            block = block_of(word, column, top, sibling ? &before : NULL);
            if (bytes_append(stack, &block, sizeof block) < 0) return -ENOMEM;
            known_line = line;
        }
        while (next < functions->count && functions->at[next].at <= c->lexer->token[i].at)
            c->segments->at[next++].depth = ((struct block *)(void *)(stack->at + stack->len) - 1)->depth;
        if (word.len == 1 && strchr("([{", *word.at)) brackets++;
        if (word.len == 1 && strchr(")]}", *word.at) && brackets) brackets--;
        known_line = brackets ? known_line : line;
    }
    return 0;
}

/* ---- where nodes begin ---- */

static bool is_operand(const struct cutter *c, size_t i)
{
    const struct slice word = token_slice(c, i);

    return c->lexer->token[i].kind != TOKEN_OPERATOR || (word.len == 1 && strchr(")]}", *word.at));
}

/* Does a node of the syntax tree begin with this token?  Not with an attribute's name, the second of two strings side
 * by side, operators between operands, brackets but empty ones that are a value. */
static bool begins_node(const struct cutter *c, size_t first, size_t i)
{
    const struct slice word = token_slice(c, i);
    const unsigned     kind = c->lexer->token[i].kind;
    const bool         string = kind == TOKEN_STRING || kind == TOKEN_PREFIXED;

    if (kind == TOKEN_NAME) return i == first || !slice_equal(token_slice(c, i - 1), SLICE("."));
    if (string)
        return i == first ||
            (c->lexer->token[i - 1].kind != TOKEN_STRING && c->lexer->token[i - 1].kind != TOKEN_PREFIXED);
    if (kind == TOKEN_NUMBER) return true;
    if (slice_equal(word, SLICE("..."))) return true;
    return word.len == 1 && strchr("([{", *word.at) && (i == first || !is_operand(c, i - 1));
}

/* The last line of a function's in which a node begins. */
static size_t last_node_line(const struct cutter *c, const struct function *function)
{
    for (size_t i = function->token_end; i > function->token; i--)
        if (begins_node(c, function->token, i - 1)) return line_of(c, c->lexer->token[i - 1].at);
    return line_of(c, function->at);
}

/* Line feeds in the value of a string: those that are written, but behind a backslash, and \n. */
static size_t value_lines(struct slice string)
{
    size_t lines = 0;
    bool   raw = false;

    for (; string.len && *string.at != '"' && *string.at != '\''; string.at++, string.len--)
        raw |= *string.at == 'r' || *string.at == 'R';
    for (size_t i = 0; i < string.len; i++) {
        const bool escape = !raw && string.at[i] == '\\' && i + 1 < string.len;

        lines += escape ? string.at[i + 1] == 'n' : string.at[i] == '\n';
        i += escape;
    }
    return lines;
}

/* ---- by text ---- */

enum { HEAD_MOST = 4096 };                                  /* bytes that are looked at for a head's colon */

/* The first place from `at` on where a line begins with `def `, or the text's end. */
static size_t margin_def(struct slice text, size_t at)
{
    const char *found = at < text.len ? memmem(text.at + at, text.len - at, "\ndef ", 5) : NULL;

    return found ? (size_t)(found - text.at) + 1 : text.len;
}

/* Behind the first colon from `at` on that no bracket is around, as long as it comes before the next function; 0. */
static size_t colon_behind(struct slice text, size_t at)
{
    const struct slice near = { text.at, text.len - at > HEAD_MOST ? at + HEAD_MOST : text.len };
    const size_t       end = margin_def(near, at);
    size_t             depth = 0;

    for (; at < end; at++) {
        const char c = text.at[at];

        if (c == '(' || c == '[' || c == '{') depth++;
        if ((c == ')' || c == ']' || c == '}') && depth) depth--;
        if (c == ':' && !depth) return at + 1;
    }
    return 0;
}

static size_t blanks_behind(struct slice text, size_t at)
{
    while (at < text.len && (text.at[at] == ' ' || text.at[at] == '\t')) at++;
    return at;
}

static bool word_at(struct slice text, size_t at, struct slice word)
{
    return text.len - at > word.len && memcmp(text.at + at, word.at, word.len) == 0 &&
        (text.at[at + word.len] == ' ' || text.at[at + word.len] == '\t');
}

/* Does a function begin in the line at `at`?  Then *out is it, but for its end and its tokens. */
static bool head_at(struct slice text, size_t at, struct function *out)
{
    const size_t first = blanks_behind(text, at),
                 def = word_at(text, first, SLICE("async")) ? blanks_behind(text, first + 5) : first,
                 name = word_at(text, def, SLICE("def")) ? blanks_behind(text, def + 3) : text.len;
    size_t       end = name, body;

    while (end < text.len && (is_word(text.at[end]) || (unsigned char)text.at[end] >= 0x80)) end++;
    body = end > name ? colon_behind(text, end) : 0;
    *out = (struct function){ .at = (uint32_t)first, .name_at = (uint32_t)name, .name_end = (uint32_t)end,
                              .body = (uint32_t)body, .outer = FUNCTION_NONE };
    return body > 0;
}

/* A string in triple quotes from `at` on, with the letters before it, and nothing but white space in between. */
static struct span docstring_by_text(struct slice text, size_t at)
{
    const struct span none = { 0, 0 };
    size_t            quotes;
    const char       *end;

    while (at < text.len && text.at[at] && strchr(" \t\r\n\f", text.at[at])) at++;
    for (quotes = at; quotes < text.len && quotes < at + 2; quotes++)
        if (!text.at[quotes] || !strchr("rRuU", text.at[quotes])) break;
    if (text.len - quotes < 6) return none;
    if (memcmp(text.at + quotes, "\"\"\"", 3) != 0 && memcmp(text.at + quotes, "'''", 3) != 0) return none;
    end = memmem(text.at + quotes + 3, text.len - quotes - 3, text.at + quotes, 3);
    return end ? (struct span){ (uint32_t)at, (uint32_t)(end - text.at) + 3 } : none;
}

int segments_find_text(struct functions *functions, const struct lexer *lexer, struct slice text, struct err *err)
{
    struct function function;
    uint32_t        token = 0;

    functions->count = 0;
    for (size_t at = 0, next; at < text.len; at = next) {
        const char *line_end = memchr(text.at + at, '\n', text.len - at);
        struct span doc;

        next = line_end ? (size_t)(line_end - text.at) + 1 : text.len;
        if (!head_at(text, at, &function)) continue;
        doc = docstring_by_text(text, function.body);
        next = margin_def(text, (doc.end > doc.at ? doc.end : function.body) - 1);
        function.end = (uint32_t)next;
        while (token < lexer->count && lexer->token[token].at < function.at) token++;
        function.token = token;
        while (token < lexer->count && lexer->token[token].at < function.end) token++;
        function.token_end = token;
        if (ARRAY_GROW(functions->at, functions->room, functions->count) < 0)
            return err_memory(err, functions->count * sizeof function, "functions");
        functions->at[functions->count++] = function;
    }
    return 0;
}

/* ---- the functions ---- */

static int breadth_first(const void *a, const void *b)
{
    const struct segment *x = a, *y = b;

    if (x->depth != y->depth) return x->depth < y->depth ? -1 : 1;
    return (x->function > y->function) - (x->function < y->function);
}

/* The last three, whole lines each, which begin with these; the head begins with the function. */
static void segment_lines(const struct cutter *c, const struct function *function, size_t docstring, size_t body,
                          size_t end, struct segment *out)
{
    out->signature = lines_at(c, line_of(c, function->at), docstring);
    out->docstring = lines_at(c, docstring, body);
    out->body = lines_at(c, body, end);
}

static void segment_cut_text(const struct cutter *c, const struct function *function, struct segment *out)
{
    const struct span doc = docstring_by_text(c->text, function->body);
    const size_t      head_end = line_of(c, function->body - 1) + 1;

    out->documented = doc.end > doc.at;
    out->depth = c->line[line_of(c, function->at)] == function->at ? 1 : 2;
    segment_lines(c, function, head_end, out->documented ? line_of(c, doc.end - 1) + 1 : head_end,
                  line_of(c, function->end - 1) + 1, out);
}

static void segment_cut(const struct cutter *c, const struct function *function, const struct measure *m,
                        struct segment *out, bool published)
{
    const bool   has = m->docstring.end > m->docstring.at;
    const size_t head = line_of(c, function->at),
                 head_end = (published ? head : line_of(c, m->signature_end ? m->signature_end - 1 : 0)) + 1,
                 end = (published ? last_node_line(c, function) : line_of(c, function->end - (function->end > 0))) + 1;
    size_t       doc_end = head_end;

    if (has) {
        const struct slice doc = { c->text.at + m->docstring.at, m->docstring.end - m->docstring.at };

        doc_end = (published ? line_of(c, m->docstring.at) + value_lines(doc) : line_of(c, m->docstring.end - 1)) + 1;
        if (doc_end < head_end) doc_end = head_end;
    }
    out->documented = has;
    segment_lines(c, function, head_end, doc_end, end, out);
}

int segments_take(struct segments *segments, const struct lexer *lexer, const struct functions *functions,
                  const struct measures *measures, struct slice text, enum segment_how how, struct err *err)
{
    struct cutter c = { .segments = segments, .lexer = lexer, .text = text };

    segments->count = 0;
    segments->header = text;
    if (lines_make(&c) < 0) return err_memory(err, text.len, "lines");
    for (size_t i = 0; i < functions->count; i++) {
        if (ARRAY_GROW(segments->at, segments->room, segments->count) < 0)
            return err_memory(err, segments->count * sizeof *segments->at, "functions");
        segments->at[segments->count++] = (struct segment){ .function = i };
    }
    if (!segments->count) return 0;
    if (how != SEGMENT_BY_TEXT && depths_make(&c, functions) < 0) return err_memory(err, text.len, "blocks");
    for (size_t i = 0; i < segments->count; i++)
        if (how == SEGMENT_BY_TEXT) segment_cut_text(&c, &functions->at[i], &segments->at[i]);
        else segment_cut(&c, &functions->at[i], &measures->at[i], &segments->at[i], how == SEGMENT_PUBLISHED);
    qsort(segments->at, segments->count, sizeof *segments->at, breadth_first);
    segments->header = lines_at(&c, 0, line_of(&c, functions->at[segments->at[0].function].at));
    return 0;
}

void segments_free(struct segments *segments)
{
    free(segments->at);
    bytes_free(&segments->blocks);
    bytes_free(&segments->lines);
    *segments = (struct segments){ 0 };
}
