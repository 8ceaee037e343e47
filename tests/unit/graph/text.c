/* tests/unit/graph/text.c -- text that is valid is lent, any other becomes valid with U+FFFD where it was not. */
#include "graph/text.h"

#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#define BAD "\xEF\xBF\xBD"

static void test_cases(void **state)
{
    static const struct { struct slice text; const char *out; } cases[] = {
        { { "", 0 }, NULL }, { { "plain", 5 }, NULL }, { { "exactly8", 8 }, NULL },
        { { "gr\xC3\xBC\xC3\x9F", 6 }, NULL },
        { { "nine ascii", 10 }, NULL }, { { "\xF0\x9F\x90\xB1 in the eight", 17 }, NULL },
        { { "\0", 1 }, BAD }, { { "a\0b", 3 }, "a" BAD "b" }, { { "\0\0", 2 }, BAD BAD },
        { { "seven77\0", 8 }, "seven77" BAD }, { { "\xFFseven77", 8 }, BAD "seven77" },
        { { "a\xC3", 2 }, "a" BAD }, { { "\xC3\0\xBC", 3 }, BAD BAD BAD }, { { "eight888\x80", 9 }, "eight888" BAD },
        { { "\xED\xA0\x80", 3 }, BAD BAD BAD }, { { "gr\xC3\xBC\0", 5 }, "gr\xC3\xBC" BAD },
    };
    struct bytes scratch = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct slice out;

        assert_int_equal(text_make_valid(cases[i].text, &scratch, &out), 0);
        if (!cases[i].out) assert_true(out.at == cases[i].text.at && out.len == cases[i].text.len);
        else if (!slice_equal(out, slice_of(cases[i].out)))
            fail_msg("%zu: %.*s, not %s", i, (int)out.len, out.at, cases[i].out);
    }
    bytes_free(&scratch);
}

/* Whatever stands where: what comes out is valid and has no NUL, and is the text itself when that was so. */
static void test_every_place(void **state)
{
    struct bytes scratch = { 0 };

    (void)state;
    for (unsigned byte = 0; byte < 256; byte++) {
        for (size_t at = 0; at < 20; at++) {
            char         text[20];
            struct slice out;

            memset(text, 'x', sizeof text);
            text[at] = (char)byte;
            assert_int_equal(text_make_valid((struct slice){ text, sizeof text }, &scratch, &out), 0);
            assert_null(memchr(out.at, 0, out.len));
            assert_int_equal(utf8_valid_length(out), out.len);
            assert_int_equal(out.at == text, byte > 0 && byte < 0x80);
        }
    }
    bytes_free(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_cases), cmocka_unit_test(test_every_place) };

    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
