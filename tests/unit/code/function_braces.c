/* tests/unit/code/function_braces.c -- functions of languages with braces. */
#include "functions.h"

static void java_methods(void **unused)
{
    (void)unused;
    expect_functions("java", "public static int f(int a) { return a; }", "f 1-1 public..; }");
    expect_functions("java",
                     "package a;\nimport b.C;\n/** Doc. */\npublic class A<T extends B> extends C {\n  int x = 1;\n"
                     "  A(int x) {\n    this.x = x;\n  }\n  @Override @B({\"a\", \"b\"}) public <S> Map<S, int[]> "
                     "m(S s)\n"
                     "      throws D, E.F { if (x) { y(); } else { z(); }\n }\n  abstract void n();\n"
                     "  static { w(); }\n  int[] a = {1, 2};\n  void k() {}\n}\n",
                     "A.A 6-8 A(int..  }; A.m 9-11 @Override..\n }; A.k 15-15 void.. {}");
}

static void java_nested(void **unused)
{
    (void)unused;
    expect_functions("java",
                     "class A { Object f() { return new B<C>(1, g(2)) { public void h() { } }; }\n"
                     "  Runnable r = () -> { x(); };\n  void g() { run(a, new D() { void e() { } }); }\n}",
                     "A.f 1-1 Object..; }; h 1-1 public..{ }; A.g 3-3 void..; }; e 3-3 void..{ }");
    expect_functions("java",
                     "enum E { A(1) { int f() { return 1; } }, B { int f() { return 2; } }; E(int i) { }\n  int f() "
                     "{ return 0; }\n}",
                     "A.f 1-1 int..; }; B.f 1-1 int..; }; E.E 1-1 E(int..{ }; E.f 2-2 int..; }");
    expect_functions("java", "record P(int x, int y) { P { check(x); } int sum() { return x + y; } }",
                     "P.P 1-1 P..; }; P.sum 1-1 int..; }");
}

static void java_annotated(void **unused)
{
    (void)unused;
    expect_functions("java", "@A(b = \"c\") @D.E(1) public interface F { default void g() { } }",
                     "F.g 1-1 default..{ }");
}

static void java_no_functions(void **unused)
{
    (void)unused;
    expect_functions("java", "interface I { void f(); int g(int a); }", "");
    expect_functions("java", "for (int i = 0; i < n; i++) { f(i); } synchronized (this) { }", "");
    expect_functions("java", "try (A a = b()) { } catch (C c) { } switch (x) { case 1: { } default -> { } }", "");
    expect_functions("java", "@interface A { String b() default \"{\"; }", "");
}

/* Brackets that do not match. */
static void broken(void **unused)
{
    (void)unused;
    expect_functions("java", "void f() { if (x { y(); }", "f 1-1 void..; }");
    expect_functions("java", "} void f() { ) } ] }", "f 1-1 void..) }");
    expect_functions("java", "void f() {", "f 1-1 void..) {");
    expect_functions("java", ") { ( {", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(java_methods), cmocka_unit_test(java_nested), cmocka_unit_test(java_annotated),
        cmocka_unit_test(java_no_functions),
        cmocka_unit_test(broken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
