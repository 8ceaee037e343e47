/* export/xml: whatever the text is, it stands in XML. */
#include "export/xml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_append(void **state)
{
    static const struct { struct slice text; const char *xml; } cases[] = {
        { { "", 0 }, "" }, { { "plain", 5 }, "plain" }, { { "<a b=\"c\">&", 10 }, "&lt;a b=&quot;c&quot;&gt;&amp;" },
        { { "\t\n\r", 3 }, "&#9;&#10;&#13;" },
        { { "\x1B[0m\x7F", 5 }, "\xEF\xBF\xBD[0m\xEF\xBF\xBD" }, { { "a\0b", 3 }, "a\xEF\xBF\xBD" "b" },
        { { "\xEF\xBF\xBE\xEF\xBF\xBF\xEF\xBF\xBD", 9 }, "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD" },
        { { "\xF0\x9F\x98\x80\xE2\x80\xAE", 7 }, "\xF0\x9F\x98\x80\xE2\x80\xAE" },
    };
    struct bytes out = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        out.len = 0;
        assert_int_equal(xml_append(&out, cases[i].text), 0);
        assert_int_equal(bytes_append(&out, "", 1), 0);
        assert_string_equal(out.at, cases[i].xml);
    }
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_append) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
