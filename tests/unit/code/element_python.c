/* tests/unit/code/element_python.c -- what Python's statements assign to. */
#include "elements_of.h"

static void targets(void **unused)
{
    (void)unused;
    expect_elements("python", "a, (b, c.d) = e[f] = g.h(i)\n",
                    "variable a!; variable b!; variable c; attribute d!; variable e; variable f; variable g; "
                    "function h; variable i");
    expect_elements("python", "a: b = c\nd += e\nif f: g = h == i\n",
                    "variable a!; variable b; variable c; variable d!; variable e; variable f; variable g!; "
                    "variable h; variable i");
    expect_elements("python", "for a, b in c:\n  d = [e for e in f if e in g]\nwith h as i: (j := k)\n",
                    "variable a!; variable b!; variable c; variable d!; variable e; variable e!; variable f; "
                    "variable e; variable g; variable h; variable i!; variable j!; variable k");
    expect_elements("python", "with a as (b, [c]), d as e.f, (g) as h[i]: j = k\n",
                    "variable a; variable b!; variable c!; variable d; variable e; attribute f!; variable g; "
                    "variable h; variable i; variable j!; variable k");
    expect_elements("python", "match a:\n  case 1 as c if d: e = f\n",
                    "variable a; variable c!; variable d; variable e!; variable f");
    expect_elements("python", "x = lambda a, *b, c=d: a\nf(g=h, i=True)\n",
                    "variable x!; parameter a!; parameter b!; parameter c!; variable d; variable a; function f; "
                    "parameter g; variable h; parameter i");
}

static void imports(void **unused)
{
    (void)unused;
    expect_elements("python", "import a.b, c.d as e\nfrom .f import g, h as i\n",
                    "variable a!; attribute b; variable c; attribute d; variable e!; attribute f; variable g!; "
                    "variable h; variable i!");
}

static void soft(void **unused)
{
    (void)unused;
    expect_elements("python", "match a:\n  case 1: match = b\nreturn match\n(c)\n",
                    "variable a; variable match!; variable b; variable match; variable c");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(targets), cmocka_unit_test(imports), cmocka_unit_test(soft) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
