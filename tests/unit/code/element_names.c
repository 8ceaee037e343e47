/* tests/unit/code/element_names.c -- the roles of names, by language. */
#include "elements_of.h"

static void members(void **unused)
{
    (void)unused;
    expect_elements("java", "a.b.c(d.e);", "variable a; attribute b; function c; variable d; attribute e");
    expect_elements("cpp", "std::vector<A> b; c->d = e->f();",
                    "class std; attribute vector; variable A; variable b; variable c; attribute d!; variable e; "
                    "function f");
    expect_elements("ruby", "@a = b.c\nD::E.f(1)\n",
                    "attribute a!; variable b; attribute c; class D; attribute E; function f");
    expect_elements("lua", "a:b(c.d)", "variable a; function b; variable c; attribute d");
}

static void classes(void **unused)
{
    (void)unused;
    expect_elements("java", "@A class B extends C implements D { E e = new F(); }",
                    "class A; class B!; class C; class D; class E; variable e!; class F");
    expect_elements("c", "struct a { int b; }; struct a *c;", "class a!; variable b!; class a; variable c");
    expect_elements("go", "type A struct { b int }\nx := A{}\n",
                    "class A!; variable b; variable int; variable x!; variable A");
    expect_elements("rust", "impl A for B { } let mut c: D = E::f();",
                    "class A; class B; variable c!; class D; class E; function f");
}

static void marked(void **unused)
{
    (void)unused;
    expect_elements("php", "<?php $a = B::c($d->e, F);",
                    "string <?php; variable a!; class B; function c; variable d; attribute e; class F");
    expect_elements("perl", "package A; my $b = C->new(d => $e{f});",
                    "class A!; variable b!; class C; function new; variable e");
    expect_elements("shell", "a=1\nb $a ${c} d | e\nfor f in g; do h; done\n",
                    "variable a!; function b; variable a; string ${; variable c; string }; function e; variable f!; "
                    "function h");
}

static void arguments(void **unused)
{
    (void)unused;
    expect_elements("kotlin", "val a = b(c = d)", "variable a!; function b; parameter c; variable d");
    expect_elements("swift", "let a = b(c: d)", "variable a!; function b; parameter c; variable d");
    expect_elements("javascript", "let a = { b: c, d: 1 }, e = f?.g\nconst h = null",
                    "variable a!; variable b; variable c; variable d; variable e!; variable f; attribute g; "
                    "variable h!");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members), cmocka_unit_test(classes), cmocka_unit_test(marked), cmocka_unit_test(arguments),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
