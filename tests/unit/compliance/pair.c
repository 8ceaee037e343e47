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
    assert_int_equal(pair_parse(&pair, SLICE("{\"id\": 7, \"body\": \"a\\n\", \"header\": \"p\", \"license\": null,"
                                             "\"signature\": \"def f(x):\", \"reply\": \"MIT\","
                                             "\"generated\": \"```python\\ndef f(x):\\n    return\\n```\"}"),
                                NULL, &why, &err), 1);
    assert_true(slice_equal(pair.id, SLICE("7")) && slice_equal(pair.reference, SLICE("a\n")));
    assert_true(slice_equal(pair.prompt, SLICE("p")) && slice_equal(pair.reply, SLICE("MIT")));
    assert_true(slice_equal(pair.answer, SLICE("    return")));
    assert_int_equal(pair.license.len, 0);
    pair_free(&pair);
    assert_int_equal(pair_parse(&pair, SLICE("{\"id\": \"x\", \"reference\": \"r\", \"body\": \"b\", "
                                             "\"answer\": \"def g():\", \"generated\": \"no\"}"), NULL, &why, &err), 1);
    assert_true(slice_equal(pair.reference, SLICE("r")) && slice_equal(pair.answer, SLICE("def g():")));
    assert_true(slice_equal(pair.id, SLICE("x")));
    pair_free(&pair);
    assert_int_equal(pair_parse(&pair, SLICE("{\"reference\": \"r\", \"license\": [\"mit\"]}"), NULL, &why, &err), 1);
    assert_true(slice_equal(pair.license, SLICE("MIT")));
    pair_free(&pair);
    assert_int_equal(pair_parse(&pair, SLICE("{\"reference\": \"r\", \"licence\": [\"MIT\", "
                                             "\"GPL-3.0\"]}"), NULL, &why, &err), 1);
    assert_true(slice_equal(pair.license, SLICE("MIT AND GPL-3.0-only")));
    pair_free(&pair);
    assert_int_equal(pair_parse(&pair, SLICE("{\"reference\": \"r\", \"license\": [7]}"), NULL, &why, &err), 1);
    assert_true(slice_equal(pair.license, SLICE("[7]")));
    pair_free(&pair);
    /* null is as not there: what was generated is looked into. */
    assert_int_equal(pair_parse(&pair, SLICE("{\"reference\": \"a\", \"signature\": \"def f(x):\", \"answer\": "
                                             "null, \"generated\": \"```python\\ndef f(x):\\n    return\\n"
                                             "```\"}"), NULL, &why, &err), 1);
    assert_true(slice_equal(pair.answer, SLICE("    return")));
    pair_free(&pair);
    assert_int_equal(pair_parse(&pair, SLICE("{\"reference\": \"r\"}"), NULL, &why, &err), 1);
    assert_true(pair.id.len == 0 && pair.answer.len == 0);
    pair_free(&pair);
}

/* A number's bytes are the id, wherever it stands. */
static void test_numbers(void **unused)
{
    static const struct { const char *line, *id; } cases[] = {
        { "{\"id\": 1234567890123456789, \"reference\": \"a\"}", "1234567890123456789" },
        { "{\"reference\": \"a\", \"id\":1234567890123456790}", "1234567890123456790" },
        { "{\"reference\":\"\\\"},:[\\\\\",\"id\" :\t-1.50E+2 }", "-1.50E+2" },
        { " {\"of\": {\"id\": 1, \"x\": [2, {\"id\": 3}, 4]}, \"l\": [], \"\\u0069d\": 5e0, \"reference\": "
          "\"a\"}", "5e0" },
        { "{\"license\": [\"MIT\", \"ISC\"], \"id\": 7, \"id\": 8, \"reference\": \"a\"}", "7" },
    };
    struct pair pair;
    struct err  err = { 0 };
    const char *why;

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(pair_parse(&pair, slice_of(cases[i].line), NULL, &why, &err), 1);
        if (!slice_equal(pair.id, slice_of(cases[i].id)))
            fail_msg("%s: %.*s", cases[i].line, (int)pair.id.len, pair.id.at);
        pair_free(&pair);
    }
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
                                         "{\"reference\": \"a\", \"id\": true}",
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
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_fields), cmocka_unit_test(test_numbers),
                                        cmocka_unit_test(test_named),
                                        cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
