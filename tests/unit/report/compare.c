/* tests/unit/report/compare.c -- what a reader sees of a pair: one layout where formatting hides what is alike, the
 * place in a long text, numbers of the texts' own lines. */
#include "report/compare.h"
#include "tests/unit/folder.h"

static void compares(const char *language, bool contained, const char *a, const char *b, const char *expected)
{
    const struct comparison texts = { slice_of(a), slice_of(b), slice_of(language), contained, 0, 0 };
    struct bytes            out = { 0 };
    struct err              err = { 0 };

    assert_int_equal(compare_print(&texts, &(struct diff_style){ .visible = true }, &out, &err), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_string_equal(out.at, expected);
    bytes_free(&out);
}

#define IN_ONE_LAYOUT "@@ both are shown in one layout: their own line breaks differ @@\n"

static void test_layout(void **unused)
{
    (void)unused;
    compares("java", false, "int f(int a) { int b = a; return b + 1; }",
             "int f(int a)\n{\n  int b = a;\n  return b + 2;\n}\n",
             IN_ONE_LAYOUT " int f(int a) {\n     int b = a;\n!    return b + [-1-]{+2+};\n }\n");
    /* lines that tell enough stay as they are, and so do those of Python */
    compares("java", false, "int  x;\nint y;\n", "int  x;\nint z;\n", " int  x;\n!int [-y-]{+z+};\n");
    compares("python", false, "f(a); g(b)", "f(a)\ng(b)\n", "-f(a); g(b)\n+f(a)\n+g(b)\n");
    compares("", false, "f(a); g(b);", "f(a);\ng(b);\n", "!f(a);[- g(b);-]\n+g(b);\n");
    compares("java", false, "\x1b[2J; x; y; z;", "\x1b[3J;\nx;\ny;\nz;\n",
             IN_ONE_LAYOUT "!\\x1b[[-2-]{+3+} J;\n x;\n y;\n z;\n");
}

static void test_contained(void **unused)
{
    struct bytes long_text = { 0 };
    const char  *part = "int f(int a) {\n  int b = a;\n  return b + 1;\n}\n";
    uint32_t     a, b;
    struct err   err = { 0 };

    (void)unused;
    for (int i = 0; i < 300; i++) {
        assert_int_equal(bytes_printf(&long_text, "g%d();\n", i), 0);
        if (i == 199) assert_int_equal(bytes_append_slice(&long_text, slice_of(part)), 0);
    }
    assert_int_equal(bytes_append(&long_text, "", 1), 0);
    compares("java", true, part, long_text.at, "@@ + is lines 201 to 204 of 304: where the other's tokens are @@\n"
                                               " int f(int a) {\n   int b = a;\n   return b + 1;\n }\n");
    compares("java", true, long_text.at, part, "@@ - is lines 201 to 204 of 304: where the other's tokens are @@\n"
                                               " int f(int a) {\n   int b = a;\n   return b + 1;\n }\n");
    assert_int_equal(compare_places(&(struct comparison){ slice_of(part), slice_of(long_text.at), SLICE("java"), true,
                                                           0, 0 }, &a, &b, &err), 0);
    assert_int_equal(a, 0);
    assert_int_equal(b, 200);
    /* both: on one line, and inside of another text; lines are numbered as they are in it */
    compares("java", true, "int f(int a) { int b = a; return b + 1; }", long_text.at,
             "@@ + is lines 201 to 204 of 304: where the other's tokens are @@\n" IN_ONE_LAYOUT
             " int f(int a) {\n     int b = a;\n     return b + 1;\n }\n");
    bytes_free(&long_text);
}

/* Where it is known: the lines, and of far longer ones the place in them. */
static void test_known(void **unused)
{
    struct comparison   texts = { SLICE("int z;\n"), SLICE("int x;\nint y;\nint q;\nint w;\n"), SLICE("java"), false,
                                  3, 3 };
    struct diff_style   style = { .visible = true };
    struct compared     compared;
    struct bytes        out = { 0 }, line = { 0 };
    struct err          err = { 0 };

    (void)unused;
    assert_int_equal(compare_print(&texts, &style, &out, &err), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_string_equal(out.at, "@@ + is lines 3 to 3 of 4: where the other is @@\n!int [-z-]{+q+};\n");
    for (int i = 0; i < 2000; i++)
        assert_int_equal(bytes_printf(&line, i == 1000 ? "\nhere it is; " : "a%d = b; ", i), 0);
    texts.a = SLICE("here it is;");
    texts.b = bytes_slice(&line);
    texts.line = texts.line_end = 2;
    assert_int_equal(compare_make(&compared, &texts, &err), 0);
    assert_int_equal(compared.b.text.len, strlen("here it is;"));
    assert_int_equal(compared.b.first, 1);
    assert_int_equal(compared.b_line[0], 1);
    compared_free(&compared);
    bytes_free(&out);
    bytes_free(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_layout), cmocka_unit_test(test_contained),
                                        cmocka_unit_test(test_known) };

    return cmocka_run_group_tests_name("report/compare", tests, NULL, NULL);
}
