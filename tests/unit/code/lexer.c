/* tests/unit/code/lexer.c -- the lexer: invariants on random text, every row, every kernel level. */
#include "code/lexer.h"
#include "kernels/kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Text with 64 readable bytes after it, which are nothing a lexer may take for text. */
static struct slice padded(char *room, const char *text, size_t len)
{
    memmove(room, text, len);
    memset(room + len, '"', 64);
    return (struct slice){ room, len };
}

static void run(struct lexer *lexer, const struct language *language, struct slice text, unsigned want)
{
    struct err err;

    assert_int_equal(lexer_run(lexer, language, text, want, &err), 0);
}

static void check_order(const struct lexer *lexer, struct slice text)
{
    size_t end = 0;

    for (size_t i = 0; i < lexer->count; i++) {
        assert_true(lexer->token[i].len > 0);
        assert_true(lexer->token[i].at >= end);
        end = (size_t)lexer->token[i].at + lexer->token[i].len;
    }
    assert_true(end <= text.len);
}

static bool wanted(enum token_kind kind, unsigned want)
{
    if (kind <= TOKEN_QUOTED || kind == TOKEN_PREFIXED) return true;
    return want & (kind == TOKEN_NUMBER || kind == TOKEN_STRING ? LEX_LITERALS : LEX_OPERATORS);
}

/* What each `want` gives is LEX_ALL without the kinds that are not wanted: the fast walks see what the full one sees.
 */
static void check_agreement(const struct language *language, struct slice text, unsigned published)
{
    struct lexer all = { 0 }, some = { 0 };

    run(&all, language, text, LEX_ALL | published);
    check_order(&all, text);
    for (unsigned want = LEX_NAMES; want < LEX_ALL; want++) {
        size_t k = 0;

        run(&some, language, text, want | published);
        assert_int_equal(some.dropped, all.dropped);
        for (size_t i = 0; i < all.count; i++) {
            if (!wanted(all.token[i].kind, want)) continue;
            assert_true(k < some.count);
            if (memcmp(&some.token[k], &all.token[i], sizeof all.token[i]) != 0)
                fail_msg("%s, want %u: token %zu differs at byte %u of: %.*s", language_name(language), want, k,
                         all.token[i].at,
                         (int)text.len, text.at);
            k++;
        }
        assert_int_equal(k, some.count);
    }
    lexer_free(&all);
    lexer_free(&some);
}

/* Fragments that open, close and nearly open every form of every row. */
static const char *const fragments[] = {
    "\n", "\n", "\n    ", "\n\t", " ", "  ", "a", "foo", "b", "r", "f", "Rb", "u8", "R", "L", "x_1", "$v", "q", "qw",
        "s", "m", "tr", "y",
    "1", "0x1F", "1e5", "1.5", ".5", "1.", "1_000", "3abc", "10l", "0777", "1..2", "...", "..", ".", "\"", "\"", "'",
        "'", "\"\"\"", "'''",
    "`", "```", "\\", "\\\n", "\\\"", "\\'", "\\\\", "#", "//", "/*", "*/", "/", "/**/", "--", "--[[", "[[", "]]",
        "[=[", "]=]", "{-", "-}",
    "#=", "=#", "=begin", "=end", "\n=pod\n", "\n=cut\n", "(", ")", "[", "]", "{", "}", "${", "<<EOT", "<<-EOT",
        "<<<EOT", "\nEOT\n", "EOT",
    "$$", "$tag$", "%w[", "%", "%q(", "?>", "<?php", "<?", "R\"x(", ")x\"", "r#\"", "\"#", "r\"-(", ")-\"", "@\"",
        "$@\"", "=", "==", ">>=", ">>",
    ":", ";", ",", "->", "\r\n", "\r", "\xC3\xA9", "\xE2\x80\xA8", "\xFF", "\x01", "\f", "def f():", "r\"\"\"",
        "class A:", "return", "if",
    "\xEF\xBB\xBF", "u0041", "\\u0041", "\\u0022", "0", "'x'", "'\\n'", "b'x'", "&", "|", "!", "~", "^",
        "f\"", "rf'''", "$\"", "$$\"\"\"", "#\"", "\\(", "\\#(", "#{", "{$", "{{", "}}", "$a[", "$a->b",
        "!r:>{", "<a ", "</a>", "<>", "/>", "= <b", "<", ">", "{/*", "if (", "++", "s\"", ":",
        "abcdefghijklmnopqrstuvwxyz0123456789",
};

