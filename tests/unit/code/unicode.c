/* tests/unit/code/unicode.c -- UTF-8 there and back, what is refused, and the classes of characters. */
#include "code/lexing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static bool is_scalar(uint32_t c) { return c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF); }

/* Every character is written in the length that it has, read back as itself, and cut short it is no character. */
static void there_and_back(void **unused)
{
    (void)unused;
    for (uint32_t c = 0; c <= 0x10FFFF; c++) {
        char   text[4];
        size_t len = (size_t)(unicode_encode(c, text) - text), used = 9;

        assert_int_equal(len, c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4);
        if (unicode_decode(text, len, &used) != (is_scalar(c) ? c : 0xFFFD)) fail_msg("U+%04X", c);
        assert_int_equal(used, is_scalar(c) ? len : 1);
        if (len == 1) continue;
        if (unicode_decode(text, len - 1, &used) != 0xFFFD || used != 1) fail_msg("U+%04X cut short", c);
    }
}

static void what_is_no_character(void **unused)
{
    static const char *const bad[] = {
        "\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC2 ", "\xC3\xC3", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xE2\x82 ",
        "\xED\xA0\x80", "\xED\xBF\xBF", "\xF0\x80\x80\x80", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
        "\xFE", "\xFF",
    };

    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        size_t used = 9;

        if (unicode_decode(bad[i], strlen(bad[i]), &used) != 0xFFFD || used != 1) fail_msg("case %zu", i);
    }
}

static void words(void **unused)
{
    static const uint32_t word[] = { 'a', 'Z', '0', '_', 0xAA, 0xB5, 0xC0, 0xFF, 0xE9, 0x3B1, 0x416, 0x5D0, 0x4E2D,
                                     0x3042, 0xAC00, 0x661, 0x300, 0x1D400, 0x20000 };
    static const uint32_t other[] = { ' ', '-', '$', 0x7F, 0x80, 0xA0, 0xA9, 0xB7, 0xD7, 0xF7, 0x2013, 0x2028, 0x20AC,
                                      0x3000, 0x3002, 0xFEFF, 0xFF01, 0xFFFD, 0x1F600, 0x10FFFF };

    (void)unused;
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (!unicode_is_word(word[i])) fail_msg("U+%04X is a word character", word[i]);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (unicode_is_word(other[i])) fail_msg("U+%04X is no word character", other[i]);
    for (uint32_t c = 0; c < 0x80; c++)
        assert_int_equal(unicode_is_word(c), (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                                                 (c >= 'A' && c <= 'Z') || c == '_');
}

/* The 29 characters for which Python's str.isspace() holds, and no word character among them. */
static void spaces(void **unused)
{
    static const uint32_t space[] = { 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1C, 0x1D, 0x1E, 0x1F, 0x20, 0x85, 0xA0, 0x1680,
                                      0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009,
                                      0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000 };
    size_t                next = 0;

    (void)unused;
    for (uint32_t c = 0; c <= 0x10FFFF; c++) {
        bool expected = next < sizeof space / sizeof *space && space[next] == c;

        if (unicode_is_space(c) != expected) fail_msg("U+%04X", c);
        if (expected && unicode_is_word(c)) fail_msg("U+%04X is a space and a word character", c);
        next += expected;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_and_back), cmocka_unit_test(what_is_no_character), cmocka_unit_test(words),
        cmocka_unit_test(spaces),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
