/* tests/unit/code/element.c -- strings, comments and documentation among the elements; time. */
#include "elements_of.h"

static void order(void **unused)
{
    (void)unused;
    expect_elements("python", "#!/x\n'''a'''\nx = 'b' # c\nclass A:\n    '''d'''\n    '''e'''\n    def f(self): 'g'\n",
                    "comment #!/x; docstring '''a'''; variable x!; string 'b'; comment # c; class A!; "
                    "docstring '''d'''; string '''e'''; function f!; parameter self!; docstring 'g'");
    expect_elements("java", "/** a */ class A {\n // b\n int c; /* d */\n // e\n int f() { return 1; }\n}",
                    "docstring /** a */; class A!; comment // b; variable c!; comment /* d */; docstring // e; "
                    "function f!");
    expect_elements("javascript", "`a${b}c`; f(/* d */ 'e')",
                    "string `a${; variable b; string }c`; function f; comment /* d */; string 'e'");
    expect_elements("go", "", "");
}

/* A text of any kind takes time that grows with its length. */
static void hostile(void **unused)
{
    static const char *const parts[] = { "(", "a=", "lambda a,", "f(a=1,", "class A:", "for a in ", "f(", "a.", "#\n",
                                         "def f(a", "'''a'''\n", "import a.b," };
    enum { TEXT = 50000 };

    (void)unused;
    for (size_t i = 0; language_at(i); i++) {
        if (!functions_known(language_at(i))) continue;
        for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
            struct found found;
            struct bytes text = { 0 };

            while (text.len < TEXT) assert_int_equal(bytes_append_slice(&text, slice_of(parts[p])), 0);
            memset(text.at + text.len, 0, 64);
            elements_take(&found, language_at(i), bytes_slice(&text));
            for (size_t e = 1; e < found.elements.count; e++)
                assert_true(found.elements.at[e].at >= found.elements.at[e - 1].end);
            elements_let_go(&found);
            bytes_free(&text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(order), cmocka_unit_test(hostile) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