static size_t random_text(uint64_t *state, char *out, size_t room)
{
    size_t len = 0, pieces = next_random(state) % 60;
    size_t range = 1 + next_random(state) % (sizeof fragments / sizeof fragments[0]),
        from = next_random(state) % (sizeof fragments / sizeof fragments[0]);

    if (next_random(state) % 2) range = sizeof fragments / sizeof fragments[0];
    while (pieces-- > 0) {
        const char *piece = fragments[(from + next_random(state) % range) % (sizeof fragments / sizeof fragments[0])];
        size_t      repeat = next_random(state) % 40 == 0 ? next_random(state) % 200 : 1, size = strlen(piece);

        for (; repeat > 0 && len + size <= room; repeat--, len += size)
            memcpy(out + len, piece, size);
    }
    return len;
}

static uint64_t seed_of_run(void)
{
    const char *given = getenv("SEED");
    uint64_t    seed = given ? strtoull(given, NULL, 0) : 20260101;

    printf("seed=%llu\n", (unsigned long long)seed);
    return seed;
}

static void test_agreement(void **unused)
{
    uint64_t state = seed_of_run();
    char     text[4096], room[4096 + 64];

    (void)unused;
    for (size_t round = 0; round < 250; round++) {
        size_t len = random_text(&state, text, sizeof text);

        for (size_t i = 0; language_at(i); i++) {
            check_agreement(language_at(i), padded(room, text, len), 0);
            if (round % 4 == 0) check_agreement(language_at(i), padded(room, text, len), LEX_PUBLISHED);
        }
    }
}

/* Lines, indents, brackets and comments around docstrings: what the tokens before tell is what reading tells. */
static void test_docstrings_told(void **unused)
{
    static const char *const begins[] = { "", "", " ", "  ", "  ", "    ", "\t", " \t", "\f " };
    static const char *const lines[] = { "a = 1", "def f(a, b):", "class A:", "f(a,", ")", "]", "(", "x = [", "# c", "",
                                         "a = \\", "\"\"\"text\"\"\"", "\"\"\"text\"\"\"", "'''text''' + a", "r'x'",
                                         "'x'", "return (a) # (", "+ a", "@d", "f(\"\"\"x\n\"\"\")", "é = 2", "? $",
                                         "\v", "\x01", "\f", "f'{a}'", "f'{\n1}, ", "f'{d['(']}'", "f'{d['#']}'",
                                         "f\"\"\"{a}\n\"\"\"", "f'a{", "'d'", "rf\"\"\"{a['\"\"\"']}\"\"\"" };
    static const char *const ends[] = { "\n", "\n", "\n", "\n", "\n", "\n\n", "\r\n", ";", " " };
    uint64_t                 state = seed_of_run();
    char                     text[4096], room[4096 + 64];
    const struct language   *python = language_by_name(slice_of("python"));

    (void)unused;
    for (size_t round = 0; round < 20000; round++) {
        size_t len = 0;

        for (size_t left = 1 + next_random(&state) % 12; left > 0; left--) {
            const char *begin = begins[next_random(&state) % (sizeof begins / sizeof *begins)];
            const char *line = lines[next_random(&state) % (sizeof lines / sizeof *lines)];
            const char *end = ends[next_random(&state) % (sizeof ends / sizeof *ends)];

            len += (size_t)snprintf(text + len, sizeof text - len, "%s%s%s", begin, line, end);
        }
        check_agreement(python, padded(room, text, len), 0);
    }
}

