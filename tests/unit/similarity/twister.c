/* tests/unit/similarity/twister.c -- MT19937 against the numbers that its standard seed must give. */
#include "similarity/twister.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* 5489 is the authors' default seed; the 10000th number is the one that the standard of C++ asks of std::mt19937. */
static void test_published(void **unused)
{
    static const uint32_t first[] = { 3499211612u, 581869302u, 3890346734u, 3586334585u, 545404204u };
    struct twister        twister;
    uint32_t              last = 0;

    (void)unused;
    twister_start(&twister, 5489);
    for (size_t i = 0; i < 10000; i++) {
        last = twister_next(&twister);
        if (i < 5) assert_int_equal(last, first[i]);
    }
    assert_int_equal(last, 4123659995u);
}

static void test_between(void **unused)
{
    struct twister twister;
    int            seen[6] = { 0 };

    (void)unused;
    twister_start(&twister, 1);
    for (int i = 0; i < 600; i++) {
        const uint64_t drawn = twister_between(&twister, 10, 16);

        assert_in_range(drawn, 10, 15);
        seen[drawn - 10]++;
    }
    for (int i = 0; i < 6; i++) assert_in_range(seen[i], 60, 140);
    assert_int_equal(twister_between(&twister, 7, 8), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_published), cmocka_unit_test(test_between) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
