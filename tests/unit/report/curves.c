/* tests/unit/report/curves.c -- a picture of curves: where points are, what strangers' names become. */
#include "report/curves.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static char *drawn(const struct curve *curve, size_t count)
{
    struct bytes out = { 0 };
    char        *text;

    assert_int_equal(curves_svg(&out, "T", "A", "U", curve, count), 0);
    text = strndup(out.at, out.len);
    bytes_free(&out);
    assert_non_null(text);
    assert_ptr_equal(strstr(text, "<svg "), text);
    assert_string_equal(text + strlen(text) - 7, "</svg>\n");
    return text;
}

static void has(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("no `%s` in %s", part, text);
}

static void test_points(void **unused)
{
    static const struct curve_point point[] = { { 0, 0 }, { 0.25, 0.5 }, { NAN, 0.5 }, { 1, 1 } };
    const struct curve              curve[] = { { SLICE("one"), "AUC 0.625", point, 4 },
                                                { SLICE("none"), "AUC not defined", NULL, 0 } };
    char                           *text = drawn(curve, 2);

    (void)unused;
    has(text, "points=\"64.00,440.00 164.00,240.00 464.00,40.00 \"");      /* corners of the frame, and between */
    has(text, ">one AUC 0.625</text>");
    has(text, ">none AUC not defined</text>");
    has(text, "points=\"\"");
    has(text, "<title>T</title>");
    free(text);
}

static void test_names(void **unused)
{
    static const struct { struct slice name; const char *shown; } cases[] = {
        { SLICE("</text><script>x</script>"), ">&lt;/text&gt;&lt;script&gt;x&lt;/script&gt; n<" },
        { SLICE("a&b\"c"), ">a&amp;b&quot;c n<" },
        { SLICE("\x1b[2J\0z"), ">\xef\xbf\xbd[2J\xef\xbf\xbdz n<" },
        { SLICE("\xff\xc3\xa9"), "\xc3\xa9 n<" },
        { SLICE("\xef\xbf\xbf"), ">\xef\xbf\xbd n<" },
        { SLICE("0123456789012345678901234567890123x"), ">0123456789012345678901234567890123\xe2\x80\xa6 n<" },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = drawn(&(struct curve){ cases[i].name, "n", NULL, 0 }, 1);

        has(text, cases[i].shown);
        free(text);
    }
}

/* More curves than the frame is high, more than there are colours and dashes. */
static void test_many(void **unused)
{
    struct curve *many = calloc(100, sizeof *many);
    char         *text;

    (void)unused;
    for (size_t i = 0; i < 100; i++) many[i] = (struct curve){ SLICE("c"), "n", NULL, 0 };
    text = drawn(many, 100);
    has(text, "viewBox=\"0 0 860 2304\"");
    free(text);
    free(many);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_points), cmocka_unit_test(test_names),
                                        cmocka_unit_test(test_many) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
