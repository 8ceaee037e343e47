/* tests/unit/code/function_heads_keyword.c -- functions of languages that have a keyword for them, and braces. */
#include "functions.h"

static void go(void **unused)
{
    (void)unused;
    /* what they give is a function, too */
    expect_functions("go", "func f() func() {\n\treturn func() { }\n}\nfunc (t *T) m(cb func(a int) error) func(int) "
                           "func() {\n}\nfunc h() (func(a int) int, error) { }\nvar v = func() func() { }\n",
                     "f 1-3 func..}\n}; T.m 4-5 func..{\n}; h 6-6 func..{ }");
    expect_functions("go",
                     "type A struct { f func(int) bool }\nfunc ext(a int) int\nfunc (a *A) M(b interface{}) "
                     "interface{} "
                     "{\n\tx := func() { y(`}`) }\n\tif a { }\n}\nfunc G[T any](f func(T) T) struct{ a T } { }",
                     "A.M 3-6 func..}\n}; G 7-7 func..{ }");
}

static void rust(void **unused)
{
    (void)unused;
    expect_functions("rust",
                     "impl<'a, T> B for a::C<'a, T> where T: D {\n  #[inline]\n  pub(crate) unsafe extern \"C\" fn "
                     "f<F: Fn(u8) -> T>(&self) -> [u8; 4] where F: for<'b> G<'b> { if x { '}' } }\n}\n"
                     "trait E { fn g(&self); fn h() -> impl Fn(u8) -> u8 { |x| { x } } }\nlet f: fn(u8) = y;",
                     "C.f 3-3 pub(crate)..} }; E.h 5-5 fn..} }");
}

static void php(void **unused)
{
    (void)unused;
    expect_functions("php",
                     "<p>{<?php\nfinal class A extends B {\n  #[C(1)]\n  public static function &f(array $a = []): ?D {"
                     " return function ($x) use ($a) { return \"{$x}\"; }; }\n  abstract function g();\n}",
                     "A.f 3-4 #[C(1)]..; }");
}

static void kotlin(void **unused)
{
    (void)unused;
    expect_functions("kotlin",
                     "class A private constructor(a: Int) : B(a) {\n  @C(1) override fun f(x: () -> Int): Int {\n"
                     "    return \"${if (x) { 1 } else { 2 }}\"\n  }\n  fun <T> List<T>.g() =\n    h {\n    it\n  }\n"
                     "  val i = 1\n  fun j()\n  init { k() }\n}",
                     "A.f 2-4 @C(1)..  }; A.g 5-8 fun..  }");
}

static void swift(void **unused)
{
    (void)unused;
    expect_functions("swift",
                     "extension A {\n  @B(c) public static func f<T>(_ a: T) throws -> (T) -> Int where T: D { }\n"
                     "  init?(x: Int) { self.init() }\n  var y: Int { get { 1 } }\n"
                     "  static func == (a: A, b: A) -> Bool { true }\n}\nprotocol P { func g() -> Int }",
                     "A.f 2-2 @B(c)..{ }; A.init 3-3 init?(x:..) }; A.== 5-5 static..e }");
    expect_functions("swift", "class `class` {\n  func `default`(a: Int) { b() }\n"
                     "  func `in`<T>(_ a: T) -> T { a }\n  func `a b`() { }\n  func `init`() { }\n}\n"
                     "enum A { case `self`; func `func`() { } }",
                     "class.default 2-2 func..) }; class.in 3-3 func..a }; class.a b 4-4 func..{ }; "
                     "class.init 5-5 func..{ }; A.func 7-7 func..{ }");
}

static void scala(void **unused)
{
    (void)unused;
    expect_functions("scala",
                     "object A {\n  private def f[T](x: => T): () => T = {\n    def g = 1; g\n  }\n"
                     "  def h(x: Int): Int =\n    x match {\n      case _ => 1\n    }\n  def i() { }\n  def j: Int\n"
                     "  def k_=(x: A): this.type = x\n  def ++=(x: A) { }\n}",
                     "A.f 2-4 private..  }; A.f/g 3-3 def..= 1; A.h 5-8 def..  }; A.i 9-9 def..{ }; "
                     "A.k_= 11-11 def..= x; A.++= 12-12 def..{ }");
    expect_functions("scala",
                     "class A {\n  override protected[this] def f = new B[C](d) with E { def g = 1 }\n"
                     "  val h = new I { private[a] def j() { } }\n  new K().l { x => def m = 2 }\n}",
                     "A.f 2-2 override..1 }; g 2-2 def..= 1; j 3-3 private[a]..{ }; A.m 4-4 def..= 2");
}

static void scripts(void **unused)
{
    (void)unused;
    expect_functions("perl", "package A;\nsub A::f($$) { my $x = sub { '}' }; $h{sub} }\nsub g;\nmy %s = (sub => { });",
                     "f 2-2 sub..} }");
    expect_functions("shell", "f() { echo \"}\"; }\nfunction g-h {\n  case $x in a) b;; esac\n}\nx={}; i ( ) { j; }\n",
                     "f 1-1 f()..; }; g-h 2-4 function..c\n}; i 5-5 i..; }");
    expect_functions("r", "f <- function(x, y = {1}) {\n  g <- function() x\n  h(function(z) z)\n}\nk = function(a)\n"
                     "{\n  a\n}\nl <- function(a) a +\n  1\nm <- 2", "f 1-4 f..)\n}; f/g 2-2 g..) x; k 5-8 k..a\n}; "
                     "l 9-10 l..  1");
    expect_functions("shell",
                     "f() (\n  case $x in a) b;; (c) d;; esac\n  (e)\n)\ng() { echo \\} \\( \\\\; }\n"
                     "function h (\n  echo case\n)\ni ()\n(\n  j() { k; }\n)\nl=(m n)\no() { p; }\n",
                     "f 1-4 f()..)\n); g 5-5 g()..; }; h 6-8 function..e\n); i 9-12 i..}\n); i/j 11-11 j()..; }; "
                     "o 14-14 o()..; }");
    expect_functions("r", "f <- \\(x) x + 1\n\"g h\" <- function(a) {\n  a\n}\n'[.i' = \\(j) {\n  h(\\(k) k)\n}\n"
                     "`m<-` <- function(n) n\n",
                     "f 1-1 f..+ 1; g h 2-4 \"g..a\n}; [.i 5-7 '[.i'..)\n}; m<- 8-8 m<-`..) n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(go), cmocka_unit_test(rust), cmocka_unit_test(php), cmocka_unit_test(kotlin),
        cmocka_unit_test(swift), cmocka_unit_test(scala), cmocka_unit_test(scripts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
