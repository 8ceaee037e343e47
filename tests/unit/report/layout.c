/* tests/unit/report/layout.c -- one layout whatever the line breaks were, and where its lines come from. */
#include "report/layout.h"
#include "tests/unit/folder.h"

static void lays(const char *language, const char *text, const char *expected)
{
    struct layout layout;
    struct err    err = { 0 };

    assert_int_equal(layout_make(&layout, slice_of(text), language_by_name(slice_of(language)), &err), 0);
    assert_int_equal(bytes_append(&layout.text, "", 1), 0);
    assert_string_equal(layout.text.at ? layout.text.at : "", expected);
    layout_free(&layout);
}

static void test_breaks(void **unused)
{
    const char *laid = "int f(int[] a) {\n    for (int i = 0; i < a.length; i ++) {\n        g(a[i], \"};{\");\n    }\n"
                       "    return 0;\n}\n";

    (void)unused;
    lays("java", "int f(int[] a){for(int i=0;i<a.length;i++){g(a[i],\"};{\");}return 0;}", laid);
    lays("java", "int f( int [] a )\n{\n\tfor (int i = 0;\n\t\ti < a.length; i++)\n\t{ g( a[i] , \"};{\"); }\n"
                 "\treturn 0;\n}\n", laid);
    lays("java", laid, laid);
    lays("java", "", "");
    lays("java", "f(() -> { a; b; }, c);", "f(() -> {\n    a;\n    b;\n}, c);\n");
    lays("java", "}}) } ;(", "}\n})\n};\n(\n");              /* unbalanced */
}

static void test_comments(void **unused)
{
    (void)unused;
    lays("java", "a; // one;  two\nb; /* x\n y */ c /* z */ d;", "a;\n// one; two\nb;\n/* x\ny */ c /* z */ d;\n");
    lays("c", "#include <a.h>\nint x; int y;\n#define Z { 1 }\n", "#include < a.h >\nint x;\nint y;\n#define Z {\n"
                                                                   "    1\n}\n");
}

static void test_languages(void **unused)
{
    (void)unused;
    assert_true(layout_fits(language_by_name(SLICE("java"))));
    assert_false(layout_fits(language_by_name(SLICE("python"))));
    assert_false(layout_fits(language_generic()));
}

static void test_lines(void **unused)
{
    const uint32_t expected[] = { 0, 0, 2, 3, 4 };
    struct layout  layout;
    struct err     err = { 0 };

    (void)unused;
    assert_int_equal(layout_make(&layout, SLICE("a; b;\n\n/* c\nd */\ne"), language_by_name(SLICE("java")), &err), 0);
    assert_int_equal(layout.count, 5);
    assert_memory_equal(layout.line, expected, sizeof expected);
    layout_free(&layout);
}

/* Deep braces and odd bytes cost no more than their length. */
static void test_hostile(void **unused)
{
    struct bytes  text = { 0 };
    struct layout layout;
    struct err    err = { 0 };

    (void)unused;
    for (int i = 0; i < 200000; i++) assert_int_equal(bytes_append(&text, i % 3 ? "{" : "(", 1), 0);
    for (int i = 0; i < 200000; i++) assert_int_equal(bytes_append(&text, i % 5 ? "}" : "\0", 1), 0);
    assert_int_equal(layout_make(&layout, bytes_slice(&text), language_by_name(SLICE("c")), &err), 0);
    assert_true(layout.text.len < 40 * text.len);
    layout_free(&layout);
    bytes_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_breaks), cmocka_unit_test(test_comments), cmocka_unit_test(test_languages),
        cmocka_unit_test(test_lines), cmocka_unit_test(test_hostile),
    };

    return cmocka_run_group_tests_name("report/layout", tests, NULL, NULL);
}
