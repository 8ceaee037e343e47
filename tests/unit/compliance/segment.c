/* tests/unit/compliance/segment.c -- functions as head, documentation and body, in both ways. */
#include "compliance/segment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static struct segments segments;
static struct bytes    copy;

static void cut(const char *text, bool published)
{
    static struct lexer     lexer;
    static struct functions functions;
    static struct measures  measures;
    const struct language  *python = language_by_name(SLICE("python"));
    struct err              err = { 0 };

    copy.len = 0;
    assert_int_equal(bytes_append_slice(&copy, slice_of(text)), 0);
    assert_int_equal(lexer_run(&lexer, python, bytes_slice(&copy), LEX_ALL | LEX_COMMENTS, &err), 0);
    assert_int_equal(functions_find(&functions, python, &lexer, bytes_slice(&copy), &err), 0);
    assert_int_equal(measures_take(&measures, python, &lexer, &functions, bytes_slice(&copy), &err), 0);
    assert_int_equal(segments_take(&segments, &lexer, &functions, &measures, bytes_slice(&copy), published, &err), 0);
    lexer_free(&lexer);
    functions_free(&functions);
    measures_free(&measures);
}

static void is(struct slice part, const char *wanted)
{
    if (!slice_equal(part, slice_of(wanted))) fail_msg("`%.*s`, not `%s`", (int)part.len, part.at, wanted);
}

static const char file[] =
    "# head\nimport a\n\nclass C:\n    def m(self):\n        return 1\n\n@deco\ndef f(x,\n      y):\n"
    "    \"\"\"Doc\n    more.\\n\n    \"\"\"\n    z = [x,\n         y,\n    ]\n    return (z\n"
    "            .b()\n    )\n\nq = 1\n";

static void test_exact(void **unused)
{
    (void)unused;
    cut(file, false);
    assert_int_equal(segments.count, 2);
    is(segments.header, "# head\nimport a\n\nclass C:\n    def m(self):\n        return 1\n\n@deco\n");
    is(segments.at[0].signature, "def f(x,\n      y):\n");
    is(segments.at[0].docstring, "    \"\"\"Doc\n    more.\\n\n    \"\"\"\n");
    is(segments.at[0].body, "    z = [x,\n         y,\n    ]\n    return (z\n            .b()\n    )\n");
    is(segments.at[1].signature, "    def m(self):\n");
    is(segments.at[1].docstring, "");
    is(segments.at[1].body, "        return 1\n");
}

static void test_published(void **unused)
{
    (void)unused;
    cut(file, true);
    is(segments.at[0].signature, "def f(x,\n");
    /* the documentation's value has three line feeds, one of them written as \n */
    is(segments.at[0].docstring, "      y):\n    \"\"\"Doc\n    more.\\n\n    \"\"\"\n    z = [x,\n");
    is(segments.at[0].body, "         y,\n    ]\n    return (z\n");
}

/* Functions in blocks, by how deep Python's syntax tree has them. */
static void test_order(void **unused)
{
    static const char text[] =
        "if a:\n    def b(): pass\nelif c:\n    def d(): pass\nelif e:\n    def f(): pass\nelse:\n    def g(): pass\n"
        "try:\n    def h(): pass\nexcept E:\n    def i(): pass\nelse:\n    def j(): pass\n"
        "class K:\n    x = [\n1]\n    def l(): pass\n    def m():\n        def n(): pass\ndef o(): pass\n";
    static const char    order[] = "obhjlmdinfg";
    static const uint32_t depth[] = { 1, 2, 2, 2, 2, 2, 3, 3, 3, 4, 4 };

    (void)unused;
    cut(text, false);
    assert_int_equal(segments.count, 11);
    for (size_t i = 0; i < segments.count; i++) {
        const char *name = memmem(segments.at[i].signature.at, segments.at[i].signature.len, "def ", 4);

        assert_non_null(name);
        if (name[4] != order[i] || segments.at[i].depth != depth[i])
            fail_msg("%zu is %c at %u, not %c at %u", i, name[4], segments.at[i].depth, order[i], depth[i]);
    }
}

static void test_edges(void **unused)
{
    (void)unused;
    cut("x = 1\n", false);
    assert_int_equal(segments.count, 0);
    is(segments.header, "x = 1\n");
    cut("", true);
    assert_int_equal(segments.count, 0);
    cut("def f(): return 1", true);
    is(segments.at[0].signature, "def f(): return 1");
    is(segments.at[0].body, "");
    segments_free(&segments);
    bytes_free(&copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact), cmocka_unit_test(test_published), cmocka_unit_test(test_order),
        cmocka_unit_test(test_edges),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
