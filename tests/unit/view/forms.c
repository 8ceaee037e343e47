/* tests/unit/view/forms.c -- which functions have one form of a type. */
#include "view/forms.h"

#include "kernels/kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

struct read { struct form form; uint64_t item[256]; size_t tokens; };

/* Function i of a text in its forms. */
static struct read read_form(const char *language, const char *source, size_t i, enum form_items items)
{
    static char                 room[2048 + BYTES_PAD];
    const struct view_options   view = { .kind = VIEW_TOKENS };
    struct view_scratch        *scratch;
    struct forms               *forms;
    const struct functions     *functions;
    const struct view_language *of;
    struct record               record = { .text = { room, strlen(source) } };
    struct read                 out = { 0 };
    struct err                  err = { 0 };

    strcpy(room, source);
    assert_int_equal(view_scratch_open(&scratch, &view, &err), 0);
    assert_int_equal(forms_open(&forms, &err), 0);
    assert_non_null(of = view_language_of(scratch, language, &record, &err));
    assert_int_equal(forms_read(forms, scratch, of, record.text, &functions, &err), 0);
    out.tokens = forms_tokens(forms);
    if (i < functions->count) {
        assert_int_equal(forms_of(forms, i, items, &out.form, &err), 0);
        assert_true(out.form.items <= 256);
        memcpy(out.item, out.form.item, out.form.items * sizeof *out.item);
    }
    forms_close(forms);
    view_scratch_close(scratch);
    return out;
}

static bool same(struct content_hash a, struct content_hash b) { return a.low == b.low && a.high == b.high; }

/* The strictest type that holds: 1, 'c', 2; 0: none. */
static int type_of(const char *language, const char *a, const char *b)
{
    const struct form x = read_form(language, a, 0, FORM_STATEMENTS).form,
                      y = read_form(language, b, 0, FORM_STATEMENTS).form;

    assert_true(x.tokens && y.tokens);
    if (same(x.exact, y.exact)) assert_true(same(x.consistent, y.consistent));
    if (same(x.consistent, y.consistent)) assert_true(same(x.blind, y.blind));
    return same(x.exact, y.exact) ? 1 : same(x.consistent, y.consistent) ? 'c' : same(x.blind, y.blind) ? 2 : 0;
}

static void test_types(void **unused)
{
    static const char python[] = "def f(a, b):\n    c = a + b\n    return g(c, 'x', 1)\n";
    static const char java[] = "int f(int a) { if (a > 1) return a + b; return g(\"x\"); }";

    (void)unused;
    assert_int_equal(type_of("python", python, "def f(a,b): # why\n  '''what'''\n  c=(a\n    +b)\n  return g(c,'x',1)"),
                     0);                                    /* parentheses are tokens */
    assert_int_equal(type_of("python", python, "def f(a,b): # why\n  '''what'''\n\n  c=a+b\n  return g(c,\n'x',1)"), 1);
    assert_int_equal(type_of("python", python, "def h(x, y):\n  z = x + y\n  return k(z, \"y\", 2.5)"), 'c');
    assert_int_equal(type_of("python", python, "def g(b, a):\n  c = b + a\n  return f(c, '', 0)"), 'c');
    assert_int_equal(type_of("python", python, "def h(x, y):\n  z = x + x\n  return k(z, 'x', 1)"), 2);
    assert_int_equal(type_of("python", python, "def f(a, b):\n  c = a - b\n  return g(c, 'x', 1)"), 0);
    assert_int_equal(type_of("python", python, "def f(a, b):\n  c = a + b\n  return g(c, 1, 'x')"), 0);
    assert_int_equal(type_of("java", java,
                             "int f(int a)\n{\n/* no */ if (a > 1)\nreturn a+b;\nreturn g(\"x\");\n}"), 1);
    assert_int_equal(type_of("java", java, "int q(int z) { if (z > 9) return z + y; return w(\"\"); }"), 'c');
    assert_int_equal(type_of("java", java, "int q(int z) { if (y > 9) return z + y; return w(\"\"); }"), 2);
    assert_int_equal(type_of("java", java, "long f(int a) { if (a > 1) return a + b; return g(\"x\"); }"), 0);
}

