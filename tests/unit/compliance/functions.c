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

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_collected), cmocka_unit_test(test_none) };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
