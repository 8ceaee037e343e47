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

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(languages), cmocka_unit_test(none) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
