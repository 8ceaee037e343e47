/* tests/unit/page/escape.c -- what a stranger's text becomes in a page: nothing that a browser would obey. */
#include "page/escape.h"
#include "tests/unit/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

static void becomes(struct slice text, bool one_line, const char *wanted)
{
    struct bytes out = { 0 };

    assert_int_equal(escape_html(&out, text, one_line), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_string_equal(out.at, wanted);
    bytes_free(&out);
}

static void test_html(void **unused)
{
    (void)unused;
    becomes(SLICE(""), true, "");
    becomes((struct slice){ NULL, 0 }, true, "");
    becomes(SLICE("plain text"), true, "plain text");
    becomes(SLICE("<script>alert(\"1\")</script>"), true, "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;");
    becomes(SLICE("<svg onload='x()'>&amp;"), true, "&lt;svg onload=&#39;x()&#39;&gt;&amp;amp;");
    becomes(SLICE("a\tb\nc"), true, "a\\x09b\\x0ac");
    becomes(SLICE("a\tb\nc"), false, "a\tb\nc");
    becomes(SLICE("\x1b[31mred\r\x7f"), false, "\\x1b[31mred\\x0d\\x7f");
    becomes(SLICE("a\0b"), false, "a\\x00b");
    becomes(SLICE("\xe2\x80\xaetxt.exe\xe2\x80\x8f\xef\xbb\xbf"), true, "\\u202etxt.exe\\u200f\\ufeff");
    becomes(SLICE("\xff\xc3(\xe2\x82"), true, "\\xff\\xc3(\\xe2\\x82");
    becomes(SLICE("gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80"), true, "gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80");
}

static void test_json(void **unused)
{
    struct bytes out = { 0 };
    cJSON       *value;

    (void)unused;
    assert_int_equal(escape_json(&out, SLICE("</script><!-- \"q\" \\ & \t\n\x1b\xe2\x80\xa8\xff")), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_string_equal(out.at, "\"\\u003c/script\\u003e\\u003c!-- "
                                "\\\"q\\\" \\\\ \\u0026 \\t\\n\\\\x1b\\\\u2028\\\\xff\"");
    value = cJSON_Parse(out.at);
    assert_true(cJSON_IsString(value));
    assert_string_equal(value->valuestring, "</script><!-- \"q\" \\ & \t\n\\x1b\\u2028\\xff");
    cJSON_Delete(value);
    bytes_free(&out);
}

/* Bytes at random, and a line of a megabyte: no mark-up is left, and the JSON is read back as one string. */
static void test_random(void **unused)
{
    static const char letters[] = "<>&\"'\\/\n\t\r\x1b\xe2\x80\xae\xa8\xff\xc3 ab";
    uint64_t          seed = seed_of_run();
    const size_t      room = 1 << 20;
    char             *text = malloc(room);

    (void)unused;
    assert_non_null(text);
    for (int round = 0; round < 200; round++) {
        const size_t len = round == 0 ? room : draw(&seed) % 300;
        struct bytes html = { 0 }, json = { 0 };
        cJSON       *value;

        for (size_t i = 0; i < len; i++) text[i] = letters[draw(&seed) % (sizeof letters - 1)];
        assert_int_equal(escape_html(&html, (struct slice){ text, len }, round % 2), 0);
        for (size_t i = 0; i < html.len; i++) {
            const unsigned char c = (unsigned char)html.at[i];

            assert_false(strchr("<>\"'\x7f", c) || (c < 0x20 && c != '\n' && c != '\t'));
            if (c == '&') assert_true(strchr("lagq#", html.at[i + 1]) && memchr(html.at + i, ';', 6));
        }
        assert_int_equal(escape_json(&json, (struct slice){ text, len }), 0);
        for (size_t i = 0; i < json.len; i++) assert_null(strchr("<>&", json.at[i]));
        value = cJSON_ParseWithLength(json.at, json.len);
        assert_true(cJSON_IsString(value));
        cJSON_Delete(value);
        bytes_free(&html);
        bytes_free(&json);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_html), cmocka_unit_test(test_json), cmocka_unit_test(test_random),
    };

    return cmocka_run_group_tests_name("page/escape", tests, NULL, NULL);
}
