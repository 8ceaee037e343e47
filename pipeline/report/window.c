/* report/window.c -- see window.h. */
#include "report/window.h"

#include "base/bytes.h"
#include "base/table.h"
#include "code/lexer.h"
#include "view/hash.h"

#include <assert.h>
#include <stdlib.h>

/* A line is shown whole when no more than this of it lies outside of the tokens. */
enum { WINDOW_REST = 400 };

/* The tokens of a text as numbers that the part's tokens have, TABLE_NONE for what the part does not have. */
struct numbered { struct bytes text; struct lexer lexer; uint32_t *token; };

static int number_tokens(struct numbered *out, struct slice text, const struct language *language, struct table *known,
                         bool learn, struct err *err)
{
    int rc = bytes_append_slice(&out->text, text) < 0 ? err_memory(err, text.len, "a text") : 0;

    if (rc == 0 && text.len) rc = lexer_run(&out->lexer, language, bytes_slice(&out->text), LEX_ALL, err);
    if (rc < 0) return rc;
    out->token = malloc((out->lexer.count + 1) * sizeof *out->token);
    if (!out->token) return err_memory(err, out->lexer.count * sizeof *out->token, "tokens");
    for (size_t i = 0; i < out->lexer.count; i++) {
        const struct token *token = &out->lexer.token[i];
        uint64_t            hash = view_hash((struct slice){ out->text.at + token->at, token->len }, 0);
        bool                added;

        if (!learn) {
            out->token[i] = table_find(known, hash, 0);
            continue;
        }
        out->token[i] = table_put(known, hash, 0, (uint32_t)known->count, &added);
        if (out->token[i] == TABLE_NONE) return err_memory(err, 24, "tokens");
    }
    return 0;
}

static void numbered_free(struct numbered *numbered)
{
    bytes_free(&numbered->text);
    lexer_free(&numbered->lexer);
    free(numbered->token);
}

/* The first place in `text` where as many tokens as the part has share most with it; of several, one that begins as
 * the part does. */
static int window_place(const struct numbered *text, const struct numbered *part, size_t distinct, size_t *place,
                        struct err *err)
{
    size_t    width = part->lexer.count, shared = 0, most = 0;
    uint32_t *want = calloc(distinct + 1, sizeof *want), *have = calloc(distinct + 1, sizeof *have);

    bool      begun = false, begins;                        /* whether the best place does so far */

    *place = 0;
    for (size_t i = 0; i < width && want && have; i++) want[part->token[i]]++;
    for (size_t i = 0; i < text->lexer.count && want && have; i++) {
        uint32_t enters = text->token[i], leaves = i >= width ? text->token[i - width] : TABLE_NONE;

        if (leaves != TABLE_NONE && have[leaves]-- <= want[leaves]) shared--;
        if (enters != TABLE_NONE && have[enters]++ < want[enters]) shared++;
        if (i + 1 < width || shared < most) continue;
        begins = text->token[i + 1 - width] == part->token[0];
        if (shared == most && (begun || !begins)) continue;
        most = shared;
        begun = begins;
        *place = i + 1 - width;
    }
    free(want);
    free(have);
    return want && have ? 0 : err_memory(err, distinct * 8, "a comparison");
}

static uint32_t count_lines(struct slice text)
{
    uint32_t lines = 0;

    for (size_t i = 0; i < text.len; i++) lines += text.at[i] == '\n';
    return lines;
}

/* Bytes [from, to) of the text, with what stands beside them on their lines. */
static void window_cut(struct window *out, struct slice text, size_t from, size_t to)
{
    size_t start = from, end = to;

    while (start > 0 && from - start <= WINDOW_REST && text.at[start - 1] != '\n') start--;
    while (end < text.len && end - to <= WINDOW_REST && text.at[end] != '\n') end++;
    if (from - start <= WINDOW_REST) from = start;
    if (end - to <= WINDOW_REST) to = end < text.len ? end + 1 : end;
    out->text = (struct slice){ text.at + from, to - from };
    out->first = count_lines((struct slice){ text.at, from });
    out->last = out->first + count_lines((struct slice){ text.at + from, to > from ? to - from - 1 : 0 });
}

/* Where line `number` begins, from 0; the text's end when it has none. */
static size_t line_start(struct slice text, uint64_t number)
{
    size_t at = 0;

    for (; number && at < text.len; number--) {
        const char *end = memchr(text.at + at, '\n', text.len - at);

        at = end ? (size_t)(end - text.at) + 1 : text.len;
    }
    return at;
}

void window_lines(struct window *out, struct slice text, uint64_t first, uint64_t last)
{
    uint32_t lines = count_lines(text) + (text.len && text.at[text.len - 1] != '\n');
    size_t   from, to;

    out->lines = lines;
    if (first >= lines) first = lines ? lines - 1 : 0;
    if (last >= lines) last = lines ? lines - 1 : 0;
    if (last < first) last = first;
    from = line_start(text, first);
    to = from + line_start((struct slice){ text.at + from, text.len - from }, last + 1 - first);
    out->text = (struct slice){ text.at + from, to - from };
    out->first = (uint32_t)first;
    out->last = (uint32_t)last;
}

int window_find(struct window *out, struct slice text, struct slice part, const struct language *language,
                struct err *err)
{
    struct numbered whole = { 0 }, small = { 0 };
    struct table    known = { 0 };
    size_t          first = 0, last, width;
    int             rc;

    assert(text.len <= LEXER_MAX_TEXT && part.len <= LEXER_MAX_TEXT);
    out->lines = count_lines(text) + (text.len && text.at[text.len - 1] != '\n');
    window_cut(out, text, 0, text.len);
    rc = number_tokens(&small, part, language, &known, true, err);
    if (rc == 0) rc = number_tokens(&whole, text, language, &known, false, err);
    width = small.lexer.count;
    if (rc == 0 && width && whole.lexer.count > width) {
        rc = window_place(&whole, &small, known.count, &first, err);
        last = first + width - 1;
        while (rc == 0 && first < last && whole.token[first] == TABLE_NONE) first++;
        while (rc == 0 && first < last && whole.token[last] == TABLE_NONE) last--;
        if (rc == 0)
            window_cut(out, text, whole.lexer.token[first].at,
                       whole.lexer.token[last].at + whole.lexer.token[last].len);
    }
    numbered_free(&whole);
    numbered_free(&small);
    table_free(&known);
    return rc;
}
