/* tests/unit/code/tokens.h -- texts as the lexer wants them, and its tokens as one line to compare. */
#ifndef LEAKGRAPH_TESTS_UNIT_CODE_TOKENS_H
#define LEAKGRAPH_TESTS_UNIT_CODE_TOKENS_H

#include "code/lexing.h"
#include "kernels/kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

/* The text, and after it 64 bytes that no lexer may take for text.  Good until the second call after this one. */
static inline struct slice padded_bytes(const char *text, size_t len)
{
    static char room[2][4096 + 64];
    static int  turn;
    char       *at = room[turn ^= 1];

    assert_true(len <= 4096);
    memcpy(at, text, len);
    memset(at + len, '"', 64);
    return (struct slice){ at, len };
}

static inline struct slice padded(const char *text) { return padded_bytes(text, strlen(text)); }

static inline const struct language *row_of(const char *name)
{
    const struct language *row = language_by_name(slice_of(name));

    if (!row) fail_msg("no language %s", name);
    return row;
}

/* A scan of the whole text that has seen nothing of it yet. */
static inline struct scan scan_of(const char *language, struct slice text)
{
    return (struct scan){ .row = row_of(language), .text = text.at, .len = text.len, .budget = 1000 };
}

/* Each token as KIND:text, in the order of the text; "dropped" when the published tools drop it.  KIND is n (name),
 * q (name in quotes), d (number), s (string), p (prefixed string), o (operator), x (stray). */
static inline const char *tokens_of(const char *language, const char *text, size_t len, unsigned want)
{
    static const char kinds[] = { [TOKEN_NAME] = 'n', [TOKEN_QUOTED] = 'q', [TOKEN_NUMBER] = 'd', [TOKEN_STRING] = 's',
                                  [TOKEN_PREFIXED] = 'p', [TOKEN_OPERATOR] = 'o', [TOKEN_STRAY] = 'x' };
    static char       out[8192];
    struct lexer      lexer = { 0 };
    struct slice      slice = padded_bytes(text, len);
    struct err        err = { 0 };
    size_t            at = 0;

    if (!kernels) kernels = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS"));
    if (!kernels) kernels = &kernels_scalar;
    if (lexer_run(&lexer, row_of(language), slice, want, &err) < 0) fail_msg("%s", err.text);
    out[0] = '\0';
    for (size_t i = 0; i < lexer.count; i++)
        at += (size_t)snprintf(out + at, sizeof out - at, "%s%c:%.*s", i ? " " : "", kinds[lexer.token[i].kind],
                               (int)lexer.token[i].len, slice.at + lexer.token[i].at);
    if (lexer.dropped) {
        assert_int_equal(lexer.count, 0);
        snprintf(out, sizeof out, "dropped");
    }
    lexer_free(&lexer);
    return out;
}

#endif
