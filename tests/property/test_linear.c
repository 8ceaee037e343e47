/* tests/property/test_linear.c -- the lexer, what finds functions on its tokens, and what measures these and tells the
 * elements of a text, take steps in proportion to the bytes of a text, whatever the text is.
 *
 * Hostile texts are made of what opens, closes, escapes or precedes something in a language, closed and unclosed, again
 * and again.  Steps are counted and no time is measured: the files of pipeline/code are compiled once more for this
 * program so that each basic block that is entered counts one (-fsanitize-coverage=trace-pc), each byte that memchr
 * looks at one (tests/counted.h).
 *
 * Every part alone, in every shape; random pairs and triples of them, of which ROUNDS= says how many; SEED= repeats. */
#include "code/rows.h"

#include "code/element.h"
#include "code/function.h"
#include "code/lexer.h"
#include "code/measure.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

unsigned long long counted_steps;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) { counted_steps++; }

enum {
    PARTS_MOST = 320,
    PAD        = 64,
    KNOWN      = 1 << 17,                                   /* bytes of a text that was slow once */
    ALONE      = 1 << 14,                                   /* bytes of a text made of one part */
    MIXED      = 1 << 13,
    /* steps for each byte, and for what short texts may be searched in vain (budget in code/lexing.h) */
    STEPS_MOST = 300,
    STEPS_ONCE = 16 * 65536,
    FUNCTION_STEPS_MOST = 250,                              /* of the functions: nothing in vain */
    /* of their measures, and of the elements: a head may be looked at from each of its tokens, to HEAD_MOST */
    MEASURE_STEPS_MOST = 3500,
    LARGE      = 1 << 20,                                   /* bytes of a text that is hostile by its size */
    LINE       = 10 << 20,
};

enum shape { AGAIN, SPACED, LINES, HALVES, GROWING, SHAPES };
static const char *const shape_names[SHAPES] = { "again", "spaced", "lines", "halves", "growing" };

struct parts { char text[PARTS_MOST][16]; size_t count, own; };       /* the first `own` are of the row */

/* What opens, closes or precedes something in one language or another; the rest is in the rows. */
static const char *const common[] = {
    "a", "A", "_", "1", "0x", "1.", ".", "\xC3\xA9", " ", "\n", "\r\n", "\r", "\t", "\\", "\"", "'", "`", "\"\"\"",
    "'''",
    "```", "(", ")", "[", "]", "{", "}", "<", ">", "((", "/", "*", "/*", "*/", "//", "#", "##", "#\"", "##\"", "\"#",
    "\"##", "=", "+", "-", "--", ",", ";", ":", "::", "?", "!", "$", "@", "@\"", "$\"", "$$\"\"\"", "%", "&", "|", "^",
    "~", "$a", "${", "$(", "#{", "{$", "\\(", "\\#(", "{{", "${a", "$((", "<<A", "<<-A", "<<~A", "<<\"A\"", "<<'A'",
    "<<<A", "\nA\n", "<<", "q(", "qq{", "m/", "s{", "}{", "y/", "tr/", "qw<", "q a", "format A =\n", "\n.\n", "=pod\n",
    "\n=cut\n", "=begin\n", "\n=end\n", "__END__", "%w[", "%q(", "%(", "%r{", "?a", "?\\", "?\\C-", "[a|", "|]", "$a$",
    "$$", "[[", "[=[", "]=]", "--[[", "--[==[", "q'[", "]'", "e'", "'\\'a", "from stdin;", "\\.", "`a`", "\\z", "v5.",
    "=/", "=<a>", "=<a ", "=<a/>", "</a>", "<a", "=<>", "</>", "if(", ")/", "=/[", " in ", "case ", "esac", ";;",
    "<?php",
    "?>", "<?", "<?xml", "b'", "r\"", "r#\"", "r##\"", "R\"(", "R\"a(", ")a\"", "r\"-(", ")-\"", "f\"{", "f'", "{a!r:",
    "\\N{", "\\u", "\\uu", "s\"", "raw\"", "/=", "<:", "sub ", "use ", "def ", "return ", "//\n", "#\n", "=>", "->",
    "->a",
    "[1]", "\"\"", "''", " <a>", "<!--", "<![", "@a",
};

