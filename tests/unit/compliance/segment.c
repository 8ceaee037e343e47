/* tests/unit/compliance/segment.c -- functions as head, documentation and body, in both ways. */
#include "compliance/segment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static struct segments segments;
static struct bytes    copy;

static void cut(const char *text, enum segment_how how)
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
    if (how == SEGMENT_BY_TEXT)
        assert_int_equal(segments_find_text(&functions, &lexer, bytes_slice(&copy), &err), 0);
    assert_int_equal(measures_take(&measures, python, &lexer, &functions, bytes_slice(&copy), &err), 0);
    assert_int_equal(segments_take(&segments, &lexer, &functions, &measures, bytes_slice(&copy), how, &err), 0);
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
    cut(file, SEGMENT_EXACT);
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
    cut(file, SEGMENT_PUBLISHED);
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
    cut(text, SEGMENT_EXACT);
    assert_int_equal(segments.count, 11);
    for (size_t i = 0; i < segments.count; i++) {
        const char *name = memmem(segments.at[i].signature.at, segments.at[i].signature.len, "def ", 4);

        assert_non_null(name);
        if (name[4] != order[i] || segments.at[i].depth != depth[i])
            fail_msg("%zu is %c at %u, not %c at %u", i, name[4], segments.at[i].depth, order[i], depth[i]);
    }
}

/* Heads, documentation and bodies where nothing says what is a statement. */
static void test_by_text(void **unused)
{
    static const char text[] =
        "import os\n\nclass C:\n    def m(self):\n        print 'm'\n\ndef f(a, b={\":\": 1},\n      c=3) :  \n"
        "    ur\"\"\"Doc: it\n    says def x():\ndef no(): pass\n    \"\"\"\n    print a\n    def inner(): return 1\n"
        "    try: b()\n    except E, e: print e\n\n@deco\ndef g(): return 'def h():'\ndefine = 1\n"
        "def h(x,\n    y\ndef i(x): \n\n    '''One.''' ; z = 1\n    return z\nasync def j(x):\n    print x";

    (void)unused;
    cut(text, SEGMENT_BY_TEXT);
    assert_int_equal(segments.count, 4);
    is(segments.header, "import os\n\nclass C:\n    def m(self):\n        print 'm'\n\n");
    is(segments.at[0].signature, "def f(a, b={\":\": 1},\n      c=3) :  \n");
    is(segments.at[0].docstring, "    ur\"\"\"Doc: it\n    says def x():\ndef no(): pass\n    \"\"\"\n");
    is(segments.at[0].body,
       "    print a\n    def inner(): return 1\n    try: b()\n    except E, e: print e\n\n@deco\n");
    assert_true(segments.at[0].documented && segments.at[0].depth == 1);
    is(segments.at[1].signature, "def g(): return 'def h():'\n");
    is(segments.at[1].body, "define = 1\n");
    assert_false(segments.at[1].documented);
    /* `def h` has no colon before the next one; an `async def` does not end a body, as it does not begin with `def` */
    is(segments.at[2].signature, "def i(x): \n");
    is(segments.at[2].docstring, "\n    '''One.''' ; z = 1\n");
    is(segments.at[2].body, "    return z\nasync def j(x):\n    print x");
    is(segments.at[3].signature, "    def m(self):\n");
    is(segments.at[3].body, "        print 'm'\n\n");
    assert_int_equal(segments.at[3].depth, 2);
}

static void test_by_text_edges(void **unused)
{
    static const char *const none[] = { "", "def", "def ", "def f", "def f(", "def f()", "print 'def'", "def (x): pass",
                                        "undef f(): pass", "x = 1; def f(): pass" };

    (void)unused;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        cut(none[i], SEGMENT_BY_TEXT);
        assert_int_equal(segments.count, 0);
        is(segments.header, none[i]);
    }
    cut("async  def f():", SEGMENT_BY_TEXT);
    assert_int_equal(segments.count, 1);
    is(segments.at[0].signature, "async  def f():");
    cut("def f():\n\t'''open\n", SEGMENT_BY_TEXT);
    is(segments.at[0].docstring, "");
    is(segments.at[0].body, "\t'''open\n");
    cut("def f():\r\n    \"\"\"a\"\"\"\r\n    print 1\r\ndef g(): pass\r\n", SEGMENT_BY_TEXT);
    assert_int_equal(segments.count, 2);
    is(segments.at[0].docstring, "    \"\"\"a\"\"\"\r\n");
    is(segments.at[0].body, "    print 1\r\n");
}

static void test_edges(void **unused)
{
    (void)unused;
    cut("x = 1\n", SEGMENT_EXACT);
    assert_int_equal(segments.count, 0);
    is(segments.header, "x = 1\n");
    cut("", SEGMENT_PUBLISHED);
    assert_int_equal(segments.count, 0);
    cut("def f(): return 1", SEGMENT_PUBLISHED);
    is(segments.at[0].signature, "def f(): return 1");
    is(segments.at[0].body, "");
    segments_free(&segments);
    bytes_free(&copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact), cmocka_unit_test(test_published), cmocka_unit_test(test_order),
        cmocka_unit_test(test_by_text), cmocka_unit_test(test_by_text_edges), cmocka_unit_test(test_edges),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
