/* tests/unit/compliance/functions.c -- functions and answers of two datasets, in their order; what is refused. */
#include "compliance/functions.h"
#include "tests/unit/small_run.h"

#include <errno.h>

static struct small_run r;

static int set_up(void **unused)
{
    (void)unused;
    small_open(&r);
    small_write(&r, "a.jsonl",
                "{\"text\": \"x\", \"body\": \"    return 1\\n\", \"prompt\": \"def f():\\n\", "
                "\"license\": [\"mit\"], \"id\": 7}\n"
                "{\"text\": \"x\", \"reference\": \"x\"}\n"
                "{\"text\": \"y\", \"reference\": \"y\", \"header\": \"def g():\\n\", \"signature\": \"def g():\"}\n");
    small_write(&r, "b.jsonl", "{\"text\": \"z\", \"reference\": \"z\", \"answer\": \"w\", \"reply\": \"MIT\"}\n"
                "{\"text\": \"z\", \"reference\": \"z\", \"answer\": 1}\n"
                "{\"text\": \"v\", \"reference\": \"v\", \"generated\": \"```python\\ndef v():\\n    return 2\\n```\", "
                "\"signature\": \"def v():\"}\n");
    small_write(&r, "c.jsonl", "{\"text\": \"v\", \"reference\": \"v\", \"reply\": []}\n");
    small_start(&r, "datasets:\n  - {name: b, files: b.jsonl}\n  - {name: a, role: benchmark, files: a.jsonl}\n"
                "  - {name: c, files: c.jsonl}\n  - {name: d, files: b.jsonl}\nsensitive: {}\n");
    return 0;
}

static int tear_down(void **unused)
{
    (void)unused;
    small_close(&r);
    return 0;
}

static void is(struct slice text, const char *wanted)
{
    if (!slice_equal(text, slice_of(wanted))) fail_msg("`%.*s`, not `%s`", (int)text.len, text.at, wanted);
}

static void test_collected(void **unused)
{
    static const bool                 pairs[] = { true, false, false, false };
    struct compliance_functions       functions = { .run = &r.run, .benchmark = "a", .pairs = pairs };
    const struct compliance_function *of;
    struct err                        err = { 0 };
    size_t                            count;

    (void)unused;
    if (functions_collect(&functions, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(functions.count, 4);
    assert_true(functions.totals.documents == 4 && functions.totals.rejected == 2);
    of = functions_of(&functions, 0, &count);
    assert_true(count == 2 && of == functions.at && of[0].dataset == 0 && of[1].record == 2);
    is(of[0].answer, "w");
    is(of[0].reply, "MIT");
    is(of[0].id, "b.jsonl:0");
    is(of[1].answer, "    return 2");                       /* from all that was written */
    of = functions_of(&functions, 1, &count);
    assert_true(count == 2 && of[0].record == 0 && of[1].record == 2 && of[1].shard == 1);
    is(of[0].id, "7");
    is(of[0].license, "MIT");
    is(of[0].reference, "    return 1\n");
    is(of[1].prompt, "def g():\n");
    is(of[1].signature, "def g():");
    assert_null(functions_of(&functions, 3, &count));       /* nobody asked for it */
    assert_int_equal(count, 0);
    functions_release(&functions);
    assert_null(functions.at);
}

static void test_none(void **unused)
{
    static const bool           pairs[] = { true, false, true, false };
    struct compliance_functions functions = { .run = &r.run, .benchmark = "", .pairs = pairs };
    struct err                  err = { 0 };

    (void)unused;
    assert_int_equal(functions_collect(&functions, &err), -EINVAL);
    assert_string_equal(err.text, "compliance: no record of `c` is a function with what is asked of it; record 0: "
                                  "`reply` is no string");
    functions_release(&functions);
}

/* id and licence are those fields of the record that its dataset names, with all bytes of a number. */
static void test_fields(void **unused)
{
    static const bool           pairs[] = { true, true };
    static const char *const    ids[] = { "1234567890123456789", "1234567890123456790", "-1.50E+2", "x\n", "n.jsonl:4",
                                          "n.jsonl:5", "m.jsonl:0", "m.jsonl:1" };
    static const char *const    licences[] = { "MIT", "MIT AND GPL-3.0-only", "[7]", "own", "ISC", "", "Zlib", "" };
    static const char *const    refused[] = { "{\"id\": true", "{\"id\": {}", "{\"id\": []", "{\"license\": 7",
                                              "{\"license\": {}", "{\"license\": false" };
    struct small_run            run;
    struct compliance_functions functions = { .run = &run.run, .benchmark = "", .pairs = pairs };
    struct bytes                more = { 0 };
    struct err                  err = { 0 };

    (void)unused;
    small_open(&run);
    small_write(&run, "n.jsonl",
                "{\"reference\": \"a\", \"about\": {\"id\": 1234567890123456789}, \"lic\": \"MIT\", \"id\": 1}\n"
                "{\"about\":{\"x\":[{\"id\":1}],\"id\" :\t1234567890123456790 },\"lic\":[\"mit\",\"gpl-3.0\"],"
                "\"reference\":\"a\"}\n"
                "{\"reference\": \"a\", \"about\": {\"id\": -1.50E+2}, \"lic\": [7]}\n"
                "{\"reference\": \"a\", \"about\": {\"id\": \"x\\n\"}, \"lic\": \"own\"}\n"
                "{\"reference\": \"a\", \"about\": {\"id\": \"\"}, \"lic\": null, \"licence\": [\"ISC\"]}\n"
                "{\"reference\": \"a\", \"about\": {\"id\": null}, \"license\": \"MIT\"}\n");
    assert_int_equal(bytes_printf(&more, "{\"reference\": \"a\", \"licence\": \"Zlib\"}\n"
                                         "{\"reference\": \"a\"}\n"), 0);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_int_equal(bytes_printf(&more, "%s, \"reference\": \"a\"}\n", refused[i]), 0);
    small_write(&run, "m.jsonl", more.at);
    bytes_free(&more);
    small_start(&run, "datasets:\n"
                "  - {name: n, files: n.jsonl, fields: {text: reference, id: about.id, license: lic}}\n"
                "  - {name: m, role: benchmark, files: m.jsonl, fields: {text: reference}}\nsensitive: {}\n");
    if (functions_collect(&functions, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(functions.count, sizeof ids / sizeof *ids);
    assert_int_equal(functions.totals.rejected, sizeof refused / sizeof *refused);
    for (size_t i = 0; i < functions.count; i++) {
        is(functions.at[i].id, ids[i]);
        is(functions.at[i].license, licences[i]);
    }
    functions_release(&functions);
    small_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_collected), cmocka_unit_test(test_none),
                                        cmocka_unit_test(test_fields) };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