/* What begins, ends or looks like the head of a function. */
static const char *const heads[] = {
    "def f(", "def f", "function ", "function f(", "fn f", "func f(", "fun f() {", "fun f() = ", "sub f {", "f() {",
    "int f(int a)", "void A::f() {", "class A", "class A {", "end ", "\nend\n", "do ", "if ", "if (", "begin ", "=> ",
    "f = (", "async ", "lambda ", "@a\n", "\n    ", ") {", ") =", ") -> ", "<A, ", "template <", "where A: ",
    "local function ", "pub ", "static ", "public ", "then ", "fi\n", "case ", "{ get", "f: function(",
    "\n#if a\n", "\n#else\n", "\n#endif\n", "\n#a\\\n", "struct {", "|{}", "a{1}, ", "f() : ", "throws A, ",
    "new A<", "operator", "impl ", "-> A", ".a = ", "val a: ", "):", "\\\n",
    ") A ", ") A(", "f(a) int a;", "int (*f(a))(",
};

static void part_add(struct parts *parts, const char *a, const char *b)
{
    char text[16];

    snprintf(text, sizeof text, "%s%s", a, b);
    for (size_t i = 0; i < parts->count; i++)
        if (strcmp(parts->text[i], text) == 0) return;
    if (!text[0] || parts->count == PARTS_MOST) return;
    memcpy(parts->text[parts->count++], text, sizeof text);
}

static void parts_make(struct parts *parts, const struct language *row)
{
    parts->count = 0;
    for (const struct form *form = row->forms; form->kind != FORM_END; form++) {
        part_add(parts, form->open, "");
        part_add(parts, form->close, "");
        part_add(parts, form->open, form->close);
        part_add(parts, "\n", form->open);
        for (size_t k = 0; form->interpolation && form->interpolation->code[k].close; k++)
            part_add(parts, form->open, form->interpolation->code[k].open);
    }
    for (const struct prefix *prefix = row->prefixes; prefix && prefix->word; prefix++) {
        part_add(parts, prefix->word, "\"");
        part_add(parts, prefix->word, "\"\"\"");
        if (prefix->kind >= PREFIX_RAW_PARENS) part_add(parts, prefix->word, "\"(");
    }
    part_add(parts, " ", "");
    for (size_t i = 0; functions_known(row) && i < sizeof heads / sizeof *heads; i++) part_add(parts, heads[i], "");
    parts->own = parts->count;
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        part_add(parts, common[i], "");
}

struct text { char *at; size_t len, room; };

static void put(struct text *text, const char *part)
{
    size_t n = strlen(part);

    if (n > text->room - text->len) n = text->room - text->len;
    memcpy(text->at + text->len, part, n);
    text->len += n;
}

static void text_make(struct text *text, enum shape shape, const char *const *part, size_t count)
{
    static const char *const between[SHAPES] = { "", " ", "\n", "", " " };

    text->len = 0;
    for (size_t round = 1; text->len < text->room; round++) {
        if (shape == HALVES) {
            put(text, part[text->len * count / text->room]);
            continue;
        }
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < (shape == GROWING && i + 1 == count ? round : 1); k++) put(text, part[i]);
        put(text, between[shape]);
    }
}

static size_t failures;
static double dearest, dearest_function, dearest_measure;

static void text_print(const struct language *row, const char *shape, size_t size, double steps,
                       const char *const *part, size_t count)
{
    failures++;
    printf("%s, %s, %zu bytes: %.0f steps a byte:", row->name, shape, size, steps);
    for (size_t i = 0; i < count; i++) {
        printf(" |");
        for (const char *c = part[i]; *c; c++)
            printf(*c > 32 && *c != 92 ? "%c" : "\\x%02X", (unsigned char)*c);
        printf("|");
    }
    printf("\n");
    fflush(stdout);
}

static double steps_of(size_t len, unsigned long long once)
{
    return (double)(counted_steps > once ? counted_steps - once : 0) / (double)len;
}

