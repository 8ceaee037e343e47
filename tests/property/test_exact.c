/* tests/property/test_exact.c -- hostile texts given to the parsers of `exact`: each is read to its end or given up in
 * time that is in proportion to its bytes, a text that is given up is counted and told by fast, and functions lie in
 * the text.
 *
 * Texts are what opens something again and again, closed and unclosed, in each language that has a parser; one line
 * that is larger than what a parser is given; bytes that are no text.  Time is what the process has computed, with ten
 * times as much allowed as the dearest text takes; LONG=1: larger texts; SIZE= bytes of each; SEED= repeats. */
#include "code/function.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    PAD        = 64,
    LARGEST    = 1 << 20,                                   /* bytes that a parser is given at most */
    MICROS     = 60,                                        /* of computing, for a byte */
    BASE       = 1000000,                                   /* and for a text */
};

static const char *const parts[] = {
    "(", "{", "[", "'", "\"", "`", "<", ")", "}", "]", "/*", "'''", "\"\"\"", "#if\n", "#if a\n", "#else\n", "\"${",
    "${",
    "$(", "<<A\n", "%q(", "() => ", "lambda: ", "x->", "fun(x) {", "function(){", "{ a(", "def f(", "class A {",
    "f(a,b){c=d;};", "if (x) ", "if a:\n ", "else ", "end ", "case ", "a ? ", "a.b.", "- ", "!", "*", "(int)", "@a ",
    "<a>", "A<", "a < b, ", "\n ", "\r", "\\", "if while for def class ",
};
enum { PARTS = sizeof parts / sizeof *parts, BINARY = PARTS, INVALID, NUL, LINE, KINDS };

static uint64_t state;

static size_t draw(size_t below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (size_t)(state >> 33) % below;
}

static void text_make(char *text, size_t size, size_t kind)
{
    const char  *part = kind < PARTS ? parts[kind] : "f(a, b) { c = d; }; ";
    const size_t len = strlen(part);

    for (size_t i = 0; i < size; i++)
        text[i] = kind == BINARY ? (char)draw(256) : kind == INVALID ? (char)(128 + draw(128)) : kind == NUL ? '\0'
            : part[i % len];
    memset(text + size, 0, PAD);
}

static uint64_t micros(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static size_t failures;
static double dearest;

static void wrong(const struct language *language, size_t kind, size_t size, const char *what)
{
    failures++;
    printf("%s, text %zu of %zu bytes: %s\n", language_name(language), kind, size, what);
}

static bool same(const struct functions *a, const struct functions *b)
{
    return a->count == b->count && (a->count == 0 || memcmp(a->at, b->at, a->count * sizeof *a->at) == 0);
}

static bool inside(const struct functions *functions, size_t len)
{
    for (size_t i = 0; i < functions->count; i++) {
        const struct function *f = &functions->at[i];

        if (f->at > f->name_at || f->name_at >= f->name_end || f->name_end > f->body || f->body > f->end ||
            f->end > len) return false;
    }
    return true;
}

static void text_check(const struct language *language, char *text, size_t size, size_t kind)
{
    struct lexer      lexer = { 0 };
    struct functions  exact = { .how = FUNCTIONS_EXACT }, fast = { .how = FUNCTIONS_FAST };
    const struct slice slice = { text, size };
    struct err        err;
    uint64_t          from, took;

    text_make(text, size, kind);
    if (lexer_run(&lexer, language, slice, LEX_ALL, &err) < 0) exit(1);
    from = micros();
    if (functions_find(&exact, language, &lexer, slice, &err) < 0) exit(1);
    took = micros() - from;
    if (functions_find(&fast, language, &lexer, slice, &err) < 0) exit(1);
    if ((double)took / (double)size > dearest) dearest = (double)took / (double)size;
    if (took > BASE + MICROS * (uint64_t)size) wrong(language, kind, size, "takes too long");
    if (exact.told.parsed + exact.told.given_up != 1 || exact.told.fast) wrong(language, kind, size, "is not counted");
    if (size > LARGEST && !exact.told.given_up) wrong(language, kind, size, "is too large for a parser");
    if (exact.told.given_up && !same(&exact, &fast)) wrong(language, kind, size, "is given up, and not told by fast");
    if (!inside(&exact, size)) wrong(language, kind, size, "has functions outside it");
    functions_free(&exact);
    functions_free(&fast);
    lexer_free(&lexer);
}

int main(int count, char **words)
{
    const char  *seed = getenv("SEED"), *said = getenv("SIZE");
    const bool   all = getenv("LONG") && *getenv("LONG");
    const size_t size = said ? strtoull(said, NULL, 10) : all ? 1 << 16 : 1 << 13, line = all ? 10 << 20 : LARGEST + 1;
    char        *text = malloc((line > size ? line : size) + PAD);
    size_t       told = 0;

    if (!text || !size) return 1;
    kernels = kernels_select(kernels_cpu(), NULL);
    state = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
    printf("SEED=%" PRIu64 "\n", state);
    for (size_t i = 0; language_at(i); i++) {
        const struct language *language = language_at(i);

        if (!functions_exact_known(language) || (count > 1 && strcmp(words[1], language_name(language)) != 0)) continue;
        dearest = 0;
        told++;
        for (size_t kind = 0; kind < KINDS; kind++) text_check(language, text, kind == LINE ? line : size, kind);
        printf("%s: %d texts, at most %.1f microseconds a byte\n", language_name(language), KINDS, dearest);
        fflush(stdout);
    }
    free(text);
    if (told == 0) {
        printf("this program has no parsers: scripts/tree_library.sh\n");
        return 77;
    }
    return failures > 0 || (count == 1 && told < 14);
}
