/* base/packed: every number below 2^40 comes back, whatever its neighbours are; what is above is cut. */
#include "base/packed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_packed(void **state)
{
    static const uint64_t values[] = { 0, 1, 255, 256, UINT32_MAX, 1ull << 32, 0x123456789a,
                                       (1ull << PACKED_BITS) - 1 };
    enum { VALUES = sizeof values / sizeof *values };
    struct packed p = { 0 };

    (void)state;
    assert_int_equal(packed_open(&p, VALUES), 0);
    for (size_t turn = 0; turn < VALUES; turn++) {
        for (size_t i = VALUES; i-- > 0;) packed_set(&p, i, values[(i + turn) % VALUES]);
        for (size_t i = 0; i < VALUES; i++) assert_int_equal(packed_get(&p, i), values[(i + turn) % VALUES]);
    }
    for (size_t i = 0; i < VALUES; i++) packed_set(&p, i, 0);
    packed_set(&p, 3, UINT64_MAX);
    for (size_t i = 0; i < VALUES; i++) assert_int_equal(packed_get(&p, i), i == 3 ? (1ull << PACKED_BITS) - 1 : 0);
    packed_free(&p);
    assert_null(p.at);
}

static void test_no_room(void **state)
{
    struct packed p = { 0 };

    (void)state;
    assert_int_equal(packed_open(&p, SIZE_MAX / PACKED_BYTES), -ENOMEM);
    assert_null(p.at);
    assert_int_equal(packed_open(&p, 0), 0);                /* none is an array, too */
    packed_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_packed), cmocka_unit_test(test_no_room) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
