/* tests/unit/code/conditions.c -- the cyclomatic complexity of functions by language. */
#include "measures.h"

/* Of each function as `name complexity`. */
static void expect(const char *language, const char *source, const char *want)
{
    static char     out[4096];
    struct measured m;
    size_t          at = 0;

    measure(&m, language, source);
    out[0] = '\0';
    for (size_t i = 0; i < m.functions.count; i++) {
        const struct function *f = &m.functions.at[i];

        at += (size_t)snprintf(out + at, sizeof out - at, "%s%.*s %u", i ? " " : "", (int)(f->name_end - f->name_at),
                               m.text.at + f->name_at, m.measures.at[i].complexity);
    }
    measured_free(&m);
    if (strcmp(out, want) != 0) fail_msg("of\n%s\ngot  %s\nwant %s", source, out, want);
}

/* What lizard was measured to say. */
static void measured_ones(void **unused)
{
    (void)unused;
    expect("python", "def f(a, b, c):\n    if a and b or c:\n        pass\n    for i in a:\n        pass\n"
           "    while a:\n        pass\n    try:\n        pass\n    except E:\n        pass\n"
           "    finally:\n        pass\n"
           "    return [i for i in a if i] if a else b\n", "f 11");
    expect("java", "class A { int f(int a) { if (a > 1 && a < 3 || a == 9) a++; for (;;) break; while (a > 0) a--;\n"
           "do { a++; } while (a < 5); switch (a) { case 1: case 2: default: break; }\n"
           "try { g(); } catch (E e) { } finally { } return a > 1 ? a : 2; } }", "f 11");
}

static void python(void **unused)
{
    (void)unused;
    expect("python", "def f():\n    assert a\n    with a: b\n    return lambda: a\n", "f 1");
    expect("python", "def f():\n    def g():\n        if a: pass\n    if b: pass\n    if c: pass\n", "f 3 g 2");
    expect("python", "def f():\n    '''if a and b'''\n    # if c\n    x = 'if'\n", "f 1");
    expect("python", "if a: pass\ndef f(a=1 if b else 2): pass\nif c: pass\n", "f 2");
}

static void java(void **unused)
{
    (void)unused;
    expect("java", "class A { List<?> f(Map<? extends B, ?> m) { List<?> a; List<? super C> b; } }", "f 2");
    expect("java", "class A { void f() { new B() { void g() { if (a) b(); } }; if (c) d(); if (e) d(); } }",
           "f 3 g 2");
}

static void c_family(void **unused)
{
    (void)unused;
    expect("c", "int f(void)\n{\n#if A && B\n  if (a)\n#elif C\n  if (b && c)\n#else\n  while (d)\n#endif\n"
           "    return 1;\n"
           "#define X if (a) \\\n  if (b)\n#ifndef Y\n#endif\n}\n", "f 7");
    expect("cpp", "void f() { auto&& a = g(); bool b = c && d; }\nvoid h() { h(a && b); }", "f 2 h 2");
    expect("csharp", "class A { int f() { return a ?? b?.c ?? d; } }", "f 3");
    expect("go", "func f() int {\n\tselect {\n\tcase <-a:\n\tcase b <- 1:\n\tdefault:\n\t}\n\tif a && b {\n\t}\n}",
           "f 5");
    expect("rust", "fn f<T>(a: T) -> R where T: A { match a { A if b => c()?, _ => d } }", "f 5");
    expect("javascript", "function f(a) { return a ? b : c?.d ?? e }", "f 2");
    expect("typescript", "function f(a?: number) { return a ? 1 : 2 }", "f 2");
    expect("php", "<?php function f($a) { foreach ($a as $b) if ($b ?? $c) return match($b) { 1 => 2 }; }", "f 4");
}

static void others(void **unused)
{
    (void)unused;
    expect("ruby", "def f\n  return 1 if a.empty?\n  b unless c\n  begin\n  rescue E\n  end\n  d ? 1 : 2\nend\n",
           "f 4");
    expect("lua", "function f() if a then elseif b then end repeat until c or d end", "f 5");
    expect("kotlin", "fun f(a: Int?): Int {\n  when (a) {\n    1 -> b { x -> x }\n    2 -> c\n    else -> d\n  }\n"
           "  return a ?: 1\n}", "f 4");
    expect("swift", "func f(a: Int?) { guard let b = a else { return }; g(for: b); for c in d? { } }", "f 3");
    expect("scala", "def f(a: Int) = a match { case 1 => 2 case _ => 3 }", "f 3");
    expect("perl", "sub f { return $a ? 1 : 2 unless $b; }", "f 4");
    expect("r", "f <- function(a) { if (a & b) ifelse(a, 1, 2) }", "f 4");
    expect("julia", "function f(a)\n  a > 1 && return\n  a ? 1 : 2\nend\n", "f 3");
    expect("shell", "f() { if a; then b; elif c; then d; fi; e && g; }", "f 4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measured_ones), cmocka_unit_test(python), cmocka_unit_test(java), cmocka_unit_test(c_family),
        cmocka_unit_test(others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
