/* tests/unit/compliance/extraction.c -- bodies in what models wrote, by the published examples. */
#include "compliance/extraction.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void body_is(const char *text, const char *wanted)
{
    const struct slice body = extraction_body(slice_of(text), SLICE("def top(a, b):"));

    if (!slice_equal(body, slice_of(wanted))) fail_msg("`%.*s` instead of `%s`", (int)body.len, body.at, wanted);
}

static void test_published(void **unused)
{
    (void)unused;
    body_is("Here:\n```python\ndef top(a):\n    \"\"\"Doc.\"\"\"\n    x = 1\n    return x\n\n"
            "def other():\n    pass\n```\n",
            "\n    x = 1\n    return x\n");
    body_is("```\n    return 1\n```", "return 1\n");
    body_is("def top(a):\n    x = 2\n    return x\n\nif __name__ == \"__main__\":\n    top(1)\n",
            "x = 2\n    return x\n\nif");
    body_is("def top(a): return 7\n", "a): return 7\n");
    body_is("import x\ndef bottom(a):\n    return 5\n", "    return 5\n");
}

static void test_edges(void **unused)
{
    struct slice answer;

    (void)unused;
    body_is("", "");
    body_is("return 3", "return 3");
    body_is("a\n```\nfirst\n```\n```python\nsecond\n```", "second\n");       /* one of Python goes first */
    body_is("a\n```python\nnever closed\n", "never closed\n");
    body_is("```pythonx = 1```", "x = 1");
    body_is("    '''Doc\n    more'''\n    y\n", "\n    y\n");
    body_is("    \"\"\"open\n    y\n", "    \"\"\"open\n    y\n");
    body_is("    y\n\ndefault = 1\n", "    y\n");
    body_is("x\n# Example usage\nfoo()", "x");
    body_is(" x\nif __name__ == '__main__': y", "x\nif");
    body_is("def top", "");
    body_is("x\ndef (a):\n    y\ndef  f  (z):\n    w\n", "    w\n");        /* one without a name is none */
    answer = extraction_answer(SLICE("\n\n    y\n\n"), SLICE("def top(a):"));
    assert_true(slice_equal(answer, SLICE("    y")));
    answer = extraction_answer(SLICE("def top(a):\n    y\n"), SLICE(""));   /* nothing was asked for */
    assert_true(slice_equal(answer, SLICE("def top(a):\n    y")));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_published), cmocka_unit_test(test_edges) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
