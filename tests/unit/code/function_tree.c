/* tests/unit/code/function_tree.c -- functions as a parser sees them; what both extractors see is the same. */
#include "functions.h"

#include <stdlib.h>

static bool built(void)
{
    struct err err = { 0 };

    if (functions_exact_check("exact", &err) == 0) return true;
    assert_non_null(strstr(err.text, "scripts/tree_library.sh"));
    return false;
}

static void expect_exact(const char *language, const char *source, const char *want)
{
    const char *got;

    if (!built()) skip();
    got = functions_by(FUNCTIONS_EXACT, language, source);
    if (strcmp(got, want) != 0) fail_msg("of\n%s\ngot  %s\nwant %s", source, got, want);
}

/* Both say `want`. */
static void expect_same(const char *language, const char *source, const char *want)
{
    expect_functions(language, source, want);
    expect_exact(language, source, want);
}

static void shapes(void **unused)
{
    (void)unused;
    expect_same("c", "static struct s *f(int (*g)(void))\n{\n\tif (x) { y('}'); }\n}\nint a[] = { 1 };\nint h(void);\n",
                "f 1-4 static..}\n}");
    expect_same("cpp",
                "namespace a::b {\ntemplate <class T> class A : public B<T> {\npublic:\n"
                "  A(int x) : B<T>(x), c{x} { }\n"
                "  ~A() noexcept override { }\n  bool operator==(const A &o) const { return 1; }\n"
                "  int operator()(int x) { return x; }\n  operator int *() const { return 0; }\n"
                "  A(const A &) = default;\n"
                "};\n}\ntemplate <typename T>\nint A<T>::h(T t) { }\nvoid a::c() { struct S { void m() { } }; }",
                "A.A 4-4 A(int..{ }; A.~A 5-5 ~A()..{ }; A.operator== 6-6 bool..; }; A.operator() 7-7 int..; }; "
                "A.operator int * 8-8 operator..; }; A.h 13-13 int..{ }; a.c 14-14 void..; }; S.m 14-14 void..{ }");
    expect_same("csharp",
                "namespace A {\n[B] public class C<T> : D where T : class {\n  [E(1)] public C(int x) : base(x) { }\n"
                "  public int P { get { return 1; } set { } }\n  int F<U>(U u) where U : new() => u;\n"
                "  void G() { int H(int y) { return y; } if (x) { } }\n  ~C() { }\n"
                "  public static C operator +(C a, C b) { return a; }\n  abstract void J();\n}\n}",
                "C.C 3-3 [E(1)]..{ }; C.F 5-5 int.. u;; C.G 6-6 void..} }; C.G/H 6-6 int..; }; C.~C 7-7 ~C()..{ }; "
                "C.operator + 8-8 public..; }");
    expect_same("java",
                "class A {\n  A() { }\n  @B public <S> int m(S s) throws D { return new E() { int g() { return "
                "1; } }.g(); }\n"
                "  abstract void n();\n  enum F { X { int f() { return 2; } }; F() { } }\n}\n"
                "record P(int x) { P { } }\n"
                "static int top() { return 1; }",
                "A.A 2-2 A()..{ }; A.m 3-3 @B..; }; g 3-3 int..; }; X.f 5-5 int..; }; F.F 5-5 F()..{ }; P.P 7-7 "
                "P..{ }; "
                "top 8-8 static..; }");
}

static void keywords(void **unused)
{
    (void)unused;
    expect_same("go", "package a\ntype A struct { f func(int) bool }\nfunc ext(a int) int\n"
                "func (a *A) M(b interface{}) int {\n\tx := func() { y() }\n\treturn 1\n}\nfunc (A[T]) N() { }\n",
                "A.M 4-7 func..1\n}; A.N 8-8 func..{ }");
    expect_same("rust",
                "impl<'a, T> B for a::C<'a, T> where T: D {\n  #[inline]\n"
                "  pub(crate) unsafe fn f(&self) -> u8 { '}' }\n}\n"
                "trait E { fn g(&self); fn h() { fn i() { } } }",
                "C.f 3-3 pub(crate)..' }; E.h 5-5 fn..} }; E.h/i 5-5 fn..{ }");
    expect_same("php",
                "<p>{<?php\nfinal class A extends B {\n  #[C(1)]\n  public static function &f(array $a = []): ?D {\n"
                "    return function ($x) use ($a) { return 1; };\n  }\n  abstract function g();\n}\nfunction h() { }",
                "A.f 3-6 #[C(1)]..  }; h 9-9 function..{ }");
    expect_same("php", "function h() { return 1; }", "h 1-1 function..; }");
    expect_same("kotlin",
                "class A(a: Int) : B(a) {\n  @C(1) override fun f(x: () -> Int): Int {\n    return 1\n  }\n"
                "  fun <T> List<T>.g() =\n    h {\n      it\n    }\n  fun j()\n  init { k() }\n}\nfun `a b`() = 1\n",
                "A.f 2-4 @C(1)..  }; A.g 5-8 fun..  }; a b 12-12 fun..= 1");
    expect_same("scala",
                "object A {\n  @inline private def f[T](x: => T): () => T = {\n    def g = 1; g\n  }\n  def j: Int\n"
                "  def this(x: Int) = { this() }\n  def k_=(x: A): this.type = x\n}\ntrait B { def m() { } }",
                "A.f 2-4 @inline..  }; A.f/g 3-3 def..= 1; A.k_= 7-7 def..= x; B.m 9-9 def..{ }");
}

