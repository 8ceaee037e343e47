/* tests/unit/code/function_heads_script.c -- functions of JavaScript and TypeScript. */
#include "functions.h"

static void declared(void **unused)
{
    (void)unused;
    expect_functions("javascript", "async function f(a, {b} = {}) { return `}${a}` }\nfunction* g() { yield /}/ }",
                     "f 1-1 async..` }; g 2-2 function*../ }");
    expect_functions("javascript",
                     "class A extends B(C) {\n  #x = 1\n  constructor(y) { super(y) }\n  static async m() {\n  }\n"
                     "  get p() { if (a) { b() } }\n  #q() {}\n}",
                     "A.constructor 3-3 constructor(y)..) }; A.m 4-5 static..  }; A.p 6-6 get..} }; A.q 7-7 #q().. {}");
}

static void bound(void **unused)
{
    (void)unused;
    expect_functions("javascript", "let x = 1\nconst f = async (a) => {\n  b\n}\na.b.c = function () { }\ng = y => { }",
                     "f 2-4 const..b\n}; c 5-5 a.b.c..{ }; g 6-6 g..{ }");
    expect_functions("javascript", "const o = { a: function () { }, b() { }, c: () => { }, async d() { }, e: { } }",
                     "a 1-1 a:..{ }; b 1-1 b()..{ }; c 1-1 c:..{ }; d 1-1 async..{ }");
    expect_functions("javascript", "function f(a = () => { }, { b = () => { } }) { }",
                     "f 1-1 function..{ }; a 1-1 a..{ }; b 1-1 b..{ }");
    expect_functions("javascript", "x.map(function (a) { }); y(() => { }); if (a) { } while (f(x)) { }", "");
}

static void typed(void **unused)
{
    (void)unused;
    expect_functions("typescript",
                     "export const f = <T,>(a: T): { b: T } => { return a }\n"
                     "function g(a: () => void): Promise<{ x: A<B> }> {\n}\n"
                     "const h: (a: B) => C = (a) => { }\nabstract class D<T = E> {\n"
                     "  private async m<K>(k: K): Promise<K> { }\n  abstract n(): void\n}\ninterface E { f(): void }",
                     "f 1-1 const..a }; g 2-3 function..{\n}; h 4-4 const..{ }; D.m 6-6 private..{ }");
    /* types in braces in the head of a class */
    expect_functions("typescript",
                     "class A<T extends { x: B<C> }> extends D<{ y: E }, {}> implements F {\n  m() { }\n  n() { }\n}\n"
                     "class G<T = {}> { get o(): { p: H } { } q() { } }\nconst r = { s: a < b, t: { u() { } } }",
                     "A.m 2-2 m()..{ }; A.n 3-3 n()..{ }; G.o 5-5 get..{ }; G.q 5-5 q()..{ }; u 6-6 u()..{ }");
    /* a class without a name gives none */
    expect_functions("typescript", "export default class extends A<{}> { m() { } }\nconst b = class { n() { } }",
                     "m 1-1 m()..{ }; n 2-2 n()..{ }");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(declared), cmocka_unit_test(bound), cmocka_unit_test(typed) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
