/* tests/fuzz/fuzz_lexer.c -- the lexer on any bytes: the first one picks the language (high 5 bits) and what is wanted
 * (low 3).
 *
 * The text is a heap block of its own with exactly the 64 bytes of padding that the contract asks for, so a sanitizer
 * sees every byte read past them. */
#include "code/lexer.h"
#include "kernels/kernels.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact, const char *what)
{
    if (fact) return;
    fprintf(stderr, "fuzz_lexer: %s\n", what);
    abort();
}

static void check(const struct lexer *lexer, size_t len)
{
    size_t end = 0;

    require(!lexer->dropped || lexer->count == 0, "a dropped text has tokens");
    for (size_t i = 0; i < lexer->count; i++) {
        require(lexer->token[i].len > 0, "empty token");
        require(lexer->token[i].at >= end, "tokens overlap or do not ascend");
        end = (size_t)lexer->token[i].at + lexer->token[i].len;
    }
    require(end <= len, "token past the end of the text");
}

static bool is_name(struct token token) { return token.kind <= TOKEN_QUOTED || token.kind == TOKEN_PREFIXED; }

/* Names and prefixed strings are the same, whatever else is wanted. */
static void check_names(const struct lexer *names, const struct lexer *more)
{
    size_t k = 0;

    for (size_t i = 0; i < more->count; i++) {
        if (!is_name(more->token[i])) continue;
        require(k < names->count && memcmp(&names->token[k], &more->token[i], sizeof names->token[k]) == 0,
                "LEX_NAMES differs");
        k++;
    }
    require(k == names->count, "LEX_NAMES has more");
}

/* Comments ascend, and no token begins in one. */
static void check_comments(const struct lexer *lexer, size_t len)
{
    size_t k = 0, end = 0;

    for (size_t c = 0; c < lexer->comment_count; c++) {
        const struct token *comment = &lexer->comment[c];

        require(comment->len && comment->at >= end, "comments overlap");
        end = (size_t)comment->at + comment->len;
        while (k < lexer->count && lexer->token[k].at < comment->at) k++;
        require(k == lexer->count || lexer->token[k].at >= end, "a token in a comment");
    }
    require(end <= len, "a comment past the end of the text");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lexer           lexer = { 0 }, names = { 0 };
    const struct language *language;
    struct slice           text;
    struct err             err;
    size_t                 rows = 0;
    char                  *copy;

    if (size == 0) return 0;
    while (language_at(rows))
        rows++;
    language = language_at((data[0] >> 3) % rows);
    copy = calloc(size - 1 + 64, 1);
    require(copy, "out of memory");
    text = (struct slice){ memcpy(copy, data + 1, size - 1), size - 1 };
    kernels = kernels_select(kernels_cpu(), NULL);
    require(lexer_run(&lexer, language, text, data[0] & 7u, &err) == 0, "lexer_run fails");
    check(&lexer, text.len);
    require(lexer_run(&names, language, text, (data[0] & LEX_PUBLISHED) | LEX_NAMES, &err) == 0, "lexer_run fails");
    check(&names, text.len);
    require(names.dropped == lexer.dropped, "dropped depends on what is wanted");
    check_names(&names, &lexer);
    require(lexer_run(&lexer, language, text, LEX_ALL | LEX_COMMENTS, &err) == 0, "lexer_run fails");
    check(&lexer, text.len);
    check_comments(&lexer, text.len);
    language_by_shebang(text);
    language_by_path(text);
    lexer_free(&lexer);
    lexer_free(&names);
    free(copy);
    return 0;
}
