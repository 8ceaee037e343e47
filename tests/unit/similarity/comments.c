/* tests/unit/similarity/comments.c -- comments that two texts share. */
#include "similarity/comments.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static uint32_t shared(const char *a, const char *b, const char *prompt)
{
    struct err err = { 0 };
    uint32_t   count;

    assert_int_equal(comments_shared(slice_of(a), slice_of(b), slice_of(prompt), &count, &err), 0);
    return count;
}

static void test_published(void **unused)
{
    (void)unused;
    assert_int_equal(shared("# foo\n#bar\nx=\"a#b\"\n#\n# x", "# foo\n# bar\ny=\"a#b\"\n#\n# x", "f(x)"), 2);
    assert_int_equal(shared("# foo\n#  foo", "# foo\n#  foo", ""), 2);
}

static void test_edges(void **unused)
{
    (void)unused;
    assert_int_equal(shared("# a\n# a\n# b", "# b\n# c\n# a\n# a", ""), 2);         /* different ones */
    assert_int_equal(shared("# a ", "# a", ""), 0);
    assert_int_equal(shared("# a b", "# a b", "def f(): # a b c"), 0);
    assert_int_equal(shared("# \xC2\xA0z\xE3\x80\x80", "# \xC2\xA0z\xE3\x80\x80", "z"), 0);
    assert_int_equal(shared("x = 1", "# a", ""), 0);
    assert_int_equal(shared("", "", ""), 0);
    assert_int_equal(comments_count(SLICE("# a\nx # b # c\n\n'#'")), 3);
    assert_true(slice_equal(comments_strip(SLICE(" \xE3\x80\x80 a b\xC2\x85\n")), SLICE("a b")));
    assert_int_equal(comments_strip(SLICE(" \n")).len, 0);
    assert_true(slice_equal(comments_strip(SLICE("\x80\xFF")), SLICE("\x80\xFF")));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_published), cmocka_unit_test(test_edges) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
