/* tests/unit/code/function.c -- which languages have functions that are told, and texts without any. */
#include "functions.h"

static void languages(void **unused)
{
    (void)unused;
    assert_true(functions_known(row_of("python")));
    assert_true(functions_known(row_of("java")));
    assert_true(functions_known(row_of("typescript")));
    assert_true(functions_known(row_of("ruby")));
    assert_false(functions_known(row_of("sql")));
    assert_false(functions_known(row_of("haskell")));
    assert_false(functions_known(language_generic()));
}

static void none(void **unused)
{
    (void)unused;
    expect_functions("sql", "create function f() returns int { }", "");
    expect_functions("java", "", "");
    expect_functions("python", "\n\n", "");
}

/* Functions in functions in functions: those farther in than 16 are none, so that no text costs more than 16 times. */
static void nested(void **unused)
{
    static const struct { const char *language, *begin, *end; size_t count; } cases[] = {
        { "javascript", "function f(){", "}", 16 }, { "kotlin", "fun f() {", "}", 16 },
        { "ruby", "def f\n", "end\n", 16 },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char             text[1200] = "", *at = text;
        struct lexer     lexer = { 0 };
        struct functions functions = { 0 };
        struct slice     slice;
        struct err       err = { 0 };

        for (int k = 0; k < 40; k++) at = stpcpy(at, cases[i].begin);
        for (int k = 0; k < 40; k++) at = stpcpy(at, cases[i].end);
        slice = padded(text);
        assert_int_equal(lexer_run(&lexer, row_of(cases[i].language), slice, LEX_ALL, &err), 0);
        assert_int_equal(functions_find(&functions, row_of(cases[i].language), &lexer, slice, &err), 0);
        if (functions.count > cases[i].count || !functions.count)
            fail_msg("%s: %zu functions", cases[i].language, functions.count);
        lexer_free(&lexer);
        functions_free(&functions);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(languages), cmocka_unit_test(none), cmocka_unit_test(nested) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
