/* tests/unit/report/visible.c -- which characters are harmless, at the borders of each range, and how others look. */
#include "report/visible.h"
#include "tests/unit/folder.h"

#include <string.h>

static void test_character(void **unused)
{
    static const struct { const char *text; size_t len; bool harmless; } cases[] = {
        { "\t", 1, true }, { "\n", 1, true }, { "\r", 1, false }, { "\x1f", 1, false }, { " ", 1, true },
        { "~", 1, true }, { "\x7f", 1, false },
        { "\xC2\x80", 2, false }, { "\xC2\x9F", 2, false }, { "\xC2\xA0", 2, true },            /* U+80 9F A0 */
        { "\xC2\xAD", 2, false }, { "\xC2\xAE", 2, true }, { "\xD8\x9C", 2, false },            /* U+AD AE 61C */
        { "\xE2\x80\x8A", 3, true }, { "\xE2\x80\x8B", 3, false }, { "\xE2\x80\x8F", 3, false },    /* U+200A B F */
        { "\xE2\x80\x90", 3, true }, { "\xE2\x80\xA8", 3, false }, { "\xE2\x80\xAE", 3, false },    /* U+2010 28 2E */
        { "\xE2\x80\xAF", 3, true }, { "\xE2\x81\xA0", 3, false }, { "\xE2\x81\xAF", 3, false },    /* U+202F 60 6F */
        { "\xEF\xBB\xBF", 3, false }, { "\xEF\xBF\xB9", 3, false }, { "\xEF\xBF\xBC", 3, true },    /* U+FEFF F9 FC */
        { "\xF3\xA0\x80\x80", 4, false }, { "\xF3\xA0\xBF\xBF", 4, false },                     /* U+E0000, E0FFF */
        { "\xF3\xA1\x80\x80", 4, true }, { "\xF0\x9F\x98\x80", 4, true },                       /* U+E1000, 1F600 */
        /* bytes that start no character */
        { "\x80", 1, false }, { "\xFF", 1, false }, { "\xC3", 1, false }, { "\xE2\x80", 1, false },
        { "\xC0\x80", 1, false }, { "\xED\xA0\x80", 1, false }, { "\xF4\x90\x80\x80", 1, false },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool   harmless = !cases[i].harmless;
        size_t len = visible_character(slice_of(cases[i].text), &harmless);

        if (len != cases[i].len || harmless != cases[i].harmless)
            fail_msg("case %zu: %zu bytes, %s", i, len, harmless ? "harmless" : "harmful");
    }
}

static void shows(struct slice text, bool one_line, const char *expected)
{
    struct bytes out = { 0 };

    assert_int_equal(bytes_append(&out, "<", 1), 0);        /* it is appended */
    assert_int_equal(visible_append(&out, text, one_line), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_string_equal(out.at + 1, expected);
    bytes_free(&out);
}

static void test_append(void **unused)
{
    (void)unused;
    shows(SLICE(""), true, "");
    shows(SLICE("a\tb\nc"), false, "a\tb\nc");
    shows(SLICE("a\tb\nc"), true, "a\\x09b\\x0ac");
    shows(SLICE("\x1b[31m\0\r\x7f"), false, "\\x1b[31m\\x00\\x0d\\x7f");
    shows(SLICE("x\xE2\x80\xAEy\xC2\x85\xF3\xA0\x80\x81"), false, "x\\u202ey\\u0085\\ue0001");
    shows(SLICE("\xFFz\xE2\x82"), false, "\\xffz\\xe2\\x82");    /* cut off: each byte by itself */
    shows(SLICE("\xE2\x82\xAC \xC3\xA9"), true, "\xE2\x82\xAC \xC3\xA9");
}

static void test_cut(void **unused)
{
    const struct slice text = SLICE("a\xE2\x82\xAC" "b");   /* 1 + 3 + 1 bytes */
    const size_t       expected[] = { 0, 1, 1, 1, 4, 5, 5 };

    (void)unused;
    for (size_t limit = 0; limit < sizeof expected / sizeof *expected; limit++) {
        const struct slice cut = visible_cut(text, limit);

        assert_ptr_equal(cut.at, text.at);
        assert_int_equal(cut.len, expected[limit]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_character), cmocka_unit_test(test_append), cmocka_unit_test(test_cut),
    };

    return cmocka_run_group_tests_name("report/visible", tests, NULL, NULL);
}
