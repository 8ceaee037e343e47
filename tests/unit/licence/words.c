/* tests/unit/licence/words.c -- texts as words, whatever stands around them. */
#include "licence/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>

static struct words words;

static void assert_words(const char *text, const char *expected)
{
    words_read(&words, slice_of(text));
    if (words.len != strlen(expected) + (*expected != 0) || memcmp(words.text, expected, strlen(expected)) != 0)
        fail_msg("`%s' is read as `%.*s'", text, (int)words.len, words.text);
}

static void what_words_are(void **unused)
{
    (void)unused;
    assert_words("", "");
    assert_words(" * Version 2.0, or (at\n * your option) any LATER.", "version 2.0 or at your option any later");
    assert_words("GPLv2+ LGPL-2.1 v.3 (c)", "gplv 2 + lgpl 2.1 v 3 c");
    assert_words("Licence licenced", "license licensed");
    assert_words("A\\nB\\tC \\d", "a b c d");
    assert_words("2.+ + 1..2", "2 1 2");
    assert_words("\xe2\x80\x9cMIT\xe2\x80\x9d", "mit");
}

/* Letters that begin a comment go; in the middle of a line they stay. */
static void comments(void **unused)
{
    (void)unused;
    assert_words("dnl Redistribution\ndnl and rem", "redistribution and rem");
    assert_words("REM Permission\r\n  rem is dnl", "permission is dnl");
    assert_words("C     Permission\nc is c\nc++", "permission is c c +");
}

static void matches(void **unused)
{
    (void)unused;
    words_read(&words, SLICE("the new BSD license"));
    assert_int_equal(words_match(&words, 1, "new bsd"), 2);
    assert_int_equal(words_match(&words, 1, "new bs"), 0);
    assert_int_equal(words_match(&words, 1, "new bsd license"), 3);
    assert_int_equal(words_match(&words, 1, "new bsd license a"), 0);
    assert_int_equal(words_match(&words, 4, "new"), 0);
    assert_true(words_among(&words, 2, " mit bsd "));
    assert_false(words_among(&words, 2, " mit bs bsdl "));
    assert_false(words_among(&words, 9, " mit "));
}

/* More than there is room for: it ends in the middle, and what is there is whole. */
static void what_does_not_fit(void **unused)
{
    const size_t len = 1 << 20;
    char        *text = malloc(len);

    (void)unused;
    assert_non_null(text);
    for (size_t kind = 0; kind < 3; kind++) {
        for (size_t i = 0; i < len; i++) text[i] = kind == 0 ? "a1"[i & 1] : kind == 1 ? '(' : 'x';
        words_read(&words, (struct slice){ text, len });
        assert_true(words.count <= WORDS_MOST && words.len <= WORDS_BYTES);
        assert_int_equal(words.at[words.count], words.len);
        assert_int_equal(words.count, kind == 0 ? WORDS_MOST : 0);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_words_are), cmocka_unit_test(comments), cmocka_unit_test(matches),
        cmocka_unit_test(what_does_not_fit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