/* The same tokens at every kernel level. */
static void test_kernel_levels(void **unused)
{
    uint64_t              state = seed_of_run();
    const struct kernels *old = kernels;
    char                  text[4096], room[4096 + 64];
    struct lexer          scalar = { 0 }, vector = { 0 };

    (void)unused;
    for (size_t level = 0; kernels_all[level]; level++) {
        if ((kernels_all[level]->need & kernels_cpu()) != kernels_all[level]->need) {
            printf("skipped: %s\n", kernels_all[level]->name);
            continue;
        }
        for (size_t round = 0; round < 200; round++) {
            struct slice           s = padded(room, text, random_text(&state, text, sizeof text));
            const struct language *language = language_at(round % 23);

            kernels = &kernels_scalar;
            run(&scalar, language, s, LEX_ALL);
            kernels = kernels_all[level];
            run(&vector, language, s, LEX_ALL);
            assert_int_equal(scalar.count, vector.count);
            if (scalar.count) assert_memory_equal(scalar.token, vector.token, scalar.count * sizeof *scalar.token);
        }
    }
    kernels = old;
    lexer_free(&scalar);
    lexer_free(&vector);
}

/* Words, strings, comments and gaps longer than a window of bitmaps, at every offset in a block. */
static void test_windows(void **unused)
{
    enum { BODY = 40000 };
    const struct language *c = language_by_name(SLICE("c"));
    char                  *room = malloc(BODY + 400);
    struct lexer           lexer = { 0 };

    (void)unused;
    assert_non_null(room);
    for (size_t offset = 0; offset < 130; offset += 13) {
        static const struct { const char *open, *close; char fill; size_t tokens; } forms[] = {
            { "", "", 'w', 3 }, { "\"", "\"", ' ', 3 }, { "/*", "*/", '*', 2 }, { "", "", ' ', 2 }, { "", "", '7', 3 },
        };

        for (size_t k = 0; k < sizeof forms / sizeof forms[0]; k++) {
            size_t len = 0, last;

            memset(room, ' ', offset);
            memcpy(room + offset, "a ", 2);
            len = offset + 2;
            len += (size_t)sprintf(room + len, "%s", forms[k].open);
            memset(room + len, forms[k].fill, BODY);
            len += BODY;
            len += (size_t)sprintf(room + len, "%s z", forms[k].close);
            run(&lexer, c, padded(room, room, len), LEX_ALL);
            assert_int_equal(lexer.count, forms[k].tokens);
            last = lexer.count - 1;
            assert_int_equal(lexer.token[last].at, len - 1);
            assert_int_equal(lexer.token[0].at, offset);
            if (last == 2) assert_int_equal(lexer.token[1].len, BODY + strlen(forms[k].open) + strlen(forms[k].close));
        }
    }
    free(room);
    lexer_free(&lexer);
}

/* A thousand lines with a docstring in each function: the answer does not depend on what was asked before. */
static void test_docstrings_far_apart(void **unused)
{
    static const char function[] = "def f(a, b=[1,\n  2]):\n    r\"\"\"doc (\n  '\"\"\"\n    x = {'(': \")\",\n    "
                                   "f'kept'\n    : 1}\n    r'gone'\n\n    r'kept'\n    return a # )\n";
    const struct language *python = language_by_name(SLICE("python"));
    size_t                 size = sizeof function - 1, copies = 1000;
    char                  *text = malloc(size * copies + 64), *room = malloc(size * copies + 64);
    struct lexer           lexer = { 0 };
    size_t                 prefixed = 0;

    (void)unused;
    assert_non_null(text);
    assert_non_null(room);
    for (size_t i = 0; i < copies; i++)
        memcpy(text + i * size, function, size);
    check_agreement(python, padded(room, text, size * copies), 0);
    run(&lexer, python, padded(room, text, size * copies), LEX_NAMES);
    for (size_t i = 0; i < lexer.count; i++)
        if (lexer.token[i].kind == TOKEN_PREFIXED) {
            assert_memory_equal(room + lexer.token[i].at + 1, "'kept'", 6);
            prefixed++;
        }
    assert_int_equal(prefixed, 2 * copies);
    free(text);
    free(room);
    lexer_free(&lexer);
}

