/* tests/unit/graph/pool.c -- pieces are zeroed, aligned, apart from each other and stay where they are. */
#include "graph/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

enum { PIECES = 3000 };

/* Sizes about those of a chunk too. */
static void test_take(void **state)
{
    static unsigned char *piece[PIECES];
    static size_t         size[PIECES];
    struct pool           pool = { 0 };

    (void)state;
    for (size_t i = 0; i < PIECES; i++) {
        size[i] = i % 100 == 99 ? (64u << 10) - 40 + i / 100 : i % 50;
        piece[i] = pool_take(&pool, size[i]);
        assert_non_null(piece[i]);
        assert_int_equal((uintptr_t)piece[i] % 16, 0);
        for (size_t k = 0; k < size[i]; k++) assert_int_equal(piece[i][k], 0);
        memset(piece[i], (int)(i % 251) + 1, size[i]);
    }
    for (size_t i = 0; i < PIECES; i++)
        for (size_t k = 0; k < size[i]; k++) assert_int_equal(piece[i][k], i % 251 + 1);
    pool_free(&pool);
    assert_null(pool.chunk);
    pool_free(&pool);                                       /* an empty one */
}

static void test_copy(void **state)
{
    const char   text[] = { 'a', 0, 'b', 'c' };
    struct pool  pool = { 0 };
    struct slice copy, none;

    (void)state;
    assert_int_equal(pool_copy(&pool, (struct slice){ text, 3 }, &copy), 0);
    assert_true(copy.at != text && slice_equal(copy, (struct slice){ text, 3 }));
    assert_int_equal(copy.at[3], 0);
    assert_int_equal(pool_copy(&pool, (struct slice){ NULL, 0 }, &none), 0);
    assert_true(none.len == 0 && *none.at == 0);
    pool_free(&pool);
}

static void test_too_much(void **state)
{
    struct pool  pool = { 0 };
    struct slice copy = { "x", 1 };

    (void)state;
    assert_null(pool_take(&pool, SIZE_MAX - 3));
    assert_int_equal(pool_copy(&pool, (struct slice){ "x", SIZE_MAX - 5 }, &copy), -ENOMEM);
    assert_true(!copy.at && copy.len == 0);
    pool_free(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_take), cmocka_unit_test(test_copy),
                                        cmocka_unit_test(test_too_much) };

    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
