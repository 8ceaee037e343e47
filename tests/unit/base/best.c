/* tests/unit/base/best.c -- the best of each group as if all rows had been sorted at once, in bounded memory. */
#include "base/best.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { ROWS = 200000, GROUPS = 300, MOST = 7 };

struct row { uint32_t group, value; uint64_t more; };

static int row_order(const void *a, const void *b, void *context)
{
    const struct row *x = a, *y = b;

    (void)context;
    if (x->group != y->group) return x->group < y->group ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

static bool row_same(const void *a, const void *b, void *context)
{
    (void)context;
    return ((const struct row *)a)->group == ((const struct row *)b)->group;
}

static struct best best_of(uint64_t most)
{
    return (struct best){ .size = sizeof(struct row), .more = offsetof(struct row, more), .most = most,
                          .order = row_order, .same = row_same };
}

static int plain_order(const void *a, const void *b) { return row_order(a, b, NULL); }

static void check(uint64_t most, uint32_t groups)
{
    struct row *all = calloc(ROWS, sizeof *all);
    struct best best = best_of(most);
    uint32_t    state = 12345;
    size_t      at = 0, widest = 0;

    assert_non_null(all);
    for (size_t i = 0; i < ROWS; i++) {
        state = state * 1664525u + 1013904223u;
        all[i] = (struct row){ state >> 8 & 1 ? 0 : (state >> 9) % groups, (uint32_t)((i * 48271ull) % ROWS), 99 };
        assert_int_equal(best_add(&best, &all[i]), 0);
        if (best.room > widest) widest = best.room;
    }
    best_finish(&best);
    qsort(all, ROWS, sizeof *all, plain_order);
    for (size_t i = 0, end; i < ROWS; i = end) {
        for (end = i; end < ROWS && all[end].group == all[i].group; end++) { }
        for (size_t k = i; k < end && k - i < most; k++, at++) {
            const struct row *row = (const struct row *)(const void *)best.at + at;

            assert_true(at < best.count);
            assert_int_equal(row->group, all[i].group);
            assert_int_equal(row->value, all[k].value);
            assert_int_equal(row->more, k == i && end - i > most ? end - i - most : 0);
        }
    }
    assert_int_equal(at, best.count);
    if (most * groups < ROWS / 100) assert_true(widest < ROWS / 10);    /* they were never all there */
    best_free(&best);
    free(all);
}

static void test_best(void **unused)
{
    (void)unused;
    check(MOST, GROUPS);
    check(1, 1);
    check(ROWS, GROUPS);
    check(3, ROWS);
}

static void test_none(void **unused)
{
    struct best best = best_of(1);

    (void)unused;
    best_finish(&best);
    assert_int_equal(best.count, 0);
    best_free(&best);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_best), cmocka_unit_test(test_none) };

    return cmocka_run_group_tests_name("base/best", tests, NULL, NULL);
}
