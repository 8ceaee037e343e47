/* tests/unit/code/function_python.c -- functions of blocks that are indented. */
#include "functions.h"

static void plain(void **unused)
{
    (void)unused;
    expect_functions("python", "def f(a):\n    return g(a)\n", "f 1-2 def..(a)");
    expect_functions("python", "x = 1\ndef f(): return 1\ny = 2\n", "f 2-2 def..n 1");
    expect_functions("python", "async def f(a,\n  b=lambda x: {1: 2}) -> Dict[int, str]:\n  pass\n\n# c\nz\n",
                     "f 1-3 async..ass");
    expect_functions("python", "@deco(1)\ndef f():\n    pass\n", "f 2-3 def..ass");
    expect_functions("python", "", "");
    expect_functions("python", "def", "");
}

static void nested(void **unused)
{
    (void)unused;
    expect_functions("python",
                     "class A:\n    def m(self):\n        def g():\n            pass\n        return g\n\n"
                     "    async def n(self): pass\ndef h():\n\tclass B:\n\t\tdef k(self):\n\t\t\tpass\n",
                     "A.m 2-5 def..n g; A.m/g 3-4 def..ass; A.n 7-7 async..ass; h 8-11 def..ass; B.k 10-11 def..ass");
    expect_functions("python", "if X:\n    def f():\n        a\nelse:\n    def f():\n        b\n",
                     "f 2-3 def..  a; f 5-6 def..  b");
}

/* What looks like the end of a block, and is not. */
static void not_the_end(void **unused)
{
    (void)unused;
    expect_functions("python", "def f():\n    x = (1,\n2,\n3)\n    return x\ny\n", "f 1-5 def..n x");
    expect_functions("python", "def f():\n    x = 1 + \\\n2\n    return x\ny\n", "f 1-4 def..n x");
    expect_functions("python", "def f():\n    x = '''\nab\n'''\n    return x\ny\n", "f 1-5 def..n x");
    expect_functions("python", "def f():\n# c\n    a\n# d\n    b\nc\n", "f 1-5 def..  b");
    expect_functions("python", "def f():\r\n    a\r\n    b\r\nc\r\n", "f 1-3 def..  b");
}

static void docstrings(void **unused)
{
    (void)unused;
    expect_functions("python", "def f():\n    \"\"\"Only\n    this.\"\"\"\nx\n", "f 1-3 def..\"\"\"");
    expect_functions("python", "def f():  # why\n    r'one'\n\ndef g():\n    'two'\n    a\n",
                     "f 1-2 def..ne'; g 4-6 def..  a");
}

/* Heads without a colon of their own end at the next one; many may have the same. */
static void broken_heads(void **unused)
{
    (void)unused;
    expect_functions("python", "def f\ndef g(a)\ndef h(b): c\nd: e\n",
                     "f 1-3 def..b):; g 2-3 def..b):; h 3-3 def..: c");
    expect_functions("python", "def f(a\ndef g(b):\n  c\n", "");
    expect_functions("python", "def f\ndef g(): # h\n  'i'\n", "f 1-3 def..'i'; g 2-3 def..'i'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain), cmocka_unit_test(nested), cmocka_unit_test(not_the_end), cmocka_unit_test(docstrings),
        cmocka_unit_test(broken_heads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
