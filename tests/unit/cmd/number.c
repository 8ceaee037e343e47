/* tests/unit/cmd/number.c -- digits within a range, and what is none. */
#include "cmd/number.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_number(void **unused)
{
    static const char *const bad[] = { "", "0", "1025", "-1", "+5", " 5", "5 ", "1.5", "0x10", "1e2", "nan",
                                       "18446744073709551617" };
    struct err err = { 0 };
    uint64_t   number;

    (void)unused;
    assert_int_equal(number_take(&number, 1, 1024, "plan", "--ranks", "1", &err), 0);
    assert_int_equal(number, 1);
    assert_int_equal(number_take(&number, 1, 1024, "plan", "--ranks", "01024", &err), 0);
    assert_int_equal(number, 1024);
    assert_int_equal(number_take(&number, 0, UINT64_MAX, "plan", "--ranks", "18446744073709551615", &err), 0);
    assert_true(number == UINT64_MAX);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(number_take(&number, 1, 1024, "plan", "--ranks", bad[i], &err), -EINVAL);
        assert_non_null(strstr(err.text, "plan: --ranks takes a number from 1 to 1024, not `"));
    }
    assert_int_equal(number_take(&number, 0, UINT64_MAX, "plan", "--ranks", "18446744073709551616", &err), -EINVAL);
    assert_int_equal(number_take(&number, 1, 2, NULL, "--threads", "3", &err), -EINVAL);
    assert_string_equal(err.text, "--threads takes a number from 1 to 2, not `3`");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_number) };

    return cmocka_run_group_tests_name("cmd/number", tests, NULL, NULL);
}
