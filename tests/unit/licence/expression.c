/* tests/unit/licence/expression.c -- expressions of SPDX, as they should be and as they are found. */
#include "licence/expression.h"

#include "licence/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* took: bytes of the text that are the expression; SIZE_MAX: all. */
static void assert_reads(const char *text, const char *expected, enum licence_class class, bool choice, size_t took)
{
    struct licence got;
    const size_t   used = expression_read(&got, slice_of(text));

    if (strcmp(got.expression, expected) != 0 || got.class != class || got.choice != choice ||
        used != (took == SIZE_MAX ? strlen(text) : took))
        fail_msg("`%s': `%s', %s, %d, %zu bytes", text, got.expression, licence_class_names[got.class], got.choice,
             used);
}

static void what_is_one(void **unused)
{
    (void)unused;
    assert_reads("MIT", "MIT", LICENCE_PERMISSIVE, false, SIZE_MAX);
    assert_reads("apache-2.0 or mit", "Apache-2.0 OR MIT", LICENCE_PERMISSIVE, true, SIZE_MAX);
    assert_reads("GPL-2.0", "GPL-2.0-only", LICENCE_STRONG, false, SIZE_MAX);
    assert_reads("LGPL-2.1+", "LGPL-2.1-or-later", LICENCE_WEAK, false, SIZE_MAX);
    assert_reads("(MIT AND GPL-3.0-only) OR ISC", "(MIT AND GPL-3.0-only) OR ISC", LICENCE_PERMISSIVE, true, SIZE_MAX);
    assert_reads("MIT AND (GPL-3.0-only OR MPL-2.0)", "MIT AND (GPL-3.0-only OR MPL-2.0)", LICENCE_WEAK, true,
                 SIZE_MAX);
    assert_reads("GPL-2.0-only WITH Classpath-exception-2.0", "GPL-2.0-only WITH Classpath-exception-2.0",
                 LICENCE_WEAK, false, SIZE_MAX);
    assert_reads("GPL-2.0-only WITH Linux-syscall-note", "GPL-2.0-only WITH Linux-syscall-note", LICENCE_STRONG, false,
                 SIZE_MAX);
    assert_reads("MIT/Apache-2.0", "MIT OR Apache-2.0", LICENCE_PERMISSIVE, true, SIZE_MAX);
    assert_reads("LicenseRef-Own-1", "LicenseRef-Own-1", LICENCE_UNKNOWN, false, SIZE_MAX);
    assert_reads("MPL-2.0+", "MPL-2.0+", LICENCE_WEAK, false, SIZE_MAX);
}

/* What follows is no part of it. */
static void what_ends_it(void **unused)
{
    (void)unused;
    assert_reads("MIT */ int x;", "MIT", LICENCE_PERMISSIVE, false, 3);
    assert_reads(" MIT-->", "MIT", LICENCE_PERMISSIVE, false, 6);
    assert_reads("MIT.\n", "MIT", LICENCE_PERMISSIVE, false, 4);
    assert_reads("MIT AND", "MIT", LICENCE_PERMISSIVE, false, 3);
    assert_reads("MIT OR (", "MIT", LICENCE_PERMISSIVE, false, 3);
    assert_reads("MIT and see below", "MIT", LICENCE_PERMISSIVE, false, 3);
    assert_reads("((MIT OR ISC))", "MIT OR ISC", LICENCE_PERMISSIVE, true, SIZE_MAX);
    assert_reads("(MIT) AND (ISC)", "(MIT) AND (ISC)", LICENCE_PERMISSIVE, false, SIZE_MAX);
    assert_reads("(MIT OR ISC", "MIT OR ISC", LICENCE_PERMISSIVE, true, SIZE_MAX);
    assert_reads("MIT\nISC", "MIT", LICENCE_PERMISSIVE, false, 3);
}

static void what_is_none(void **unused)
{
    char deep[4096];

    (void)unused;
    for (size_t i = 0; i < sizeof deep - 1; i++) deep[i] = '(';
    deep[sizeof deep - 1] = 0;
    assert_reads("", "", LICENCE_NONE, false, 0);
    assert_reads("see the file", "", LICENCE_NONE, false, 0);
    assert_reads("NOASSERTION", "", LICENCE_NONE, false, 0);
    assert_reads("\");", "", LICENCE_NONE, false, 0);
    assert_reads("AND MIT", "", LICENCE_NONE, false, 0);
    assert_reads(deep, "", LICENCE_NONE, false, 0);
    assert_int_equal(expression_row((struct slice){ "MIT\0x", 5 }), LICENCE_NOTHING);
}

/* It is taken to its end, and may have said anything. */
static void too_long(void **unused)
{
    char wide[4096] = "";

    (void)unused;
    for (size_t i = 0; i < 200; i++) strcat(wide, "MIT AND ");
    assert_reads(wide, "LicenseRef-others", LICENCE_UNKNOWN, false, strlen(wide) - 5);
}

static void too_deep(void **unused)
{
    (void)unused;
    assert_reads("MIT AND ((((((((GPL-3.0-only))))))))", "MIT AND ((((((((GPL-3.0-only))))))))", LICENCE_STRONG, false,
                 36);
    assert_reads("MIT AND (((((((((GPL-3.0-only", "LicenseRef-others", LICENCE_UNKNOWN, false, 29);
    assert_reads("MIT OR ((((((((( ( GPL-3.0-only", "LicenseRef-others", LICENCE_UNKNOWN, false, 31);
    assert_reads("MIT AND (((((((((", "MIT", LICENCE_PERMISSIVE, false, 3);
    assert_reads("MIT AND (((((((((AND", "MIT", LICENCE_PERMISSIVE, false, 3);
}

/* Every identifier is found, in any case. */
static void identifiers(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < licence_row_count; i++) {
        assert_int_equal(expression_row(slice_of(licence_rows[i].id)), i);
        assert_int_equal(licence_class_of(slice_of(licence_rows[i].id)), licence_rows[i].class);
    }
    assert_int_equal(licence_class_of(SLICE("gpl-3.0-ONLY")), LICENCE_STRONG);
    assert_int_equal(licence_class_of(SLICE("GPL-3.0")), LICENCE_STRONG);
    assert_int_equal(licence_class_of(SLICE("EPL-1.0")), LICENCE_WEAK);
    assert_int_equal(licence_class_of(SLICE("GPL-3")), LICENCE_UNKNOWN);
    assert_int_equal(licence_class_of(SLICE("")), LICENCE_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_one), cmocka_unit_test(what_ends_it), cmocka_unit_test(what_is_none),
        cmocka_unit_test(too_long), cmocka_unit_test(too_deep), cmocka_unit_test(identifiers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
