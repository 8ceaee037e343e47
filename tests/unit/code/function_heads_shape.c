/* tests/unit/code/function_heads_shape.c -- functions of C, C++ and C#; Java's: function_braces.c. */
#include "functions.h"

static void c(void **unused)
{
    (void)unused;
    expect_functions("c",
                     "#include <a.h>\n#define X(a) do { a } while (0)\nstruct s { int a; };\nstatic struct s *f(int "
                     "(*g)"
                     "(void)) __attribute__((unused))\n{\n\tif (x) { y('}'); }\n}\nint a[] = { 1 };\n#ifdef A\n"
                     "int h(int x) {\n#else\nint h(void) {\n#endif\n\treturn 0;\n}\nextern \"C\" { int k() { } }",
                     "f 4-7 static..}\n}; h 10-15 int..;\n}; k 16-16 int..{ }");
    expect_functions("c", "int f(void);\nint x = g(1) + (struct s){ 2 }.a;\nenum e { A, B };", "");
}

/* Declarations between the parameters and the body, as C was written first. */
static void old_c(void **unused)
{
    (void)unused;
    expect_functions("c",
                     "int a(int b);\nstatic int\nf(a, b)\n    int a;\n    char *b[2], (*c)();\n{ return { 1 }; }\n"
                     "struct s { int d; };\nint e = { 1 };\ng(a) struct s *a; { }\nint h() { }\nint i(a) int a; "
                     "int j() { }",
                     "f 2-6 static..; }; g 9-9 g(a)..{ }; h 10-10 int..{ }; j 11-11 int..{ }");
    expect_functions("c", "int f(a) PURE; { }\nint g(a) A(b); { }\nint h(int a); { }\nint i(a) int a = 1; { }\n"
                          "int j(a) int a; int k; x() { }\nl(a,) int a; { }", "x 5-5 x()..{ }");
}

/* Names in parentheses, and what gives functions. */
static void names_in_parentheses(void **unused)
{
    (void)unused;
    expect_functions("c",
                     "int (f)(int a) { }\nvoid (*signal(int s, void (*g)(int)))(int) { }\nint *(h)(void) { }\n"
                     "int (*i)(int) { }\nif (j)(k) { }\nint (*(*l(void))(int))(int) { }",
                     "f 1-1 int..{ }; signal 2-2 void..{ }; h 3-3 int..{ }");
}

/* Macros behind the parameters, which are none of a function's name; and those that are one. */
static void macros_behind(void **unused)
{
    (void)unused;
    expect_functions("c",
                     "void f(struct x *a) __releases(&a->l) __acquires(b) { }\nint g(void) NOTHROW_2 { }\n"
                     "API(int) GET(int a) { }\nstatic API(int) PUT(int a) { }\nstruct ALIGNED(8) S { int a; };\n"
                     "TEST(A, B) { }\nstatic void __attribute__((a(1)))\n__b(int c) { }",
                     "f 1-1 void..{ }; g 2-2 int..{ }; GET 3-3 API(int)..{ }; PUT 4-4 static..{ }; "
                     "TEST 6-6 TEST(A,..{ }; __b 7-8 static..{ }");
    expect_functions("cpp",
                     "bool A::f(int x) const EXCLUDES(mu_) { }\nclass B {\n  B(int x) GUARDED(y) { }\n"
                     "  void g() override Q_DECL_FINAL { }\n};\nclass ALIGNED(8) C { void h() { } };\n"
                     "class [[nodiscard]] F { void i() { } };\n"
                     "void D::operator()(int x) { }\nint E<T>::operator()() { }",
                     "A.f 1-1 bool..{ }; B.B 3-3 B(int..{ }; B.g 4-4 void..{ }; C.h 6-6 void..{ }; "
                     "F.i 7-7 void..{ }; D.operator() 8-8 void..{ }; E.operator() 9-9 int..{ }");
}

