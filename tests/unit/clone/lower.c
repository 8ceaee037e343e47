/* tests/unit/clone/lower.c -- lower case beyond Latin-1: known characters, and a sum over all of Unicode 14.0. */
#include "clone/line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_known(void **unused)
{
    static const uint32_t known[][2] = {
        { 0x100, 0x101 }, { 0x101, 0x101 }, { 0x12E, 0x12F }, { 0x12F, 0x12F }, { 0x130, 'i' }, { 0x131, 0x131 },
        { 0x138, 0x138 }, { 0x139, 0x13A }, { 0x149, 0x149 }, { 0x178, 0xFF }, { 0x1C4, 0x1C6 }, { 0x1C5, 0x1C6 },
        { 0x1C6, 0x1C6 }, { 0x391, 0x3B1 }, { 0x3A2, 0x3A2 }, { 0x3A3, 0x3C3 }, { 0x3F4, 0x3B8 }, { 0x400, 0x450 },
        { 0x3C2, 0x3C2 }, { 0x3C3, 0x3C3 },
        { 0x307, 0x307 }, { 0x410, 0x430 }, { 0x42F, 0x44F }, { 0x430, 0x430 }, { 0x10A0, 0x2D00 },
        { 0x13A0, 0xAB70 }, { 0x1E9E, 0xDF },
        { 0x2126, 0x3C9 }, { 0x212A, 'k' }, { 0x2160, 0x2170 }, { 0x4E2D, 0x4E2D }, { 0xFF21, 0xFF41 },
        { 0xFF3B, 0xFF3B }, { 0x10400, 0x10428 }, { 0x1E921, 0x1E943 }, { 0x1E922, 0x1E922 }, { 0x10FFFF, 0x10FFFF },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) assert_int_equal(clone_lower(known[i][0]), known[i][1]);
}

/* Count and sum are those of the simple mappings in Unicode's own table, made by another program. */
static void test_all(void **unused)
{
    uint64_t changed = 0, sum = 0;

    (void)unused;
    for (uint32_t c = 0x100; c < 0x110000; c++) {
        uint32_t lower = clone_lower(c);

        if (lower >= 0x100) assert_int_equal(clone_lower(lower), lower);    /* lower case has none of its own */
        if (lower == c) continue;
        changed++;
        sum = sum * 31 + c * 7ull + lower;
    }
    assert_int_equal(changed, 1377);
    assert_true(sum == 5802981050670158382ull);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_known), cmocka_unit_test(test_all) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
