/* base/table: against a list, with keys that want the same slots; what no memory can hold is refused and harms
 * nothing. */
#include "base/table.h"
#include "tests/unit/draw.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static void test_empty(void **state)
{
    struct table table = { 0 };
    bool         added = false;

    (void)state;
    assert_int_equal(table_find(&table, 0, 0), TABLE_NONE);
    table_clear(&table);
    assert_int_equal(table_put(&table, 0, 0, 5, &added), 5);                    /* zero is a key like any other */
    assert_true(added);
    assert_int_equal(table_find(&table, 0, 0), 5);
    assert_int_equal(table_find(&table, 0, 1), TABLE_NONE);
    assert_int_equal(table_find(&table, 1, 0), TABLE_NONE);
    assert_int_equal(table_put(&table, 0, 0, 6, &added), 5);                    /* the first value stays */
    assert_false(added);
    assert_int_equal(table_find(&table, 0, 0), 5);
    assert_int_equal(table.count, 1);
    table_free(&table);
    assert_true(!table.slot && !table.room && !table.count);
    assert_int_equal(table_find(&table, 0, 0), TABLE_NONE);
    table_free(&table);
}

/* Keys out of few: many of them meet again, differ in one half only, and begin in the same slot. */
static void test_against_list(void **state)
{
    enum { COUNT = 800 };
    static const uint64_t step[] = { 1, 64, (uint64_t)1 << 32, 0x10001, 0 };
    struct { uint64_t low, high; uint32_t value; } list[COUNT];
    struct table table = { 0 };
    uint64_t     random = seed_of_run();

    (void)state;
    for (size_t s = 0; s < sizeof step / sizeof *step; s++) {
        size_t count = 0;

        for (uint32_t n = 0; n < 4 * COUNT; n++) {
            uint64_t low = step[s] ? draw(&random) % (COUNT / 8) * step[s] : UINT64_MAX;
            uint64_t high = step[s] == 1 ? draw(&random) % 8 << 32 : draw(&random) % 8;
            size_t   at = 0;
            bool     added;
            uint32_t got;

            while (at < count && (list[at].low != low || list[at].high != high)) at++;
            assert_int_equal(table_find(&table, low, high), at < count ? list[at].value : TABLE_NONE);
            got = table_put(&table, low, high, n, &added);
            assert_int_equal(added, at == count);
            assert_int_equal(got, at < count ? list[at].value : n);
            if (added) {
                list[count].low = low;
                list[count].high = high;
                list[count++].value = n;
            }
            assert_int_equal(table.count, count);
            assert_true(2 * count <= table.room);
        }
        for (size_t at = 0; at < count; at++)
            assert_int_equal(table_find(&table, list[at].low, list[at].high), list[at].value);
        table_clear(&table);
        assert_int_equal(table.count, 0);
        for (size_t at = 0; at < count; at++)
            assert_int_equal(table_find(&table, list[at].low, list[at].high), TABLE_NONE);
    }
    table_free(&table);
}

static void test_reserve(void **state)
{
    static const size_t  counts[] = { 0, 1, 32, 33, 1000, 10 };
    struct table         table = { 0 };
    struct table_slot   *was;
    bool                 added;

    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        assert_int_equal(table_reserve(&table, counts[i]), 0);
        assert_true(table.slot && table.room >= 2 * counts[i] && (table.room & (table.room - 1)) == 0);
    }
    was = table.slot;
    for (uint64_t key = 0; key < 1000; key++) table_put(&table, key * key, key, (uint32_t)key, &added);
    assert_ptr_equal(table.slot, was);                      /* there was room for them */
    table_clear(&table);
    assert_ptr_equal(table.slot, was);
    table_put(&table, 7, 8, 9, &added);
    assert_int_equal(table_reserve(&table, SIZE_MAX / 8), -ENOMEM);
    assert_ptr_equal(table.slot, was);
    assert_int_equal(table_find(&table, 7, 8), 9);
    table_free(&table);
}

/* Keys that are chosen so that they begin or end alike lie no closer together than others: the longest run of used
 * slots is what a search may have to read. */
static void test_chosen_keys(void **state)
{
    enum { COUNT = 33000, KINDS = 4 };

    (void)state;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        struct table table = { 0 };
        size_t       run = 0, longest = 0;
        bool         added;

        for (uint64_t i = 0; i < COUNT; i++) {
            const uint64_t key[KINDS][2] = { { i << 32, 0 }, { i << 20, i << 52 }, { 0xBEEF | i << 40, i },
                                               { 7, i << 17 } };

            assert_int_equal(table_put(&table, key[kind][0], key[kind][1], (uint32_t)i, &added), i);
            assert_true(added);
        }
        for (size_t s = 0; s < table.room; s++) {
            run = table.slot[s].used ? run + 1 : 0;
            if (run > longest) longest = run;
        }
        assert_true(longest < COUNT / 10);                  /* some 50 as a rule; it was all of them */
        table_free(&table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_empty), cmocka_unit_test(test_against_list),
                                        cmocka_unit_test(test_reserve), cmocka_unit_test(test_chosen_keys) };

    printf("seed=%llu\n", (unsigned long long)seed_of_run());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
