/* tests/unit/report/marks.c -- changed words in a line. */
#include "report/marks.h"
#include "tests/unit/folder.h"

static void marks(const char *a, const char *b, size_t limit, bool visible, bool colour, const char *expected)
{
    struct bytes out = { 0 };
    struct diff  diff;

    assert_int_equal(diff_words(&diff, slice_of(a), slice_of(b)), 0);
    assert_int_equal(marks_print(&diff, limit, visible, colour, &out), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_string_equal(out.at, expected);
    bytes_free(&out);
    diff_free(&diff);
}

static void test_marks(void **unused)
{
    (void)unused;
    marks("return a + 1;", "return b + 1;", 0, false, false, "return [-a-]{+b+} + 1;");
    marks("f(a);", "f(a, b);", 0, false, false, "f(a{+, b+});");
    marks("int x", "x", 0, false, false, "[-int -]x");
    marks("a x", "b x", 0, false, true, "\x1b[31m[-a-]\x1b[0m\x1b[32m{+b+}\x1b[0m x");
    marks("x \x1b y", "x \xE2\x80\xAE y", 0, true, false, "x [-\\x1b-]{+\\u202e+} y");
    marks("\xC3\xA9t\xC3\xA9 x", "\xC3\xA9t\xC3\xA8 x", 0, true, false, "[-\xC3\xA9t\xC3\xA9-]{+\xC3\xA9t\xC3\xA8+} x");
}

/* What is the same for long is shortened, so that a change far behind is seen. */
static void test_limit(void **unused)
{
    (void)unused;
    marks("0123456789012345678901234567890123456789 a", "0123456789012345678901234567890123456789 b", 40, false, false,
          "... 123456789 [-a-]{+b+}");
    marks("a 0123456789012345678901234567890123456789", "b 0123456789012345678901234567890123456789", 40, false, false,
          "[-a-]{+b+} 012345678 ...");
    marks("a 0123456789012345678901234567890123456789 a", "b 0123456789012345678901234567890123456789 b", 40, false,
          false, "[-a-]{+b+} 012345678 ... 123456789 [-a-]{+b+}");
    marks("x aaaaaaaaaaaaaaaaaaaa y", "x bbbbbbbbbbbbbbbbbbbb y", 12, false, false, "x [-aaaaaaaaaa ...-]{+ ...+} ...");
}

static void test_alike(void **unused)
{
    struct diff diff;

    (void)unused;
    assert_int_equal(diff_words(&diff, SLICE("return a;"), SLICE("return b;")), 0);
    assert_true(marks_alike(&diff));
    diff_free(&diff);
    assert_int_equal(diff_words(&diff, SLICE("a;"), SLICE("bbb;")), 0);
    assert_false(marks_alike(&diff));
    diff_free(&diff);
    assert_int_equal(diff_words(&diff, SLICE("   "), SLICE("   \t")), 0);
    assert_false(marks_alike(&diff));                       /* blanks alone */
    diff_free(&diff);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_marks), cmocka_unit_test(test_limit),
                                        cmocka_unit_test(test_alike) };

    return cmocka_run_group_tests_name("report/marks", tests, NULL, NULL);
}
