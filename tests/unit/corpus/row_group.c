/* corpus/row_group: the units of row groups, and what may be made of one, by numbers that footers may well have. */
#include "corpus/row_group.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_claims(void **state)
{
    (void)state;
    assert_int_equal(row_group_claim(0, 0), 0);
    assert_int_equal(row_group_claim(10, 1000), 10 * ROW_GROUP_ROW_COST + 1000);
    assert_int_equal(row_group_claim(UINT64_MAX / 2, 1), UINT64_MAX);
    assert_int_equal(row_group_claim(1, UINT64_MAX), UINT64_MAX);
    assert_int_equal(row_group_place(7, 5, 100).behind, 12);
    assert_int_equal(row_group_place(UINT64_MAX - 1, 5, 100).behind, UINT64_MAX);
}

/* A unit that joins what is less than one is never full; what is much more than was claimed is. */
static void test_pieces(void **state)
{
    (void)state;
    assert_false(row_group_piece_is_full(0, 100));
    assert_false(row_group_piece_is_full(199, 100));
    assert_true(row_group_piece_is_full(200, 100));
    assert_true(row_group_piece_is_full(UINT64_MAX, UINT64_MAX));
}

/* before, claim, unit bytes: first and last unit */
static void test_places(void **state)
{
    static const struct { uint64_t before, claim, unit; uint32_t first, last; } at[] = {
        { 0, 0, 100, 0, 0 },            { 0, 99, 100, 0, 0 },        { 0, 100, 100, 0, 0 },   { 0, 101, 100, 0, 1 },
        { 50, 99, 100, 0, 0 },          /* across a border, but less than a unit: it is in one */
        { 50, 100, 100, 0, 1 },         { 100, 300, 100, 1, 3 },     { 199, 300, 100, 1, 4 },
        { UINT64_MAX, 5, 100, UINT32_MAX, UINT32_MAX },
        { 3, UINT64_MAX, 1, 3, UINT32_MAX },
    };

    (void)state;
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        const struct row_group group = row_group_place(at[i].before, at[i].claim, at[i].unit);

        assert_int_equal(group.first_unit, at[i].first);
        assert_int_equal(group.last_unit, at[i].last);
    }
}

/* Units of rows never decrease, and meet those of the row group behind at most. */
static void test_units(void **state)
{
    struct row_group group = row_group_place(250, 300, 100);
    uint32_t         last = group.first_unit;

    (void)state;
    assert_int_equal(row_group_unit(&group, 0, 100), 2);
    assert_int_equal(row_group_unit(&group, 49, 100), 2);
    assert_int_equal(row_group_unit(&group, 50, 100), 3);
    for (uint64_t text = 0; text < 1000; text++) {
        const uint32_t unit = row_group_unit(&group, text, 100);

        assert_true(unit >= last && unit <= group.last_unit);
        last = unit;
    }
    assert_int_equal(last, 5);                              /* more text than is claimed is in the last one */
    assert_int_equal(row_group_place(group.behind, 1, 100).first_unit, 5);
    assert_int_equal(row_group_unit(&group, UINT64_MAX, 100), 5);
}

static void test_bombs(void **state)
{
    const uint64_t   mega = 1 << 20;
    struct row_group group = { .free = 0 };

    (void)state;
    /* a small file: 64 MB are free to one row group, and to several a part of them by rows, or by their number */
    assert_int_equal(row_group_free(1000, 1000, 5, 5, 1), 64 * mega);
    assert_int_equal(row_group_free(1000, 1000, 1, 1000, 4), 16 * mega);
    assert_int_equal(row_group_free(1000, 1000, 500, 1000, 4), 32 * mega);
    assert_int_equal(row_group_free(1000, 1000, 1, 1000000, 1000), 64 * mega / 1000);
    /* of a large one max_ratio times its bytes are, by rows: a row group of nulls among others is none */
    assert_int_equal(row_group_free(1000 * mega, 1000, 1, 100, 100), 10000 * mega);
    /* very many row groups have no more together than few */
    assert_in_range(1000000 * row_group_free(100 * mega, 1000, 1, 1000000, 1000000), 99990 * mega, 100000 * mega);
    assert_int_equal(row_group_free(UINT64_MAX, UINT32_MAX, 1, 1, 1), UINT64_MAX);
    assert_int_equal(row_group_free(0, 1, 0, 1, 0), 64 * mega);

    group.free = mega;
    assert_false(row_group_is_bomb(&group, mega, 0, 10));
    assert_true(row_group_is_bomb(&group, mega + 10, 0, 10));
    assert_false(row_group_is_bomb(&group, 10 * mega + 9, mega, 10));
    assert_true(row_group_is_bomb(&group, 10 * mega + 10, mega, 10));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_claims), cmocka_unit_test(test_pieces), cmocka_unit_test(test_places),
        cmocka_unit_test(test_units),  cmocka_unit_test(test_bombs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
