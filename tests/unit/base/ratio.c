/* base/ratio: decimal fractions kept exactly, and the interval of a share. */
#include "base/ratio.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void test_parse(void **state)
{
    static const struct { const char *text; uint32_t num, den; } good[] = {
        { "0.8", 4, 5 },      { ".75", 3, 4 },       { "1", 1, 1 },         { "0", 0, 1 },
        { "1.000", 1, 1 },    { "0.0", 0, 1 },       { "0.123456789", 123456789, 1000000000 },
        { "000.5", 1, 2 },    { "off", 0, 0 },       { "0.999999999", 999999999, 1000000000 },
        { "1.000000000", 1, 1 },
        { "80%", 4, 5 },      { "80 %", 4, 5 },      { "100%", 1, 1 },      { "0%", 0, 1 },
        { ".5%", 1, 200 },    { "12.5 %", 1, 8 },    { "99.9999999%", 999999999, 1000000000 },
        { "0000100%", 1, 1 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct ratio ratio = { 7, 7 };
        struct err   err = { 0 };

        assert_int_equal(ratio_parse(&ratio, good[i].text, &err), 0);
        assert_int_equal(ratio.num, good[i].num);
        assert_int_equal(ratio.den, good[i].den);
    }
}

static void test_refuse(void **state)
{
    static const char *const bad[] = { "", ".", "1.", "1.1", "2", "-0.5", "+0.5", "0,8", "%", " %", "101%",
                                       "100.1%", "80%%", "80  %", "80% ", "80.%", "0.12345678%", "off%", "80",
                                       "0.8 ", " 0.8", "0x1",
                                       "1e-1", "nan", "0.1234567891",
                                       "1.000000001", "Off", "99999999999999999999999999", "0.8.8" };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct ratio ratio = { 7, 7 };
        struct err   err = { 0 };

        assert_int_equal(ratio_parse(&ratio, bad[i], &err), -EINVAL);
        assert_int_equal(err.code, -EINVAL);
        assert_int_equal(ratio.den, 0);
    }
}

static void test_percent(void **state)
{
    static const struct { const char *text; double value; } good[] = {
        { "0", 0 }, { "5", 5 }, { "0.1", 0.1 }, { "12.5%", 12.5 }, { "80 %", 80 }, { "100%", 100 }, { ".5", 0.5 },
        { "7.", 7 },
    };
    static const char *const bad[] = { "", "%", " %", ".", "101", "100.1%", "80%%", "80  %", "80% ", " 80", "-1", "1e1",
                                       "0x10", "nan", "1.1234567", "1000000000", "5 percent" };

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double value = -7;

        if (!percent_parse(&value, good[i].text) || value != good[i].value) fail_msg("`%s'", good[i].text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double value = -7;

        if (percent_parse(&value, bad[i])) fail_msg("`%s' is %g", bad[i], value);
    }
}

/* Against every fraction with a small whole: no rounding at the threshold itself. */
static void test_compare(void **state)
{
    static const char *const text[] = { "0.8", "0.7", "0.1", "0.3", "0.999999999", "0.000000001", "1", "0" };

    (void)state;
    for (size_t t = 0; t < sizeof text / sizeof *text; t++) {
        struct ratio ratio;
        struct err   err;

        assert_int_equal(ratio_parse(&ratio, text[t], &err), 0);
        assert_int_equal(ratio_prefix(ratio, 0), 0);
        for (uint64_t whole = 1; whole < 300; whole++) {
            uint64_t least = ratio_ceil(ratio, whole);

            /* even the last `least` of an order have one in the prefix, and one element less would lose it */
            assert_int_equal(ratio_prefix(ratio, whole) + least, whole + 1);
            for (uint64_t part = 0; part <= whole; part++) {
                bool reached = part * ratio.den >= whole * ratio.num;           /* small enough for 64 bits here */

                assert_int_equal(ratio_reached(ratio, part, whole), reached);
                assert_int_equal(part >= least, reached);
            }
        }
    }
}

/* Values for which 64-bit products overflow. */
static void test_large(void **state)
{
    struct ratio ratio;
    struct err   err;

    (void)state;
    assert_int_equal(ratio_parse(&ratio, "0.999999999", &err), 0);
    assert_true(ratio_reached(ratio, UINT64_MAX, UINT64_MAX));
    assert_false(ratio_reached(ratio, UINT64_MAX / 1000000000 * 999999998, UINT64_MAX));
    assert_true(ratio_reached(ratio, ratio_ceil(ratio, UINT64_MAX), UINT64_MAX));
    assert_false(ratio_reached(ratio, ratio_ceil(ratio, UINT64_MAX) - 1, UINT64_MAX));
    assert_true(ratio_share(UINT64_MAX, 3, 4) == UINT64_MAX / 4 * 3 + 2);
    assert_true(ratio_share(UINT64_MAX, 4, 3) == UINT64_MAX && ratio_share(10, 2, 3) == 6 && ratio_share(0, 5, 1) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse), cmocka_unit_test(test_refuse), cmocka_unit_test(test_percent),
        cmocka_unit_test(test_compare),
            cmocka_unit_test(test_large),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
