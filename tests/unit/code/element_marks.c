/* tests/unit/code/element_marks.c -- parameters of functions, by language. */
#include "elements_of.h"

static void typed_before(void **unused)
{
    (void)unused;
    expect_elements("java", "int f(final @A List<B> c, int[] d) { }",
                    "function f!; class A; class List; class B; parameter c!; parameter d!");
    expect_elements("c", "void f(void) { }\nint g(const char *a, unsigned) { }",
                    "function f!; function g!; parameter a!");
    expect_elements("csharp", "class A { int f(out int a, B b = 1) { return 1; } }",
                    "class A!; function f!; parameter a!; class B; parameter b!");
}

static void typed_behind(void **unused)
{
    (void)unused;
    expect_elements("go", "func (r *T) f(a, b int, c ...string) { }",
                    "parameter r!; variable T; function f!; parameter a!; parameter b!; variable int; parameter c!; "
                    "variable string");
    expect_elements("rust", "fn f<T>(&self, mut a: Vec<T>) { }",
                    "function f!; class T; parameter a!; class Vec; class T");
    expect_elements("kotlin", "fun f(a: Int = b, vararg c: D) { }",
                    "function f!; parameter a!; class Int; variable b; parameter c!; class D");
    expect_elements("typescript", "const f = async (a: B, c?: D) => { }; class E { g(this: F, private h) { } }",
                    "function f!; parameter a!; class B; parameter c!; class D; class E!; function g!; class F; "
                    "parameter h!");
    expect_elements("python", "def f(self, a: B, /, *c, d=e, **g): pass\n",
                    "function f!; parameter self!; parameter a!; variable B; parameter c!; parameter d!; variable e; "
                    "parameter g!");
}

static void untyped(void **unused)
{
    (void)unused;
    expect_elements("javascript", "f = a => { }\nfunction g(b, ...c) { }",
                    "function f!; parameter a!; function g!; parameter b!; parameter c!");
    expect_elements("ruby", "def f(a, b: 1, *c)\n  d\nend\ndef g h, &i\n j\nend\n",
                    "function f!; parameter a!; parameter b!; parameter c!; variable d; function g!; parameter h!; "
                    "parameter i!; variable j");
    expect_elements("lua", "local f = function(a, b) return c(a) end",
                    "function f!; parameter a!; parameter b!; function c; variable a");
    expect_elements("php", "<?php function f(A $b, $c = 1) { }",
                    "string <?php; function f!; class A; parameter b!; parameter c!");
    expect_elements("r", "f <- function(a, b = c) { }", "function f!; parameter a!; parameter b!; variable c");
    expect_elements("julia", "function f(a::B, c=1)\n  d\nend\n",
                    "function f!; parameter a!; class B; parameter c!; variable d");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(typed_before), cmocka_unit_test(typed_behind), cmocka_unit_test(untyped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
