/* tests/unit/code/measure.c -- lines, comments and heads of functions. */
#include "measures.h"

/* Of each function as `name line-line_end body comments/comment_lines head`. */
static void expect(const char *language, const char *source, const char *want)
{
    static char     out[4096];
    struct measured m;
    size_t          at = 0;

    measure(&m, language, source);
    out[0] = '\0';
    for (size_t i = 0; i < m.functions.count; i++) {
        const struct function *f = &m.functions.at[i];
        const struct measure  *n = &m.measures.at[i];

        at += (size_t)snprintf(out + at, sizeof out - at, "%s%u-%u %u %u/%u %.*s", i ? "; " : "", n->line, n->line_end,
                               n->body_lines, n->comments, n->comment_lines, (int)(n->signature_end - f->at),
                               m.text.at + f->at);
    }
    measured_free(&m);
    if (strcmp(out, want) != 0) fail_msg("of\n%s\ngot  %s\nwant %s", source, out, want);
}

static void lines(void **unused)
{
    (void)unused;
    expect("python", "\ndef f(a,\n      b):\n\n    # c\n    x  # d\n\n    return end\ny\n",
           "2-8 3 2/2 def f(a,\n      b):");
    expect("java", "class A {\n  int f() {\n\n    return 1; /* a */ // b\n  }\n  void g() { }\n  void h() { i(); }\n}",
           "2-5 1 2/1 int f(); 6-6 0 0/0 void g(); 7-7 1 0/0 void h()");
    expect("ruby", "def f\n  a\n  # b\n  # c\nend\ndef g; end\n", "1-5 3 2/2 def f; 6-6 1 0/0 def g");
    expect("python", "def f():\r    a\r\n    b\r\ndef g(): c", "1-3 2 0/0 def f():; 4-4 1 0/0 def g():");
    expect("c", "int f(void)\n/* a\n b */\n{\n}", "1-5 0 1/2 int f(void)\n/* a\n b */");
}

static void nested(void **unused)
{
    (void)unused;
    expect("python", "# a\ndef f():\n    # b\n    def g():\n        # c\n        d\n    # e\n    h\n# i\n",
           "2-8 6 3/3 def f():; 4-6 2 1/1 def g():");
}

/* Functions inside functions, comments and lines without number are measured in time that grows with the text. */
static void hostile(void **unused)
{
    enum { DEEP = 1500, WIDE = 60000 };
    struct measured m = { 0 };
    struct bytes    text = { 0 };
    struct err      err = { 0 };

    (void)unused;
    for (int i = 0; i < DEEP; i++) assert_int_equal(bytes_printf(&text, "%*sdef f(): # a\n", i, ""), 0);
    for (int i = 0; i < WIDE; i++) assert_int_equal(bytes_printf(&text, "#\n]\ndef g(): a if b else c\n"), 0);
    assert_int_equal(lexer_run(&m.lexer, row_of("python"), bytes_slice(&text), LEX_ALL | LEX_COMMENTS, &err), 0);
    assert_int_equal(functions_find(&m.functions, row_of("python"), &m.lexer, bytes_slice(&text), &err), 0);
    assert_int_equal(measures_take(&m.measures, row_of("python"), &m.lexer, &m.functions, bytes_slice(&text), &err), 0);
    assert_int_equal(m.functions.count, DEEP + WIDE);
    assert_int_equal(m.measures.at[0].comments, DEEP - 1);             /* the innermost has no body */
    assert_int_equal(m.measures.at[DEEP].complexity, 2);
    bytes_free(&text);
    measured_free(&m);
    measures_free(&m.measures);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(lines), cmocka_unit_test(nested), cmocka_unit_test(hostile) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
