/* code/measure.c -- see measure.h.
 *
 * Lines are looked up, not counted for each function: functions inside functions are each measured whole. */
#include "code/measure.h"

#include "code/functions.h"
#include "code/rows.h"
#include "corpus/line.h"

#include <stdlib.h>

/* ---- lines ---- */

/* Where the lines of a text begin, and how many before each are not blank. */
struct lines { const uint32_t *begin; const uint32_t *full; size_t count; };

static int add(struct bytes *out, size_t value)
{
    return bytes_append(out, &(uint32_t){ (uint32_t)value }, sizeof(uint32_t));
}

static int lines_find(struct lines *lines, struct measures *measures, struct slice text)
{
    bool     full = false;
    uint32_t count = 0;

    measures->lines.len = measures->counts.len = 0;
    if (add(&measures->lines, 0) < 0 || add(&measures->counts, 0) < 0) return -ENOMEM;
    for (size_t i = 0; i < text.len; i++) {
        full |= (unsigned char)text.at[i] > ' ';
        if (!line_ends_at(text, i)) continue;
        count += full;
        full = false;
        if (add(&measures->lines, i + 1) < 0 || add(&measures->counts, count) < 0) return -ENOMEM;
    }
    if (add(&measures->counts, count + full) < 0) return -ENOMEM;
    *lines = (struct lines){ (uint32_t *)(void *)measures->lines.at, (uint32_t *)(void *)measures->counts.at,
                             measures->lines.len / sizeof(uint32_t) };
    return 0;
}

/* From 0. */
static uint32_t line_at(const struct lines *lines, uint32_t at)
{
    size_t low = 0, high = lines->count;

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;

        if (lines->begin[middle] <= at) low = middle;
        else high = middle;
    }
    return (uint32_t)low;
}

/* ---- head and body ---- */

static bool space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* The head ends before the body's bracket, and before the mark that leads to an expression. */
static uint32_t signature_end(const struct function *function, struct slice text)
{
    uint32_t end = function->body;

    while (end > function->name_end && space(text.at[end - 1])) end--;
    return end;
}

static uint32_t body_lines(const struct lines *lines, const struct language *language,
                           const struct function *function, struct slice text)
{
    const bool ends = language->functions == FUNCTIONS_RUBY || language->functions == FUNCTIONS_LUA ||
        language->functions == FUNCTIONS_JULIA;
    uint32_t from = function->body, to = function->end, first, last;

    if (from < to && text.at[from] == '{') from++;
    if (from < to && text.at[from - (from > 0)] == '{' && text.at[to - 1] == '}') to--;
    else if (ends && to >= from + 3 && memcmp(text.at + to - 3, "end", 3) == 0) to -= 3;
    while (from < to && space(text.at[from])) from++;
    while (to > from && space(text.at[to - 1])) to--;
    if (from == to) return 0;
    first = line_at(lines, from);
    last = line_at(lines, to - 1);
    return lines->full[last + 1] - lines->full[first];
}

/* ---- comments ---- */

/* Of each function by the comments and their lines before each comment: two comments of a line are one line. */
static int comments_count(struct measures *measures, const struct lexer *lexer, const struct functions *functions,
                          const struct lines *lines)
{
    uint32_t  before = 0, last = UINT32_MAX, comments = 0;
    uint32_t *sum, *number;

    if (bytes_reserve(&measures->stack, (lexer->comment_count + 1) * 2 * sizeof *sum) < 0) return -ENOMEM;
    sum = (uint32_t *)(void *)measures->stack.at;
    number = sum + lexer->comment_count + 1;
    for (size_t c = 0; c < lexer->comment_count; c++) {
        const struct token *comment = &lexer->comment[c];
        const uint32_t      first = line_at(lines, comment->at);

        sum[c] = before;
        number[c] = comments;
        if (comment->kind != TOKEN_COMMENT) continue;
        before += line_at(lines, comment->at + comment->len - 1) - first + (first != last);
        last = line_at(lines, comment->at + comment->len - 1);
        comments++;
    }
    sum[lexer->comment_count] = before;
    number[lexer->comment_count] = comments;
    for (size_t i = 0; i < functions->count; i++) {
        size_t at[2];

        for (int side = 0; side < 2; side++) {
            const uint32_t to = side ? functions->at[i].end : functions->at[i].at;
            size_t         low = 0, high = lexer->comment_count;

            while (low < high) {
                const size_t middle = low + (high - low) / 2;

                if (lexer->comment[middle].at < to) low = middle + 1;
                else high = middle;
            }
            at[side] = low;
        }
        measures->at[i].comments = number[at[1]] - number[at[0]];
        measures->at[i].comment_lines = sum[at[1]] - sum[at[0]];
    }
    return 0;
}

/* ---- complexity ---- */

/* One walk over the tokens with the functions that are open. */
static int conditions_count(struct measures *measures, const struct finding *f)
{
    const struct functions *functions = f->functions;
    struct bytes           *stack = &measures->stack;
    struct conditions       conditions;
    size_t                  next = 0;

    stack->len = 0;
    conditions_begin(&conditions, f);
    for (uint32_t t = 0; t < f->count; t++) {
        const int more = condition_of(&conditions, t);
        uint32_t  now;

        for (; next < functions->count && functions->at[next].token <= t; next++)
            if (add(stack, next) < 0) return -ENOMEM;
        while (stack->len) {
            memcpy(&now, stack->at + stack->len - sizeof now, sizeof now);
            if (functions->at[now].token_end > t) break;
            stack->len -= sizeof now;
        }
        if (!more || !stack->len || (conditions_of_body(f->language) && f->token[t].at < functions->at[now].body))
            continue;
        measures->at[now].complexity += (uint32_t)more;
    }
    return 0;
}

/* ---- all of them ---- */

int measures_take(struct measures *measures, const struct language *language, const struct lexer *lexer,
                  const struct functions *functions, struct slice text, struct err *err)
{
    const struct finding f = { (struct functions *)(uintptr_t)functions, lexer->token, (uint32_t)lexer->count, text,
                               language };
    struct lines         lines;

    if (!functions->count) return 0;
    if (ARRAY_GROW(measures->at, measures->room, functions->count) < 0)
        return err_memory(err, functions->count * sizeof *measures->at, "measures of functions");
    if (lines_find(&lines, measures, text) < 0) return err_memory(err, text.len, "lines of a text");
    for (size_t i = 0; i < functions->count; i++) {
        const struct function *function = &functions->at[i];

        measures->at[i] = (struct measure){
            .complexity = 1, .line = 1 + line_at(&lines, function->at),
            .line_end = 1 + line_at(&lines, function->end - 1),
            .body_lines = body_lines(&lines, language, function, text),
            .docstring = docstring_of(language, lexer, function, text),
            .signature_end = signature_end(function, text) };
    }
    if (comments_count(measures, lexer, functions, &lines) < 0 || conditions_count(measures, &f) < 0)
        return err_memory(err, lexer->comment_count * 8, "measures of functions");
    return 0;
}

void measures_free(struct measures *measures)
{
    free(measures->at);
    bytes_free(&measures->lines);
    bytes_free(&measures->counts);
    bytes_free(&measures->stack);
    *measures = (struct measures){ 0 };
}