/* Steps a byte that the functions of a text that was read with LEX_ALL take. */
static double function_steps(const struct lexer *lexer, const struct language *row, struct slice text)
{
    static struct functions functions;
    struct err              err;
    double                  steps;

    if (!functions_known(row)) return 0;
    counted_steps = 0;
    if (functions_find(&functions, row, lexer, text, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    steps = steps_of(text.len, 0);
    if (steps > dearest_function) dearest_function = steps;
    return steps;
}

static void measures_check(struct lexer *lexer, const struct language *row, const char *shape, struct slice text,
                           const char *const *part, size_t count)
{
    static struct functions functions;
    static struct measures  measures;
    static struct elements  elements;
    struct err              err;
    double                  steps;

    if (!functions_known(row)) return;
    if (lexer_run(lexer, row, text, LEX_ALL | LEX_COMMENTS, &err) < 0 ||
        functions_find(&functions, row, lexer, text, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    counted_steps = 0;
    if (measures_take(&measures, row, lexer, &functions, text, &err) < 0 ||
        elements_find(&elements, row, lexer, &functions, &measures, text, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    steps = steps_of(text.len, 0);
    if (steps > dearest_measure) dearest_measure = steps;
    if (steps > MEASURE_STEPS_MOST) text_print(row, shape, text.len, steps, part, count);
}

static void text_check(struct lexer *lexer, const struct language *row, enum shape shape, const char *const *part,
                       size_t count, size_t size, unsigned want)
{
    static char memory[KNOWN + PAD];
    struct text text = { .at = memory, .room = size };
    struct err  err;
    double      steps;

    text_make(&text, shape, part, count);
    memset(text.at + text.len, 0, PAD);
    counted_steps = 0;
    if (lexer_run(lexer, row, (struct slice){ text.at, text.len }, want, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    steps = steps_of(text.len, STEPS_ONCE);
    if (steps > dearest) dearest = steps;
    if (steps > STEPS_MOST) text_print(row, shape_names[shape], size, steps, part, count);
    if (want != LEX_ALL) return;
    steps = function_steps(lexer, row, (struct slice){ text.at, text.len });
    if (steps > FUNCTION_STEPS_MOST) text_print(row, "functions", size, steps, part, count);
    if (shape == AGAIN || shape == HALVES)
        measures_check(lexer, row, "measures", (struct slice){ text.at, text.len }, part, count);
}

static void combination_check(struct lexer *lexer, const struct language *row, const char *const *part, size_t count,
                              size_t size)
{
    for (enum shape shape = 0; shape < SHAPES; shape++) {
        if (count == 1 && shape >= HALVES) break;
        if (shape == AGAIN || functions_known(row))
            text_check(lexer, row, shape, part, count, size / 2, LEX_ALL);
        text_check(lexer, row, shape, part, count, size, LEX_LITERALS);
        if ((shape == AGAIN || shape == HALVES) && (row->number == NUMBER_PYTHON || row->number == NUMBER_JAVA))
            text_check(lexer, row, shape, part, count, size, LEX_LITERALS | LEX_PUBLISHED);
    }
}

static uint64_t state;

static size_t draw(size_t below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (size_t)(state >> 33) % below;
}

/* Texts that once took steps by the square of their length, or thousands a byte. */
static const struct { const char *language, *part[3]; } known[] = {
    { "c", { "//", "\r" } }, { "haskell", { "-", "\\" } }, { "java", { "/", "\r" } }, { "javascript", { ")/" } },
    { "javascript", { "\n", "/**/" } }, { "php", { "//", "?>", "<?php " } }, { "ruby", { "%Q(#{(})", ")" } },
    { "sql", { ";" } }, { "swift", { ")/" } }, { "typescript", { "=<A " } }, { "shell", { "<<A " } },
    { "perl", { "<<A " } }, { "ruby", { "<<A " } }, { "swift", { "#\"" } }, { "shell", { "<<" } },
    { "python", { "\"\"", "\\\n" } }, { "python", { "def f\n" } }, { "python", { "def f\n", "#\n" } },
    { "kotlin", { "\n.\n", "\n=end\n" } }, { "kotlin", { "fun f() = " } }, { "scala", { "def f = " } },
    { "cpp", { "A::f() : ", "a{1}, " } }, { "cpp", { "a ", "f() : ", "a{1}, " } },
    { "typescript", { "f(): A", "|{}" } },
    { "ruby", { "def f(", "end " } }, { "julia", { "{", ")" } }, { "lua", { "{", ")" } },
    { "javascript", { "(", "]" } }, { "javascript", { "{ ", "function a(){}" } }, { "csharp", { "(", "=>" } },
    { "kotlin", { "(", "=" } }, { "python", { "```", " ", "\n\"" } }, { "python", { "\"a\"\n", "\n" } },
    { "c", { "//\n", "\n", "int f(){} " } }, { "java", { "/***/", " ", "int f(){} " } }, { "python", { "lambda " } },
    { "python", { "|lambda ", "|m/" } },
    { "ruby", { "#\n", "\n", "def f;end;" } },
};

static void known_check(struct lexer *lexer, const struct language *row)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].language, row->name) == 0)
            combination_check(lexer, row, known[i].part, known[i].part[2] ? 3 : known[i].part[1] ? 2 : 1, KNOWN);
}

/* Texts that are hostile by their size: 1 MB of a part, one line of 10 MB, bytes that are no text; `times` smaller. */
static void large_check(struct lexer *lexer, const struct language *row, char *memory, size_t times)
{
    static const char *const part[] = { "(", "'", "\"", "{", "[", "<", "def f(", "function ", "f(", "f() {", "fn f(",
                                        "@", "class A {", "end ", "\n " };
    enum { PARTS = sizeof part / sizeof *part, ONE_LINE = PARTS, BINARY };

    for (size_t i = 0; functions_known(row) && i <= BINARY; i++) {
        struct text  text = { .at = memory, .room = (i == ONE_LINE ? LINE : LARGE) / times };
        const char  *of[1] = { i < PARTS ? part[i] : i == ONE_LINE ? "f(a, b) { c = d; }; " : "(binary)" };
        struct slice all;
        struct err   err;
        double       steps;

        if (i < BINARY) text_make(&text, AGAIN, of, 1);
        for (; text.len < text.room; text.len++) text.at[text.len] = (char)draw(256);
        memset(text.at + text.len, 0, PAD);
        all = (struct slice){ text.at, text.len };
        counted_steps = 0;
        if (lexer_run(lexer, row, all, LEX_ALL, &err) < 0) {
            fprintf(stderr, "%s\n", err.text);
            exit(1);
        }
        if ((steps = steps_of(text.len, STEPS_ONCE)) > STEPS_MOST) text_print(row, "large", text.len, steps, of, 1);
        if ((steps = function_steps(lexer, row, all)) > FUNCTION_STEPS_MOST)
            text_print(row, "large functions", text.len, steps, of, 1);
        measures_check(lexer, row, "large measures", all, of, 1);
    }
}

int main(int count, char **words)
{
    const char   *seed = getenv("SEED"), *said = getenv("ROUNDS");
    const bool    all = getenv("LONG") && *getenv("LONG");
    const size_t  rounds = said ? strtoull(said, NULL, 10) : all ? 1000 : 60;
    struct lexer  lexer = { 0 };
    struct parts  parts;
    char         *memory = malloc(LINE + PAD);
    size_t        told = 0;

    if (!memory) return 1;

    state = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
    printf("SEED=%" PRIu64 "\n", state);
    for (size_t i = 0; i < language_row_count; i++) {
        const struct language *row = &language_rows[i];

        if (count > 1 && strcmp(words[1], row->name) != 0) continue;
        dearest = dearest_function = dearest_measure = 0;
        told += functions_known(row);
        large_check(&lexer, row, memory, all ? 1 : 16);
        known_check(&lexer, row);
        parts_make(&parts, row);
        for (size_t a = 0; a < parts.count; a++) {
            const char *part[3] = { parts.text[a] };

            combination_check(&lexer, row, part, 1, ALONE);
        }
        for (size_t round = 0; round < rounds; round++) {
            const size_t n = 2 + round % 2;
            const char  *part[3];

            for (size_t k = 0; k < n; k++) part[k] = parts.text[draw(draw(2) ? parts.count : parts.own)];
            combination_check(&lexer, row, part, n, MIXED);
        }
        printf("%s: %zu parts, at most %.0f steps a byte, %.0f for the functions, %.0f for what they measure\n",
               row->name, parts.count, dearest, dearest_function, dearest_measure);
        fflush(stdout);
    }
    lexer_free(&lexer);
    free(memory);
    if (failures)
        printf("%zu texts take more than %d steps a byte, %d for the functions, or %d for what they measure\n",
               failures, STEPS_MOST, FUNCTION_STEPS_MOST, MEASURE_STEPS_MOST);
    return failures > 0 || (count == 1 && told < 19);
}
