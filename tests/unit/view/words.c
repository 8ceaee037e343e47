/* tests/unit/view/words.c -- where words are: texts by hand, and one buffer for texts of any length. */
#include "view/words.h"

#include "kernels/kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>

static struct view_words words;

/* expect: the words, a blank between two. */
static void check(const char *text, const char *expect)
{
    struct err err = { 0 };
    char       got[512] = "";
    size_t     at = 0;

    if (view_words_find(&words, slice_of(text), &err) < 0) fail_msg("%s", err.text);
    for (size_t i = 0; i < words.count; i++) {
        const struct slice word = view_words_at(&words, text, i);

        assert_true(word.len && at + word.len + 2 < sizeof got);
        if (i) got[at++] = ' ';
        memcpy(got + at, word.at, word.len);
        at += word.len;
    }
    got[at] = 0;
    assert_string_equal(got, expect);
}

static void test_texts(void **unused)
{
    (void)unused;
    check("", "");
    check(" \t\n", "");
    check("one", "one");
    check("for (int i_2 = 0; i_2<n; i_2++)", "for int i_2 0 i_2 n i_2");
    check("a.b-c/d@e[f`g{h", "a b c d e f g h");
    check("na\xc3\xafve \xff \x80", "na\xc3\xafve \xff \x80");
    check("_ 0 z Z 9_", "_ 0 z Z 9_");
}

/* A buffer that has had a short text has room for a long one, and the other way round. */
static void test_lengths(void **unused)
{
    char text[1000];

    (void)unused;
    for (size_t i = 0; i < sizeof text; i++) text[i] = i % 2 ? ' ' : 'x';
    for (size_t len = 0; len <= sizeof text; len = len * 2 + 1)
        for (int again = 0; again < 2; again++) {
            struct err err = { 0 };

            assert_int_equal(view_words_find(&words, (struct slice){ text, again ? len / 3 : len }, &err), 0);
            assert_int_equal(words.count, ((again ? len / 3 : len) + 1) / 2);
            for (size_t i = 0; i < words.count; i++)
                assert_true(words.start[i] == 2 * i && words.end[i] == 2 * i + 1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_texts), cmocka_unit_test(test_lengths) };
    int                     rc;

    kernels = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS"));
    if (!kernels) return 1;
    rc = cmocka_run_group_tests(tests, NULL, NULL);
    view_words_free(&words);
    return rc;
}