static void test_items(void **unused)
{
    static const char two[] = "class A:\n  def f(self):\n    x = 1\n    y = 2\n    return x\n  def g(self): pass\n";
    struct read       f = read_form("python", two, 0, FORM_STATEMENTS),
                      g = read_form("python", two, 1, FORM_STATEMENTS);

    (void)unused;
    assert_int_equal(f.form.items, 4);
    assert_int_equal(g.form.items, 1);                      /* one line: head and body are one statement */
    assert_true(f.item[1] == f.item[2] && f.item[0] != f.item[1] && f.item[3] != f.item[1] && f.item[0] && f.item[3]);
    assert_int_equal(f.form.tokens, 6 + 3 + 3 + 2);
    f = read_form("python", two, 0, FORM_TOKENS);
    assert_int_equal(f.form.items, f.form.tokens);
    assert_true(f.item[6] == f.item[9] && f.item[7] == f.item[10] && f.item[8] == f.item[11] && f.item[6] != f.item[8]);
    assert_true(f.item[1] == f.item[3] && f.item[0] != f.item[1]);          /* f and self are names, def is not */
}

/* No function: another text, and a language whose functions are not told; two languages have nothing in common. */
static void test_others(void **unused)
{
    static const char both[] = "function f(a) { return a; }";

    (void)unused;
    assert_int_equal(read_form("python", "a = 1\n", 0, FORM_TOKENS).form.tokens, 0);
    assert_int_equal(read_form("haskell", "f x = x\n", 0, FORM_TOKENS).form.tokens, 0);
    assert_false(same(read_form("javascript", both, 0, FORM_TOKENS).form.blind,
                      read_form("typescript", both, 0, FORM_TOKENS).form.blind));
}

/* More names than the table keeps, then few again. */
/* Of a text all tokens are counted, but comments. */
static void test_tokens(void **unused)
{
    (void)unused;
    assert_int_equal(read_form("python", "x = 1 # y\ndef f(a): return a\n", 0, FORM_TOKENS).tokens, 11);
    assert_int_equal(read_form("haskell", "x = 1", 0, FORM_TOKENS).tokens, 0);
}

static void test_many(void **unused)
{
    enum { NAMES = 9000 };
    char                       *text = malloc(NAMES * 12 + 200), *at = text;
    const struct view_options   view = { .kind = VIEW_TOKENS };
    struct record               record = { .text = { text, 0 } };
    struct view_scratch        *scratch;
    struct forms               *forms;
    const struct functions     *functions;
    const struct view_language *of;
    struct form                 small, large, again;
    struct err                  err = { 0 };

    (void)unused;
    assert_non_null(text);
    at += sprintf(at, "def f(a): return a\ndef g():\n  return [");
    for (int i = 0; i < NAMES; i++) at += sprintf(at, "n%d,", i);
    at += sprintf(at, "]\ndef f(b): return b\n");
    memset(at, 0, BYTES_PAD);
    record.text.len = (size_t)(at - text);
    assert_int_equal(view_scratch_open(&scratch, &view, &err), 0);
    assert_int_equal(forms_open(&forms, &err), 0);
    of = view_language_of(scratch, "python", &record, &err);
    assert_int_equal(forms_read(forms, scratch, of, record.text, &functions, &err), 0);
    assert_int_equal(functions->count, 3);
    assert_int_equal(forms_of(forms, 0, FORM_TOKENS, &small, &err), 0);
    assert_int_equal(forms_of(forms, 1, FORM_TOKENS, &large, &err), 0);
    assert_int_equal(large.tokens, 2 * NAMES + 8);
    assert_int_equal(forms_of(forms, 2, FORM_TOKENS, &again, &err), 0);
    assert_true(same(small.consistent, again.consistent) && !same(small.exact, again.exact));
    forms_close(forms);
    view_scratch_close(scratch);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_types), cmocka_unit_test(test_items),
                                        cmocka_unit_test(test_others), cmocka_unit_test(test_many),
                                            cmocka_unit_test(test_tokens) };

    kernels = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
