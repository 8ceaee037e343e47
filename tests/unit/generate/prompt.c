/* tests/unit/generate/prompt.c -- where a text is cut so that a model goes on with it. */
#include "model/sample.h"
#include "generate/generate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static void head_is(const char *text, const char *wanted)
{
    const struct slice got = prompt_head(slice_of(text));

    if (got.len != strlen(wanted) || memcmp(got.at ? got.at : "", wanted, got.len) != 0)
        fail_msg("of\n%s\nthe head is\n%.*s\nnot\n%s", text, (int)got.len, got.at, wanted);
}

static void no_head(const char *text) { head_is(text, ""); }

/* The published examples. */
static void test_published(void **unused)
{
    (void)unused;
    head_is("# lic\nimport os\ndef f(a,\n      b):\n    \"\"\"Doc\n    more\"\"\"\n    return a\n",
            "# lic\nimport os\ndef f(a,\n      b):\n    \"\"\"Doc");
    head_is("def g(x):\n    # c\n    return x", "def g(x):\n    # c");
    head_is("class A:\n    def m(self):\n        pass\ndef f():\n    pass\n",
            "class A:\n    def m(self):\n        pass\ndef f():");
    head_is("class A:\n    x = 1\n    def m(self):\n        pass\n", "class A:\n    x = 1\n    def m(self):");
    head_is("import os\ndef f(): return 1\n", "import os");
}

/* First statements of a body. */
static void test_bodies(void **unused)
{
    (void)unused;
    head_is("def f():\n    '''Doc'''\n    pass\n", "def f():");
    head_is("def f():\n    r\"\"\"Doc\"\"\"\n    pass\n", "def f():");
    head_is("def f():\n    \"\"\"Doc\"\"\"; x = 1\n    pass\n", "def f():\n    \"\"\"Doc\"\"\"; x = 1");
    head_is("def f():\n    # \"\"\"\n    \"Doc\"\n    pass\n", "def f():\n    # \"\"\"");
    head_is("def f(a,\n      b): return a\n", "def f(a,");          /* the body is in the head's last line */
    head_is("x = 1\ndef f(): # why\n    return a\n", "x = 1\ndef f(): # why");
    head_is("def f(): \\\n  pass\n", "def f(): \\");
    head_is("def f():\n    @decorated\n    # c\n    def g(): pass\n", "def f():\n    @decorated\n    # c");
    head_is("def f():\r\n    return 1\r\n", "def f():\r");
    no_head("def f(): return 1\n");                         /* nothing is left in front of it */
    no_head("def f():\n");
    no_head("def f():\nreturn 1\n");
}

/* What stands around a definition. */
static void test_heads(void **unused)
{
    (void)unused;
    head_is("@a(b)\n@c\nasync def f(x: dict[str, int] = {'a': 1}, *, y=(1, 2)) -> 'def g():':\n    return x\n",
            "@a(b)\n@c\nasync def f(x: dict[str, int] = {'a': 1}, *, y=(1, 2)) -> 'def g():':");
    head_is("async  def\tf (\n):\n  return 1\n", "async  def\tf (\n):");
    head_is("def f[T: int](x: lambda: 0 = (lambda: 1)()\n): # :\n  return 1\n",
            "def f[T: int](x: lambda: 0 = (lambda: 1)()\n): # :");
    head_is("s = '''\ndef no():\n    pass\n'''\nt = \"def no(): \\\" #\"\n# def no():\nu = [\ndef_no,\n]\ndefine = "
            "1\ndef f():\n    pass\n",
            "s = '''\ndef no():\n    pass\n'''\nt = \"def no(): \\\" #\"\n# def no():\nu = [\ndef_no,\n]\ndefine = "
            "1\ndef f():");
    head_is("x = 'a\\\nb'\ny = 'a\\\r\nb'\nz = 1 + \\\n  2\ndef f():\n\tpass\n",
            "x = 'a\\\nb'\ny = 'a\\\r\nb'\nz = 1 + \\\n  2\ndef f():");
}

