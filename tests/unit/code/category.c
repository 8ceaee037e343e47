/* tests/unit/code/category.c -- characters of each category, and what names mean. */
#include "code/category.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void test_characters(void **unused)
{
    /* the last of a run, the first of the next, ends of the table */
    static const struct { uint32_t c; const char *name; } cases[] = {
        { 0, "Cc" }, { 0x1F, "Cc" }, { ' ', "Zs" }, { '!', "Po" }, { '$', "Sc" }, { '0', "Nd" }, { '9', "Nd" },
        { ':', "Po" }, { 'A', "Lu" }, { 'Z', "Lu" }, { '[', "Ps" }, { '_', "Pc" }, { 'z', "Ll" }, { '~', "Sm" },
        { 0x85, "Cc" }, { 0xA0, "Zs" }, { 0xAA, "Lo" }, { 0xB2, "No" }, { 0x1C5, "Lt" }, { 0x2B0, "Lm" },
        { 0x301, "Mn" }, { 0x903, "Mc" }, { 0x20DD, "Me" }, { 0x2028, "Zl" }, { 0x2029, "Zp" }, { 0x2160, "Nl" },
        { 0x200D, "Cf" }, { 0x4E2D, "Lo" }, { 0xD800, "Cs" }, { 0xE000, "Co" }, { 0xFEFF, "Cf" }, { 0xFFFD, "So" },
        { 0xFFFE, "Cn" }, { 0x10000, "Lo" }, { 0x1F600, "So" }, { 0x1F3FB, "Sk" }, { 0x10FFFD, "Co" },
        { 0x10FFFF, "Cn" }, { 0x110000, "Cn" }, { UINT32_MAX, "Cn" },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (category_mask(slice_of(cases[i].name)) != 1u << category_of(cases[i].c))
            fail_msg("U+%04X is not %s", (unsigned)cases[i].c, cases[i].name);
}

static void test_names(void **unused)
{
    static const char *const letters = "LMNPSZC", *const none[] = { "", "l", "X", "Lx", "Lul", "lu" };
    uint32_t                 all = 0;

    (void)unused;
    for (size_t i = 0; letters[i]; i++) {
        const uint32_t mask = category_mask((struct slice){ letters + i, 1 });

        assert_true(mask && !(mask & all));
        all |= mask;
    }
    assert_int_equal(all, (1u << 30) - 1);                  /* each category has a letter */
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) assert_int_equal(category_mask(slice_of(none[i])), 0);
}

/* The table: ascending, neighbours of other categories. */
static void test_table(void **unused)
{
    (void)unused;
    assert_int_equal(category_runs[0] >> CATEGORY_BITS, 0);
    for (size_t i = 1; i < category_runs_count; i++)
        if (category_runs[i] >> CATEGORY_BITS <= category_runs[i - 1] >> CATEGORY_BITS ||
            ((category_runs[i] ^ category_runs[i - 1]) & 31) == 0) fail_msg("row %zu", i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_characters), cmocka_unit_test(test_names), cmocka_unit_test(test_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
