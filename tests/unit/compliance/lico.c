/* tests/unit/compliance/lico.c -- LICO against the paper's Table IV. */
#include "compliance/lico.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void close_to(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance)) fail_msg("%.9g is not %.9g", value, wanted);
}

/* Striking cases, right of permissive ones, right of copyleft ones.  Where the paper says .95 or .4, counts that give
 * it. */
static void test_table(void **unused)
{
    static const struct { struct lico lico; double wanted; } rows[] = {
        { { LICO_OF_LICOEVAL, 29, 26, 21, 3, 0 }, 0.373 },  { { LICO_OF_LICOEVAL, 25, 22, 18, 3, 0 }, 0.376 },
        { { LICO_OF_LICOEVAL, 47, 41, 35, 6, 0 }, 0.385 },  { { LICO_OF_LICOEVAL, 41, 39, 24, 2, 0 }, 0.317 },
        { { LICO_OF_LICOEVAL, 84, 79, 56, 5, 2 }, 0.571 },  { { LICO_OF_LICOEVAL, 20, 20, 19, 0, 0 }, 0.985 },
        { { LICO_OF_LICOEVAL, 0, 0, 0, 0, 0 }, 1 },         { { LICO_OF_LICOEVAL, 1, 1, 0, 0, 0 }, 0.714 },
        { { LICO_OF_LICOEVAL, 37, 34, 0, 3, 0 }, 0.142 },   { { LICO_OF_LICOEVAL, 17, 17, 4, 0, 0 }, 0.781 },
        { { LICO_OF_LICOEVAL, 13, 13, 3, 0, 0 }, 0.78 },    { { LICO_OF_LICOEVAL, 91, 87, 67, 4, 0 }, 0.36 },
        { { LICO_OF_LICOEVAL, 3, 3, 1, 0, 0 }, 0.809 },     { { LICO_OF_LICOEVAL, 27, 26, 1, 1, 0 }, 0.153 },
    };
    const struct lico none = { 0 };

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) close_to(lico_score(&rows[i].lico), rows[i].wanted, 1e-9);
    assert_true(isnan(lico_score(&none)) && isnan(lico_permissive(&none)) && isnan(lico_copyleft(&none)));
    close_to(lico_permissive(&rows[0].lico), 21.0 / 26, 1e-12);
}

static void test_types(void **unused)
{
    static const struct { const char *id; enum licence_type ours, published; } types[] = {
        { "MIT", LICENCE_TYPE_PERMISSIVE, LICENCE_TYPE_PERMISSIVE },
        { "apache-2.0", LICENCE_TYPE_PERMISSIVE, LICENCE_TYPE_PERMISSIVE },
        { "LGPL-2.1-only", LICENCE_TYPE_WEAK, LICENCE_TYPE_WEAK },
        { "gpl-3.0-or-later", LICENCE_TYPE_STRONG, LICENCE_TYPE_STRONG },
        { "AGPL-3.0-only", LICENCE_TYPE_STRONG, LICENCE_TYPE_STRONG },
        { "EPL-1.0", LICENCE_TYPE_WEAK, LICENCE_TYPE_STRONG }, { "EPL-2.0", LICENCE_TYPE_WEAK, LICENCE_TYPE_WEAK },
        { "MPL-2.0", LICENCE_TYPE_WEAK, LICENCE_TYPE_WEAK },
        { "No-Such-1.0", LICENCE_TYPE_UNKNOWN, LICENCE_TYPE_UNKNOWN },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (licence_type_of(slice_of(types[i].id), false) != types[i].ours ||
            licence_type_of(slice_of(types[i].id), true) != types[i].published)
            fail_msg("%s: %s, published %s", types[i].id,
                     licence_type_names[licence_type_of(slice_of(types[i].id), false)],
                     licence_type_names[licence_type_of(slice_of(types[i].id), true)]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_table), cmocka_unit_test(test_types) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
