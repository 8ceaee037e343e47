/* tests/unit/report/window.c -- a short text is found in a long one, whatever the order of its tokens. */
#include "report/window.h"
#include "tests/unit/folder.h"

static void finds(const char *text, const char *part, const char *expected, uint32_t first, uint32_t last)
{
    struct window window;
    struct err    err = { 0 };

    assert_int_equal(window_find(&window, slice_of(text), slice_of(part), language_by_name(SLICE("java")), &err), 0);
    assert_int_equal(window.text.len, strlen(expected));
    assert_memory_equal(window.text.at, expected, strlen(expected));
    assert_int_equal(window.first, first);
    assert_int_equal(window.last, last);
}

static void test_find(void **unused)
{
    const char *text = "class A {\n  int x;\n  int f(int y) {\n    // why\n    return y + 1;\n  }\n  int z;\n}\n";

    (void)unused;
    finds(text, "int f(int y) { return y + 1; }", "  int f(int y) {\n    // why\n    return y + 1;\n  }\n", 2, 5);
    finds(text, "int z;", "  int z;\n", 6, 6);
    finds(text, "", text, 0, 7);
    finds("a", "a b c", "a", 0, 0);
    finds("", "a", "", 0, 0);
    finds("q\nb a", "a b", "b a", 1, 1);                    /* another order, no line end at the end */
    finds("x\ny\n", "nothing", "x\n", 0, 0);
}

/* A text on one line is cut where the tokens are. */
static void test_one_line(void **unused)
{
    struct bytes  text = { 0 };
    struct window window;
    struct err    err = { 0 };

    (void)unused;
    for (int i = 0; i < 2000; i++)
        assert_int_equal(bytes_printf(&text, i == 1000 ? "here it is; " : "a%d = b; ", i), 0);
    assert_int_equal(window_find(&window, bytes_slice(&text), SLICE("here it is;"), language_generic(), &err), 0);
    assert_int_equal(window.text.len, strlen("here it is;"));
    assert_memory_equal(window.text.at, "here it is;", window.text.len);
    assert_int_equal(window.lines, 1);
    bytes_free(&text);
}

static void lines(const char *text, uint64_t first, uint64_t last, const char *expected, uint32_t from, uint32_t to)
{
    struct window window;

    window_lines(&window, slice_of(text), first, last);
    assert_int_equal(window.text.len, strlen(expected));
    assert_memory_equal(window.text.at, expected, window.text.len);
    assert_int_equal(window.first, from);
    assert_int_equal(window.last, to);
}

static void test_lines(void **unused)
{
    (void)unused;
    lines("a\nb\nc\n", 0, 0, "a\n", 0, 0);
    lines("a\nb\nc\n", 1, 2, "b\nc\n", 1, 2);
    lines("a\nb\nc", 1, UINT32_MAX, "b\nc", 1, 2);
    lines("a\nb\nc", 2, 1, "c", 2, 2);
    lines("a\nb\nc", 7, 9, "c", 2, 2);                       /* beyond the end: the last one */
    lines("", 1, 2, "", 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_find), cmocka_unit_test(test_one_line),
                                        cmocka_unit_test(test_lines) };

    return cmocka_run_group_tests_name("report/window", tests, NULL, NULL);
}