/* Breadth first: the least depth, then the first. */
static void test_depths(void **unused)
{
    (void)unused;
    head_is("def f():\n    def g():\n        pass\n    pass\n", "def f():");
    head_is("class A:\n    class B:\n        def m(s):\n            pass\n    def n(s):\n        pass\n",
            "class A:\n    class B:\n        def m(s):\n            pass\n    def n(s):");
    head_is("if a:\n    pass\nelif b:\n    def f():\n        pass\nclass C:\n    def g():\n        pass\n",
            /* elif: an if within the if */
            "if a:\n    pass\nelif b:\n    def f():\n        pass\nclass C:\n    def g():");
    head_is("if a:\n    pass\nelif b:\n    pass\nelse:\n    def f():\n        pass\nclass C:\n    def g():\n        "
            "pass\n",
            "if a:\n    pass\nelif b:\n    pass\nelse:\n    def f():\n        pass\nclass C:\n    def g():");
    head_is("if a:\n    pass\nelse:\n    def f():\n        pass\nclass C:\n    def g():\n        pass\n",
            "if a:\n    pass\nelse:\n    def f():");
    head_is("if a:\n    pass\nelif b:\n    pass\nfor i in b:\n    pass\nelse:\n    def f():\n        pass\nclass C:\n "
            "   def g():\n        pass\n",
            "if a:\n    pass\nelif b:\n    pass\nfor i in b:\n    pass\nelse:\n    def f():");
    head_is("try:\n    pass\nexcept E:\n    def f():\n        pass\nelse:\n    def g():\n        pass\n",
            "try:\n    pass\nexcept E:\n    def f():\n        pass\nelse:\n    def g():");
    head_is("match x:\n    case 1:\n        def f():\n            pass\nclass C:\n    class D:\n        def g():\n    "
            "        pass\n",
            "match x:\n    case 1:\n        def f():");
}

/* Texts that are no Python. */
static void test_refused(void **unused)
{
    char *deep = malloc(20000);
    size_t n = 0;

    (void)unused;
    no_head("");
    no_head("x = 1\n");
    no_head("x = 'open\ndef f():\n    pass\n");
    no_head("x = '''open\ndef f():\n    pass\n");
    no_head("x = (1]\ndef f():\n    pass\n");
    no_head("x = 1)\ndef f():\n    pass\n");
    no_head("def f(:\n    pass\n");
    no_head("  x = 1\ndef f():\n    pass\n");
    no_head("x = 1\n  y = 1\ndef f():\n    pass\n");
    no_head("if x:\n    y = 1\n  z = 1\ndef f():\n    pass\n");
    no_head("cost: $1\ndef f():\n    pass\n");
    no_head("a \\ b\ndef f():\n    pass\n");
    no_head("def f()\n    pass\n");
    no_head("\\");
    no_head("'\\");
    assert_non_null(deep);
    for (size_t i = 0; i < 101; i++) {                      /* one more than the tokenizer takes */
        memset(deep + n, ' ', i);
        n += i + (size_t)snprintf(deep + n + i, 8, "if x:\n");
    }
    snprintf(deep + n, 400, "%101sdef f():\n%102spass\n", "", "");
    no_head(deep);
    free(deep);
}

static void test_pieces(void **unused)
{
    char text[2048] = "#";

    (void)unused;
    for (size_t i = 0; i < 218; i++) strcat(text, " x");
    strcat(text, "\ndef f():\n    pass\n");                  /* 219 pieces and one more in the head */
    assert_int_equal(prompt_head(slice_of(text)).len, 1 + 2 * 218 + 9);
    strcpy(text, "# x");
    for (size_t i = 0; i < 218; i++) strcat(text, " x");
    strcat(text, "\ndef f():\n    pass\n");
    no_head(text);
}

static void test_lines(void **unused)
{
    (void)unused;
    assert_int_equal(prompt_lines(SLICE("a\nb\nc\n"), 2).len, 3);
    assert_int_equal(prompt_lines(SLICE("a\nb\nc\n"), 1).len, 1);
    assert_int_equal(prompt_lines(SLICE("a\nb"), 7).len, 3);
    assert_int_equal(prompt_lines(SLICE(""), 1).len, 0);
}

/* The two temperature decays: 10 - 9 step / 20, and 20 falling by 1 down to 1. */
static void test_decays(void **unused)
{
    struct model_sampling published = { .temperature = 1 }, paper = { .temperature = 1 };

    (void)unused;
    generate_decay(&published, DECAY_PUBLISHED);
    generate_decay(&paper, DECAY_PAPER);
    for (uint32_t step = 0; step < 40; step++) {
        assert_true(fabs(sample_temperature(&published, step) - (step < 20 ? 10 - 9.0 * step / 20 : 1)) < 1e-12);
        assert_true(fabs(sample_temperature(&paper, step) - (step < 19 ? 20 - (double)step : 1)) < 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published), cmocka_unit_test(test_bodies), cmocka_unit_test(test_heads),
            cmocka_unit_test(test_depths),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_pieces), cmocka_unit_test(test_lines),
            cmocka_unit_test(test_decays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
