/* tests/unit/report/diff_text.c -- how a diff is printed: marks, three lines of context, limits, colours. */
#include "report/diff_text.h"
#include "tests/unit/folder.h"

#include <string.h>

static void prints(const char *a, const char *b, const struct diff_style *style, const char *expected)
{
    struct bytes out = { 0 };
    struct diff  diff;

    assert_int_equal(diff_lines(&diff, slice_of(a), slice_of(b)), 0);
    assert_int_equal(diff_print(&diff, style, &out), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_string_equal(out.at, expected);
    bytes_free(&out);
    diff_free(&diff);
}

static void test_marks(void **unused)
{
    const struct diff_style plain = { 0 }, colour = { .colour = true };

    (void)unused;
    prints("", "", &plain, "");
    prints("a\nb\nc", "a\nx\nc\n", &plain, " a\n-b\n+x\n c\n");
    prints("a\nb\nc", "a\nx\nc\n", &colour, " a\n\x1b[31m-b\x1b[0m\n\x1b[32m+x\x1b[0m\n c\n");
}

/* What lies further than three lines from a change is one line that says so, when that is shorter than what it stands
 * for. */
static void test_context(void **unused)
{
    const struct diff_style plain = { 0 }, colour = { .colour = true };

    (void)unused;
    prints("1\n2\n3\n4\nx\n", "1\n2\n3\n4\ny\n", &plain, " 1\n 2\n 3\n 4\n-x\n+y\n");    /* one line: no shorter */
    prints("1\n2\n3\n4\n5\nx\n", "1\n2\n3\n4\n5\ny\n", &plain,
           "@@ 2 equal lines from 1 and 1 on @@\n 3\n 4\n 5\n-x\n+y\n");
    prints("x\n1\n2\n3\n4\n5\n", "y\n1\n2\n3\n4\n5\n", &plain,
           "-x\n+y\n 1\n 2\n 3\n@@ 2 equal lines from 5 and 5 on @@\n");
    prints("x\n1\n2\n3\n4\n5\n6\n7\nx\n", "1\n2\n3\n4\n5\n6\n7\ny\n", &plain,
           "-x\n 1\n 2\n 3\n 4\n 5\n 6\n 7\n-x\n+y\n");
    prints("x\n1\n2\n3\n4\n5\n6\n7\n8\nx\n", "1\n2\n3\n4\n5\n6\n7\n8\ny\n", &plain,
           "-x\n 1\n 2\n 3\n@@ 2 equal lines from 5 and 4 on @@\n 6\n 7\n 8\n-x\n+y\n");
    prints("x\n1\n2\n3\n4\n5\n", "y\n1\n2\n3\n4\n5\n", &colour,
           "\x1b[31m-x\x1b[0m\n\x1b[32m+y\x1b[0m\n 1\n 2\n 3\n"
           "\x1b[36m@@ 2 equal lines from 5 and 5 on @@\x1b[0m\n");
}

static void test_limits(void **unused)
{
    (void)unused;
    prints("a\nb\nc\n", "x\n", &(struct diff_style){ .line_limit = 2 }, "-a\n-b\n@@ 2 more lines @@\n");
    prints("a\nb\nc\n", "x\n", &(struct diff_style){ .line_limit = 4 }, "-a\n-b\n-c\n+x\n");
    prints("x\n1\n2\n3\n4\n5\n", "1\n2\n3\n4\n5\n", &(struct diff_style){ .line_limit = 4 },
           "-x\n 1\n 2\n 3\n@@ 1 more lines @@\n");         /* a gap is a line */
    prints("abc\n", "a\xE2\x82\xAC\n", &(struct diff_style){ .line_bytes = 3 }, "-abc\n+a ...\n");
}

static void test_visible(void **unused)
{
    (void)unused;
    prints("\x1b[2J\n", "\xFF\t\n", &(struct diff_style){ .visible = true }, "-\\x1b[2J\n+\\xff\t\n");
    prints("\x1b[2J\n", "\xFF\t\n", &(struct diff_style){ 0 }, "-\x1b[2J\n+\xFF\t\n");
}

/* A line that is nearly the same is one line with marks; order is kept on both sides, and work is bounded. */
static void test_words(void **unused)
{
    const struct diff_style plain = { 0 };
    struct bytes            a = { 0 }, b = { 0 }, out = { 0 };
    struct diff             diff;

    (void)unused;
    prints("int a = 1;\nq\n", "new\nint a = 2;\nr\n", &plain, "+new\n!int a = [-1-]{+2+};\n-q\n+r\n");
    prints("int a = 1;\n", "int a = 2;\n", &(struct diff_style){ .whole_lines = true }, "-int a = 1;\n+int a = 2;\n");
    prints("a b c x\na b c y\n", "a b c z\na b c w\n", &(struct diff_style){ .line_limit = 1 },
           "!a b c [-x-]{+z+}\n@@ 1 more lines @@\n");
    prints("x\n1\n2\n3\n4\n5\n", "y\n1\n2\n3\n4\n5\n",
           &(struct diff_style){ .a_line = (uint32_t[]){ 0, 0, 0, 0, 7, 8 },
                                 .b_line = (uint32_t[]){ 0, 0, 0, 0, 4, 5 } },
           "-x\n+y\n 1\n 2\n 3\n@@ 2 equal lines from 8 and 5 on @@\n");
    for (int i = 0; i < 40000; i++) {                       /* long lines of other words in another order */
        assert_int_equal(bytes_printf(&a, "%d %c", i * 7919 % 40009, i % 400 ? ' ' : '\n'), 0);
        assert_int_equal(bytes_printf(&b, "%d %c", i * 9973 % 40013, i % 400 ? ' ' : '\n'), 0);
    }
    assert_int_equal(diff_lines(&diff, bytes_slice(&a), bytes_slice(&b)), 0);
    assert_int_equal(diff_print(&diff, &plain, &out), 0);
    assert_true(out.len > a.len + b.len);
    diff_free(&diff);
    bytes_free(&a);
    bytes_free(&b);
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_marks), cmocka_unit_test(test_context), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_visible), cmocka_unit_test(test_words),
    };

    return cmocka_run_group_tests_name("report/diff_text", tests, NULL, NULL);
}
