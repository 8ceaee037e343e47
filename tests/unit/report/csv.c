/* tests/unit/report/csv.c -- fields with and without quotes, and what would be a formula. */
#include "report/csv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_text(void **unused)
{
    static const struct { const char *text, *field; } cases[] = {
        { "plain text", "plain text" }, { "", "\"\"" }, { "a,b", "\"a,b\"" }, { "a\nb", "\"a\nb\"" },
        { "a\rb", "\"a\rb\"" }, { "say \"no\"", "\"say \"\"no\"\"\"" }, { "\"", "\"\"\"\"" },
        { "=1+1", "\"'=1+1\"" }, { "+1", "\"'+1\"" }, { "-1", "\"'-1\"" }, { "@a", "\"'@a\"" }, { "\ta", "\"'\ta\"" },
        { "\ra", "\"'\ra\"" }, { "=\"a\"", "\"'=\"\"a\"\"\"" }, { "a=1", "a=1" },
    };
    struct bytes out = { 0 };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        out.len = 0;
        assert_int_equal(csv_text(slice_of(cases[i].text), &out), 0);
        assert_int_equal(bytes_append(&out, "", 1), 0);
        assert_string_equal(out.at, cases[i].field);
    }
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_text) };

    return cmocka_run_group_tests_name("report/csv", tests, NULL, NULL);
}