static void scripts(void **unused)
{
    (void)unused;
    expect_same("python",
                "class A:\n    @d(1)\n    async def m(self):\n        def g():\n            pass\n        return g\n"
                "    # behind\n\ndef f():  # why\n    r'one'\n\ndef k():\n    'two'\n    a\n    # last\n",
                "A.m 3-6 async..n g; A.m/g 4-5 def..ass; f 9-10 def..ne'; k 12-14 def..  a");
    expect_same("ruby",
                "module A\n  class B::C < D\n    def self.f(a)\n      return if a\n    end\n    private def g?() = h(\n"
                "      1)\n    def i=(v); end\n    class << self\n      def k; end\n    end\n  end\nend\n",
                "C.f 3-5 def..end; C.g? 6-7 def.. 1); C.i= 8-8 def..end; k 10-10 def..end");
    expect_same("shell", "f() { echo \"}\"; }\nfunction g-h {\n  case $x in a) b;; esac\n}\nm() { j; } > x\n"
                "n() ( k )\n",
                "f 1-1 f()..; }; g-h 2-4 function..c\n}; m 5-5 m()..; }; n 6-6 n()..k )");
    expect_same("javascript",
                "class A extends B {\n  #q() { }\n  static async m() { }\n  x = () => { }\n}\nlet y = 1\n"
                "const f = async (a) => {\n  b\n}\na.b.c = function () { }\n"
                "export const o = { p: function () { }, r() { },\n"
                "  s: () => { }, get t() { } }\nfunction* g() { }\n"
                "x.map(function (a) { }); y(() => 1)",
                "A.q 2-2 #q()..{ }; A.m 3-3 static..{ }; A.x 4-4 x..{ }; f 7-9 const..b\n}; c 10-10 a.b.c..{ }; "
                "p 11-11 p:..{ }; r 11-11 r()..{ }; s 12-12 s:..{ }; t 12-12 get..{ }; g 13-13 function*..{ }");
    expect_same("typescript",
                "export const f = (a: T): { b: T } => { return a }\nabstract class D<T> {\n"
                "  private async m<K>(k: K): Promise<K> { }\n  abstract n(): void\n}\n"
                "namespace N { function g() { } }\n"
                "interface E { f(): void }",
                "f 1-1 const..a }; D.m 3-3 private..{ }; N.g 6-6 function..{ }");
}

/* What only a parser sees, and texts that it cannot read. */
static void exact_alone(void **unused)
{
    (void)unused;
    expect_exact("typescript", "const A = () => { return <b c={d}>e</b> }\n", "A 1-1 const..> }");
    expect_exact("typescript", "const f = <T>(x: any) => { return <T>x }\n", "f 1-1 const..x }");
    expect_exact("c", "void (p)(void) { }", "p 1-1 void..{ }");
    expect_exact("c", "class A { public: int f() { return 1; } };", "A.f 1-1 int..; }");
    expect_exact("c", "int f(void) { return (1; }\nint g(void) { }\n", "f 1-1 int..; }; g 2-2 int..{ }; 1 errors");
    expect_exact("python", "", "");
    expect_exact("python", "def f(:\n", "f 1-1 def..f(:; 1 errors");
    expect_exact("javascript", "function f(a = () => { }, { b = () => { } }) { }",
                 "f 1-1 function..{ }; f/a 1-1 a..{ }; f/b 1-1 b..{ }");
}

/* A text of `unit` over and over is read to its end or given up, and then told by fast: no crash, no endless work. */
static void repeated(const char *language, const char *unit, size_t bytes, bool gives_up)
{
    const size_t     len = strlen(unit);
    char            *text = malloc(bytes + len + 64);
    struct lexer     lexer = { 0 };
    struct functions functions = { .how = FUNCTIONS_EXACT };
    struct slice     slice = { text, 0 };
    struct err       err = { 0 };

    assert_non_null(text);
    while (slice.len < bytes) {
        memcpy(text + slice.len, unit, len);
        slice.len += len;
    }
    memset(text + slice.len, 0, 64);
    assert_int_equal(lexer_run(&lexer, row_of(language), slice, LEX_ALL, &err), 0);
    assert_int_equal(functions_find(&functions, row_of(language), &lexer, slice, &err), 0);
    if (functions.told.given_up != gives_up || functions.told.parsed == gives_up)
        fail_msg("%s: %s: given up: %d", language, unit, (int)functions.told.given_up);
    lexer_free(&lexer);
    functions_free(&functions);
    free(text);
}

static void hostile(void **unused)
{
    (void)unused;
    if (!built()) skip();
    repeated("java", "(", 200000, false);
    repeated("python", "'", 200000, false);
    repeated("python", "if while for def class ", 60000, true);     /* tokens that are copied from error to error */
    repeated("c", "%q(", 300000, true);                             /* a stack that is let go of by recursion */
    repeated("python", "x = 1\n", (1 << 20) + 6, true);
    repeated("python", "x = 1\n", 1 << 19, false);
}

static void unknown(void **unused)
{
    struct functions functions = { .how = FUNCTIONS_EXACT };
    struct lexer     lexer = { 0 };
    struct slice     text = padded("local function f() end");
    struct err       err = { 0 };

    (void)unused;
    assert_false(functions_exact_known(row_of("lua")));
    assert_int_equal(functions_exact_known(row_of("python")), built());
    assert_int_equal(lexer_run(&lexer, row_of("lua"), text, LEX_ALL, &err), 0);
    assert_int_equal(functions_find(&functions, row_of("lua"), &lexer, text, &err), 0);
    assert_int_equal(functions.told.fast, 1);
    assert_int_equal(functions.told.parsed + functions.told.given_up, 0);
    assert_int_equal(functions.count, 1);
    lexer_free(&lexer);
    functions_free(&functions);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes), cmocka_unit_test(keywords), cmocka_unit_test(scripts), cmocka_unit_test(exact_alone),
        cmocka_unit_test(hostile), cmocka_unit_test(unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