/* The first string that asks stands far behind the begin: what was read without counting brackets is forgotten. */
static void test_late_question(void **unused)
{
    static const char line[] = "x = {'(': f(\"'\")}  # [\n", end[] = "def f():\n    r'gone'\n    g(\n    r'kept')\n";
    const struct language *python = language_by_name(SLICE("python"));
    size_t                 size = sizeof line - 1, copies = 3000, len = size * copies + sizeof end - 1;
    char                  *text = malloc(len + 64), *room = malloc(len + 64);
    struct lexer           lexer = { 0 };

    (void)unused;
    assert_non_null(text);
    assert_non_null(room);
    for (size_t i = 0; i < copies; i++)
        memcpy(text + i * size, line, size);
    memcpy(text + len - (sizeof end - 1), end, sizeof end - 1);
    check_agreement(python, padded(room, text, len), 0);
    run(&lexer, python, padded(room, text, len), LEX_NAMES);
    assert_int_equal(lexer.count, 2 * copies + 4);
    assert_int_equal(lexer.token[lexer.count - 1].kind, TOKEN_PREFIXED);
    free(text);
    free(room);
    lexer_free(&lexer);
}

/* One lexer reads texts of several languages in turn. */
static void test_languages_in_turn(void **unused)
{
    static const struct { const char *language; size_t count; } cases[] = { { "c", 1 }, { "python", 2 }, { "c", 1 },
                                                                            { "r", 2 } };
    char         room[128];
    struct lexer lexer = { 0 };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct slice name = { cases[i].language, strlen(cases[i].language) };

        run(&lexer, language_by_name(name), padded(room, "a$b", 3), LEX_NAMES);
        assert_int_equal(lexer.count, cases[i].count);
    }
    lexer_free(&lexer);
}

/* Every fragment again and again, in every row. */
static void test_repetition(void **unused)
{
    enum { SIZE = 2048 };
    char         text[SIZE], room[SIZE + 64];
    struct lexer lexer = { 0 };

    (void)unused;
    for (size_t f = 0; f < sizeof fragments / sizeof fragments[0]; f++) {
        size_t size = strlen(fragments[f]), len = 0;

        for (; len + size <= SIZE; len += size)
            memcpy(text + len, fragments[f], size);
        for (size_t i = 0; language_at(i); i++)
            for (unsigned want = LEX_ALL; want <= (LEX_ALL | LEX_PUBLISHED); want += LEX_PUBLISHED) {
                run(&lexer, language_at(i), padded(room, text, len), want);
                check_order(&lexer, (struct slice){ room, len });
            }
    }
    lexer_free(&lexer);
}

/* The unit over and over between head and tail.  A linear walk takes some milliseconds of processor time; a quadratic
 * one, a minute. */
static void hostile(const char *language, const char *head, const char *unit, const char *tail, unsigned want)
{
    enum { SIZE = 1 << 18 };
    struct bytes text = { 0 };
    struct lexer lexer = { 0 };
    clock_t      start;

    assert_int_equal(bytes_append(&text, head, strlen(head)), 0);
    while (text.len + strlen(unit) < SIZE) assert_int_equal(bytes_append(&text, unit, strlen(unit)), 0);
    assert_int_equal(bytes_append(&text, tail, strlen(tail)), 0);
    assert_int_equal(bytes_reserve(&text, text.len + BYTES_PAD), 0);
    memset(text.at + text.len, 0, BYTES_PAD);
    start = clock();
    run(&lexer, language_by_name(slice_of(language)), bytes_slice(&text), want);
    check_order(&lexer, bytes_slice(&text));
    if (clock() - start > 3 * CLOCKS_PER_SEC) fail_msg("%s: %s", language, unit);
    bytes_free(&text);
    lexer_free(&lexer);
}

