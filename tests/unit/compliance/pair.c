/* tests/unit/compliance/pair.c -- lines of JSON as functions and answers. */
#include "compliance/pair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void test_fields(void **unused)
{
    struct pair pair;
    struct err  err = { 0 };
    const char *why;

    (void)unused;
    assert_int_equal(pair_parse(&pair, SLICE("{\"id\": 7, \"body\": \"a\\n\", \"header\": \"p\", \"licence\": null,"
                                             "\"signature\": \"def f(x):\", \"reply\": \"MIT\","
                                             "\"generated\": \"```python\\ndef f(x):\\n    return\\n```\"}"),
                                NULL, &why, &err), 1);
    assert_true(slice_equal(pair.reference, SLICE("a\n")));
    assert_true(slice_equal(pair.prompt, SLICE("p")) && slice_equal(pair.reply, SLICE("MIT")));
    assert_true(slice_equal(pair.answer, SLICE("    return")));
    assert_int_equal(pair.licence.len, 0);
    pair_free(&pair);
    assert_int_equal(pair_parse(&pair, SLICE("{\"id\": \"x\", \"reference\": \"r\", \"body\": \"b\", "
                                             "\"answer\": \"def g():\", \"generated\": \"no\"}"), NULL, &why, &err), 1);
    assert_true(slice_equal(pair.reference, SLICE("r")) && slice_equal(pair.answer, SLICE("def g():")));
    pair_free(&pair);
    assert_int_equal(pair_parse(&pair, SLICE("{\"reference\": \"r\", \"licence\": [\"mit\"]}"), NULL, &why, &err), 1);
    assert_true(slice_equal(pair.licence, SLICE("MIT")));
    pair_free(&pair);
    assert_int_equal(pair_parse(&pair, SLICE("{\"reference\": \"r\", \"licence\": [\"MIT\", "
                                             "\"GPL-3.0\"]}"), NULL, &why, &err), 1);
    assert_true(slice_equal(pair.licence, SLICE("MIT AND GPL-3.0-only")));
    pair_free(&pair);
    assert_int_equal(pair_parse(&pair, SLICE("{\"reference\": \"r\", \"licence\": [7]}"), NULL, &why, &err), 1);
    assert_true(slice_equal(pair.licence, SLICE("[7]")));
    pair_free(&pair);
    /* null is as not there: what was generated is looked into. */
    assert_int_equal(pair_parse(&pair, SLICE("{\"reference\": \"a\", \"signature\": \"def f(x):\", \"answer\": "
                                             "null, \"generated\": \"```python\\ndef f(x):\\n    return\\n"
                                             "```\"}"), NULL, &why, &err), 1);
    assert_true(slice_equal(pair.answer, SLICE("    return")));
    pair_free(&pair);
    assert_int_equal(pair_parse(&pair, SLICE("{\"reference\": \"r\"}"), NULL, &why, &err), 1);
    assert_true(pair.licence.len == 0 && pair.answer.len == 0);
    pair_free(&pair);
}

/* The field that is named as the text is the reference, whatever else is there. */
static void test_named(void **unused)
{
    const struct slice text = SLICE("other"), none = SLICE("");
    struct pair        pair;
    struct err         err = { 0 };
    const char        *why;

    (void)unused;
    assert_int_equal(pair_parse(&pair, SLICE("{\"reference\": \"r\", \"solution\": \"other\"}"), &text, &why, &err), 1);
    assert_true(slice_equal(pair.reference, text));
    pair_free(&pair);
    assert_int_equal(pair_parse(&pair, SLICE("{\"reference\": 7, \"solution\": \"other\"}"), &text, &why, &err), 1);
    pair_free(&pair);
    assert_int_equal(pair_parse(&pair, SLICE("{\"reference\": \"r\", \"solution\": \"\"}"), &none, &why, &err), 0);
    assert_non_null(why);
}

static void test_refused(void **unused)
{
    static const char *const lines[] = { "", "[]", "{\"reference\": 1}", "{\"answer\": \"a\"}", "{\"reference\": \"\"}",
                                         "{\"reference\": \"a\", \"answer\": []}", "{\"reference\": \"a\"",
                                         "{\"reference\": \"a\", \"licence\": true}",
                                         "{\"reference\": \"a\", \"reply\": {}}",
                                         "{\"reference\": \"a\\u0000b\"}" };
    struct pair pair;
    struct err  err = { 0 };
    const char *why;

    (void)unused;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_int_equal(pair_parse(&pair, slice_of(lines[i]), NULL, &why, &err), 0);
        assert_non_null(why);
        assert_null(pair.tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_fields), cmocka_unit_test(test_named),
                                        cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
