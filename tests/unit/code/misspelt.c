/* code/misspelt: slips are told from names, and from languages that only look like slips. */
#include "code/misspelt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_misspelt(void **unused)
{
    static const char *const slips[][2] = {
        { "pyton", "python" }, { "Pythn", "python" }, { "jav", "java" }, { "typescrpt", "typescript" },
        { "rubby", "ruby" },
    };
    static const char *const names[] = { "python", "PY", "C++", "golang", "text", "fortran", "cobol", "MyOwnLang",
                                         "tex", "Stata", "Cython", "vala", "objective-c", "d", "scheme", "" };

    (void)unused;
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        const char *meant = misspelt_language(slips[i][0]);

        if (!meant || strcmp(meant, slips[i][1]) != 0) fail_msg("%s: %s", slips[i][0], meant ? meant : "no slip");
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (misspelt_language(names[i])) fail_msg("%s: %s", names[i], misspelt_language(names[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_misspelt) };

    return cmocka_run_group_tests_name("code/misspelt", tests, NULL, NULL);
}