/* Half-open forms whose search for an end could read the whole text again and again. */
static void test_hostile_text(void **unused)
{
    static const struct { const char *language, *unit; unsigned want; } cases[] = {
        { "python", "\\\"R", LEX_ALL | LEX_PUBLISHED }, { "python", " ", LEX_ALL | LEX_PUBLISHED },
        { "python", "'\\\n", LEX_ALL | LEX_PUBLISHED },
        { "python", "r'''\n", LEX_ALL }, { "python", "\nr'x'", LEX_NAMES }, { "python", "\n(r'x'\nr'y'", LEX_NAMES },
        { "perl", "<<E", LEX_ALL },
        { "python", "\n)r'x'\n(\nr'y'", LEX_NAMES }, { "perl", "q{", LEX_ALL }, { "perl", "s/x", LEX_ALL },
            { "ruby", " %q(", LEX_ALL },
        { "ruby", "<<A \"\n\"", LEX_ALL }, { "shell", "<<A'\n'", LEX_ALL }, { "javascript", "`${", LEX_ALL },
            { "javascript", "`${'`\n", LEX_ALL },
        { "javascript", "/[", LEX_ALL }, { "sql", "$a$b", LEX_ALL }, { "sql", " $x", LEX_ALL },
        { "haskell", "{-", LEX_ALL }, { "rust", "r##\"", LEX_ALL },
        { "lua", "[=", LEX_ALL }, { "cpp", "R\"x(", LEX_ALL }, { "r", "r\"-(", LEX_ALL }, { "php", "<<<A\n", LEX_ALL },
        { "java", "/* '", LEX_ALL | LEX_PUBLISHED }, { "java", "\\u", LEX_ALL | LEX_PUBLISHED },
        { "c", "....", LEX_ALL }, { "c", "R\"", LEX_ALL },
        { "swift", "#", LEX_ALL }, { "julia", "#=", LEX_ALL },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        hostile(cases[i].language, "", cases[i].unit, "$", cases[i].want);
    hostile("php", "<?xml", "?>", "\n<a><?php 1;", LEX_ALL);
}

/* Numbers at each place of a block, before whatever may go on with them. */
static void test_numbers_anywhere(void **unused)
{
    static const char *const numbers[] = { "0", "12345678", "0x1234567890abcdef", "0x1234567890abcdefa", "1e",
                                           "1p", "0xe", "1_000", "3\xC3\xA9", "1$", "1234567$", "12345678$a",
                                           "1234567890$a" };
    static const char *const behind[] = { "", " ", "b", "+b", "-2", "+", ".b", ".5", ".", "'0", "'b'", "#b", "$b",
                                          "(b)", ",b" };
    char room[64 + 64 + 64 + 64];

    (void)unused;
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++)
        for (size_t b = 0; b < sizeof behind / sizeof behind[0]; b++)
            for (int before = 0; before < 66; before++) {
                char      text[192];
                const int len = snprintf(text, sizeof text, "%*s%s%s c7 9", before, before % 3 ? " " : "a-", numbers[n],
                                         behind[b]);

                for (size_t i = 0; language_at(i); i++) {
                    check_agreement(language_at(i), padded(room, text, (size_t)len), 0);
                    check_agreement(language_at(i), padded(room, text, (size_t)len - 5), 0);
                }
            }
}

static void test_empty(void **unused)
{
    struct lexer lexer = { 0 };
    char         room[64];

    (void)unused;
    for (size_t i = 0; language_at(i); i++)
        for (unsigned want = 0; want < 8; want++) {
            run(&lexer, language_at(i), padded(room, "", 0), want);
            assert_int_equal(lexer.count, 0);
            assert_false(lexer.dropped);
        }
    lexer_free(&lexer);
    assert_null(lexer.token);
    lexer_free(&lexer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agreement), cmocka_unit_test(test_docstrings_told),
        cmocka_unit_test(test_kernel_levels), cmocka_unit_test(test_windows),
        cmocka_unit_test(test_numbers_anywhere), cmocka_unit_test(test_empty),
        cmocka_unit_test(test_docstrings_far_apart), cmocka_unit_test(test_repetition),
        cmocka_unit_test(test_late_question), cmocka_unit_test(test_languages_in_turn),
        cmocka_unit_test(test_hostile_text),
    };

    kernels = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS"));
    if (!kernels) kernels = &kernels_scalar;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
