/* tests/unit/code/functions.h -- the functions of a text as one line to compare. */
#ifndef LEAKGRAPH_TESTS_UNIT_CODE_FUNCTIONS_H
#define LEAKGRAPH_TESTS_UNIT_CODE_FUNCTIONS_H

#include "code/function.h"
#include "tokens.h"

static inline int line_of(struct slice text, size_t at)
{
    int line = 1;

    for (size_t i = 0; i < at; i++) line += text.at[i] == '\n';
    return line;
}

/* Each as `Class.outer/name FIRST-LAST first..last` with its lines, its first word and its last three characters;
 * parted by "; ". */
static inline const char *functions_by(enum functions_how how, const char *language, const char *source)
{
    static char      out[8192];
    struct lexer     lexer = { 0 };
    struct functions functions = { .how = how };
    struct slice     text = padded(source);
    struct err       err = { 0 };
    size_t           at = 0;

    if (!kernels) kernels = &kernels_scalar;
    if (lexer_run(&lexer, row_of(language), text, LEX_ALL, &err) < 0) fail_msg("%s", err.text);
    if (functions_find(&functions, row_of(language), &lexer, text, &err) < 0) fail_msg("%s", err.text);
    out[0] = '\0';
    for (size_t i = 0; i < functions.count; i++) {
        const struct function *f = &functions.at[i];
        const struct function *outer = f->outer == FUNCTION_NONE ? NULL : functions.at + f->outer;
        size_t                 word = f->at;

        assert_true(f->at <= f->name_at && f->name_end <= f->body && f->body <= f->end && f->end <= text.len);
        assert_true(how == FUNCTIONS_EXACT || lexer.token[f->token].at == f->at);
        assert_true(f->token_end <= lexer.count && lexer.token[f->token_end - 1].at < f->end);
        while (word < f->end && text.at[word] > ' ') word++;
        at += (size_t)snprintf(out + at, sizeof out - at, "%s%.*s%s%.*s%s%.*s %d-%d %.*s..%.*s", i ? "; " : "",
                               (int)(f->class_end - f->class_at), text.at + f->class_at,
                               f->class_end > f->class_at ? "." : "",
                               outer ? (int)(outer->name_end - outer->name_at) : 0,
                               outer ? text.at + outer->name_at : "", outer ? "/" : "",
                               (int)(f->name_end - f->name_at), text.at + f->name_at, line_of(text, f->at),
                               line_of(text, f->end), (int)(word - f->at), text.at + f->at, f->end - f->at < 3 ? 0 : 3,
                               text.at + f->end - 3);
    }
    assert_true(how == FUNCTIONS_EXACT ? functions.told.parsed == 1 : functions.told.fast <= 1);
    assert_int_equal(functions.told.wrong, functions.told.errors > 0);
    if (functions.told.errors) snprintf(out + at, sizeof out - at, "; %d errors", (int)functions.told.errors);
    lexer_free(&lexer);
    functions_free(&functions);
    return out;
}

static inline void expect_functions(const char *language, const char *source, const char *want)
{
    const char *got = functions_by(FUNCTIONS_FAST, language, source);

    if (strcmp(got, want) != 0) fail_msg("of\n%s\ngot  %s\nwant %s", source, got, want);
}

#endif