static void cpp(void **unused)
{
    (void)unused;
    expect_functions("cpp",
                     "namespace a::b {\ntemplate <class T> class A : public B<T> {\npublic:\n  A(int x) : B<T>(x), "
                     "c{x},"
                     " d(x) { }\n  ~A() noexcept override { }\n  bool operator==(const A &o) const { return 1; }\n"
                     "  int operator()(int x) { return x; }\n  auto f() const -> C<int> { g([](int y) { }); }\n"
                     "  operator bool() const { return 1; }\n};\n}\ntemplate <typename T>\nint A<T>::h(T t) { }",
                     "A.A 4-4 A(int..{ }; A.~A 5-5 ~A()..{ }; A.operator== 6-6 bool..; }; A.operator() 7-7 int..; }; "
                     "A.f 8-8 auto..; }; A.operator bool 9-9 operator..; }; A.h 13-13 int..{ }");
    expect_functions("cpp", "A::A() { }\nextern \"C\" int g() { }\nauto h(B b) -> decltype(b.c()) { }\n"
                            "struct A::D { ~D() { } };\nclass E { private: class F : public G { int i() { } }; };",
                     "A.A 1-1 A::A()..{ }; g 2-2 int..{ }; h 3-3 auto..{ }; D.~D 4-4 ~D()..{ }; F.i 5-5 int..{ }");
    expect_functions("cpp", "enum class E : int { A }; int x{1}; struct S : T { } s; auto l = [](int x) { };", "");
}

/* C++ in a header whose name says C, and C that has its words. */
static void cpp_in_c(void **unused)
{
    (void)unused;
    expect_functions("c", "#pragma once\nclass A {\npublic:\n  int f() { return 1; }\n};\n", "A.f 4-4 int..; }");
    expect_functions("c", "namespace a {\nstruct B { B() : c{1}, d(2) { } };\n}\n", "B.B 2-2 B()..{ }");
    expect_functions("c", "template <typename T>\nstruct B { T g() { } };\n", "B.g 2-2 T..{ }");
    expect_functions("c", "struct s { int class, public; };\nint f(int namespace) { if (class) { template(1); } }\n",
                     "f 2-2 int..} }");
}

static void csharp(void **unused)
{
    (void)unused;
    expect_functions("csharp", "class C {\n#region R\n#if NET\n  void A(int x) {\n#else\n  void A(long x) {\n#endif\n"
                               "  }\n#endregion } not code {\n  int B() { return 1; }\n}",
                     "C.A 4-8 void..  }; C.B 10-10 int..; }");
    expect_functions("csharp",
                     "namespace A {\n[B] public class C<T> : D where T : class {\n  [E(1)] public C(int x) : "
                     "base(x) { }"
                     "\n  public int P { get { return 1; } set { } }\n  int F<U>(U u) where U : new() => u;\n"
                     "  void G() { int H(int y) { return y; } if (x) { } foreach (var a in b()) { } new I() { }; }\n"
                     "  abstract void J();\n  int[] k = new int[] { 1 };\n}\n}",
                     "C.C 3-3 [E(1)]..{ }; C.F 5-5 int.. u;; C.G 6-6 void..; }; C.G/H 6-6 int..; }");
    /* without a class, as benchmarks cut methods out, whatever they give back; a guard calls a function */
    expect_functions("csharp",
                     "public static A<B<C>> D(int x) where C : class { }\nA<B<C<E>>> F() => G;\n(int, int) H() { }\n"
                     "int* I(int* p) { if (a) J(b); lock (c) { } }\nint[,] K() { }\nint L(int x)\n"
                     "{ return x switch { > 1 when x > M(x) => 2, < 0 when (x) * N(x) => 3, _ => 4 }; }",
                     "D 1-1 public..{ }; F 2-2 A<B<C<E>>>.. G;; H 3-3 (int,..{ }; I 4-4 int*..} }; "
                     "K 5-5 int[,]..{ }; L 6-7 int..; }");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(c), cmocka_unit_test(old_c),
                                        cmocka_unit_test(names_in_parentheses), cmocka_unit_test(macros_behind),
                                        cmocka_unit_test(cpp), cmocka_unit_test(cpp_in_c),
                                        cmocka_unit_test(csharp) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
