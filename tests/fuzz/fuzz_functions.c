/* tests/fuzz/fuzz_functions.c -- the functions of any bytes, by both extractors: the first byte picks the language
 * (high 5 bits), how they are told (low bit: exact) and what is done with them (bits 1 and 2).
 *
 * A struct functions is used for two texts, the second a part of the first, as workers do: nothing of the one may be in
 * the other.  The text is a heap block of its own with exactly the 64 bytes of padding that the contract asks for. */
#include "code/function.h"
#include "code/language.h"
#include "code/measure.h"
#include "kernels/kernels.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact, const char *what)
{
    if (fact) return;
    fprintf(stderr, "fuzz_functions: %s\n", what);
    abort();
}

/* Spans lie in the text and in each other, in the order of where they begin. */
static void check(const struct functions *functions, const struct lexer *lexer, size_t len)
{
    const struct functions_told *told = &functions->told;

    for (size_t i = 0; i < functions->count; i++) {
        const struct function *f = &functions->at[i];

        require(f->at <= f->name_at && f->name_at < f->name_end && f->name_end <= f->end,
                "a name outside its function");
        require(f->name_end <= f->body && f->body <= f->end && f->end <= len, "a body outside its function");
        require(f->class_at <= f->class_end && f->class_end <= len, "a class outside the text");
        require(f->token < f->token_end && f->token_end <= lexer->count, "tokens that are not there");
        require(f->outer == FUNCTION_NONE || f->outer < functions->count, "a function around that is not there");
        require(i == 0 || functions->at[i - 1].at <= f->at, "functions do not ascend");
    }
    require(told->parsed + told->given_up + told->fast <= 1, "one text is told twice");
    require(told->wrong == (told->errors > 0), "errors without a text");
}

static void find(struct functions *functions, const struct language *language, struct slice text, bool measure)
{
    struct lexer    lexer = { 0 };
    struct measures measures = { 0 };
    struct err      err;

    require(lexer_run(&lexer, language, text, LEX_ALL | LEX_COMMENTS, &err) == 0, "lexer_run fails");
    require(functions_find(functions, language, &lexer, text, &err) == 0, "functions_find fails");
    check(functions, &lexer, text.len);
    if (measure) require(measures_take(&measures, language, &lexer, functions, text, &err) == 0, "measures_take fails");
    measures_free(&measures);
    lexer_free(&lexer);
}

static char *padded(const uint8_t *data, size_t size)
{
    char *copy = calloc(size + 64, 1);

    require(copy, "out of memory");
    if (size) memcpy(copy, data, size);
    return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct functions       functions = { 0 }, again = { 0 };
    const struct language *language;
    size_t                 rows = 0;
    char                  *all, *half;

    if (size == 0) return 0;
    while (language_at(rows))
        rows++;
    language = language_at((data[0] >> 3) % rows);
    kernels = kernels_select(kernels_cpu(), NULL);
    functions.how = again.how = data[0] & 1 ? FUNCTIONS_EXACT : FUNCTIONS_FAST;
    all = padded(data + 1, size - 1);
    half = padded(data + 1, (size - 1) / 2);
    find(&functions, language, (struct slice){ all, size - 1 }, data[0] & 2);
    find(&functions, language, (struct slice){ half, (size - 1) / 2 }, data[0] & 2);
    if (data[0] & 4) {
        find(&again, language, (struct slice){ half, (size - 1) / 2 }, false);
        require(again.count == functions.count && (again.count == 0 ||
                memcmp(again.at, functions.at, again.count * sizeof *again.at) == 0), "another text's functions");
    }
    functions_free(&functions);
    functions_free(&again);
    free(all);
    free(half);
    return 0;
}
