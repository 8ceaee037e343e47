/* base/search: every key in every stretch of a sequence with repeats is found where a linear search finds it. */
#include "base/search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { COUNT = 23 };

struct element { uint32_t narrow; char spare; uint64_t wide; };

static struct element element[COUNT];

struct sought { uint64_t key; };

static bool is_before(const void *context, size_t i)
{
    const struct sought *sought = context;

    assert_true(i < COUNT);
    return element[i].wide < sought->key;
}

static void test_every_key(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT; i++)                      /* 0 0 0 2 2 2 4 .. and the greatest there is */
        element[i] = (struct element){ .narrow = (uint32_t)(i / 3 * 2), .wide = i / 3 * 2 };
    element[COUNT - 1] = (struct element){ UINT32_MAX, 0, UINT64_MAX };
    for (size_t low = 0; low <= COUNT; low++)
        for (size_t high = low; high <= COUNT; high++)
            for (uint32_t key = 0; key < COUNT + 2; key++) {
                size_t want = low;

                while (want < high && element[want].wide < key) want++;
                assert_int_equal(search_u64(element, sizeof *element, offsetof(struct element, wide), low, high, key),
                                 want);
                assert_int_equal(search_u32(element, sizeof *element, offsetof(struct element, narrow), low, high, key),
                                 want);
                assert_int_equal(search_first(low, high, is_before, &(struct sought){ .key = key }), want);
            }
    assert_int_equal(search_u64(element, sizeof *element, offsetof(struct element, wide), 0, COUNT, UINT64_MAX),
                     COUNT - 1);
    assert_int_equal(search_u32(element, sizeof *element, offsetof(struct element, narrow), 0, COUNT, UINT32_MAX),
                     COUNT - 1);
}

static void test_nothing(void **state)
{
    (void)state;
    assert_int_equal(search_u64(NULL, 8, 0, 0, 0, 5), 0);
    assert_int_equal(search_u32(NULL, 4, 0, 7, 7, 5), 7);
    assert_int_equal(search_first(3, 3, is_before, NULL), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_every_key), cmocka_unit_test(test_nothing) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
