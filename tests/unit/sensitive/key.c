/* sensitive/key: where a key stands alone, what is hash-like, and which texts are full of hashes; the patterns
 * themselves are in find.c. */
#include "sensitive/key.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* Written in pieces: as a whole they would look real to scanners of this repository too. */
#define KEY "AKIA" "Q7XZ9KP2VW4JT6MB"
#define H32 "9f3b07c1e8a25d64" "b1e7402fd8c9365a"

static size_t keys(struct slice text)
{
    struct bytes out = { 0 };
    size_t       count;

    assert_int_equal(sensitive_find_keys(text, false, &out), 0);
    count = out.len / sizeof(struct sensitive_match);
    bytes_free(&out);
    return count;
}

#define COUNT(text) keys(SLICE(text))

static void test_alone(void **state)
{
    (void)state;
    assert_int_equal(COUNT(KEY), 1);
    assert_int_equal(COUNT("(" KEY ")"), 1);
    assert_int_equal(COUNT("." KEY "."), 1);
    assert_int_equal(COUNT("\xC3\xA9" KEY "\xC3\xA9"), 1);
    for (const char *sign = "a9Z_-"; *sign; sign++) {       /* bytes of which words are made */
        char text[64];

        snprintf(text, sizeof text, "%c" KEY, *sign);
        assert_int_equal(keys(slice_of(text)), 0);
        snprintf(text, sizeof text, KEY "%c", *sign);
        assert_int_equal(keys(slice_of(text)), 0);
    }
    assert_int_equal(keys((struct slice){ KEY "9", sizeof KEY - 1 }), 1);       /* the text ends it */
    assert_int_equal(COUNT(KEY " " KEY "," KEY), 3);
    assert_int_equal(COUNT(""), 0);
}

/* What is there stays, and places are those of the text. */
static void test_appended(void **state)
{
    struct bytes                  out = { 0 };
    struct sensitive_match        before = { SENSITIVE_IP, 7, 9, "" };
    const struct sensitive_match *match;

    (void)state;
    assert_int_equal(bytes_append(&out, &before, sizeof before), 0);
    assert_int_equal(sensitive_find_keys(SLICE("x = '" H32 "'; y = " KEY), false, &out), 0);
    assert_int_equal(out.len, 3 * sizeof before);
    match = (const struct sensitive_match *)(const void *)out.at;
    assert_memory_equal(match, &before, sizeof before);
    for (int i = 1; i < 3; i++) {                           /* in any order */
        const bool hex = match[i].at == 5;

        assert_int_equal(match[i].kind, SENSITIVE_KEY);
        assert_int_equal(match[i].at, hex ? 5 : 44);
        assert_int_equal(match[i].len, hex ? 32 : 20);
        assert_string_equal(match[i].pattern, hex ? "hex" : "aws");
    }
    assert_true(match[1].at != match[2].at);
    bytes_free(&out);
}

/* As many bytes as a hash has, on a line that speaks of hashes. */
static void test_hash_like(void **state)
{
    static const char *const words[] = { "sha", "MD5", "Hash", "byte", "\"gitHead\":", "integrity", "Commit", "ETag" };

    (void)state;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        for (int len = 31; len <= 65; len++) {
            /* so many lines that the text is not full of hashes */
            char      text[512] = "";
            const int bytes = len, like = len == 32 || len == 40 || len == 56 || len == 64;

            for (int i = 0; i < 101; i++) text[i] = '\n';
            snprintf(text + 101, sizeof text - 101, "%s = '%.*s'\n", words[w], bytes, H32 H32 "9f");
            assert_int_equal(keys(slice_of(text)), like ? 0 : 1);
            snprintf(text + 101, sizeof text - 101, "%s\nx = '%.*s'\n%s", words[w], bytes, H32 H32 "9f", words[w]);
            assert_int_equal(keys(slice_of(text)), 1);      /* on another line */
        }
}

/* `sha` or `hash` in more than 2 % of as many lines; the last one may have no end. */
static void test_full_of_hashes(void **state)
{
    (void)state;
    for (int lines = 49; lines <= 51; lines++)
        for (int ended = 0; ended < 2; ended++)
            for (int word = 0; word < 3; word++) {
                static const char *const words[] = { "sha", "HASH", "has" };
                char                     text[256];
                int                      at = 0;

                for (int i = 0; i < lines - 1; i++) text[at++] = '\n';
                at += snprintf(text + at, sizeof text - (size_t)at, "%s %s%s", words[word], KEY, ended ? "\n" : "");
                assert_int_equal(keys((struct slice){ text, (size_t)at }), word == 2 || lines >= 50);
            }
}

/* Strings in quotes: of one kind, of 6 to SENSITIVE_LONGEST bytes. */
static void test_quoted(void **state)
{
    static char text[5000], part[4200];

    (void)state;
    assert_int_equal(COUNT("'" H32 "'"), 1);
    assert_int_equal(COUNT("\"" H32 "\""), 1);
    assert_int_equal(COUNT("'" H32 "\""), 0);
    assert_int_equal(COUNT("'" H32), 0);
    assert_int_equal(COUNT("''" H32 "''"), 1);
    assert_int_equal(COUNT("'x' + '" H32 "' + 'y'"), 1);
    for (int i = 0; i < (int)sizeof part; i++) part[i] = (H32)[i * 7 % 32];
    for (int len = 254; len <= 258; len++) {
        snprintf(text, sizeof text, "'%.*s'", len, part);
        assert_int_equal(keys(slice_of(text)), 1);
    }
    for (int len = SENSITIVE_LONGEST - 1; len <= SENSITIVE_LONGEST + 1; len++) {
        snprintf(text, sizeof text, "'%.*s'", len, part);
        assert_int_equal(keys(slice_of(text)), len <= SENSITIVE_LONGEST);
    }
    assert_int_equal(COUNT("'" H32 "' +\n  '" H32 "'"), 0);  /* pieces of one text */
    assert_int_equal(COUNT("['" H32 "',\n  '" H32 "']"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_alone), cmocka_unit_test(test_appended),
                                        cmocka_unit_test(test_hash_like), cmocka_unit_test(test_full_of_hashes),
                                        cmocka_unit_test(test_quoted) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
