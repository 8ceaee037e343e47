/* base/slots: ids come back by their keys however often the slots grow; a quarter of them stays free. */
#include "base/slots.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_slots(void **state)
{
    enum { KEYS = 5000, LEAST = 4 };
    struct slots slots = { 0 };

    (void)state;
    assert_int_equal(slots_reserve(&slots, 0, LEAST), 0);
    assert_int_equal(slots.bits, LEAST);
    for (uint32_t i = 0; i < KEYS; i++) {
        const uint64_t key = (i + 1ull) << 40 | 1;          /* far apart, and alike at their ends */
        uint64_t       at;

        assert_int_equal(slots_reserve(&slots, i + 1ull, LEAST), 0);
        assert_true(3 * (1ull << slots.bits) >= 4 * (i + 2ull));
        at = slots_find(&slots, key);
        assert_int_equal(slots.key[at], 0);
        slots.key[at] = key;
        slots.id[at] = i;
    }
    assert_true(3 * (1ull << slots.bits) < 8 * (KEYS + 2ull));
    for (uint32_t i = 0; i < KEYS; i++) {
        const uint64_t key = (i + 1ull) << 40 | 1, at = slots_find(&slots, key);

        assert_true(slots.key[at] == key && slots.id[at] == i);
        assert_int_equal(slots.key[slots_find(&slots, key + 1)], 0);
    }
    assert_int_equal(slots_reserve(&slots, 7, LEAST), 0);   /* never smaller */
    assert_true(3 * (1ull << slots.bits) >= 4 * KEYS);
    slots_free(&slots);
    assert_null(slots.key);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_slots) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
