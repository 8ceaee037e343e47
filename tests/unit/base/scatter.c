/* base/scatter: slots are within the table, the factors are odd and another program run has others. */
#include "base/scatter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static void slots_are_within(void **state)
{
    (void)state;
    for (unsigned shift = 1; shift < 64; shift++)
        for (uint64_t i = 0; i < 1000; i++) {
            const uint64_t key = i * 0x9E3779B97F4A7C15ull;

            assert_true(scatter(key, scatter_factor[0], shift) <= UINT64_MAX >> shift);
            assert_true(scatter_pair(key, ~key, shift) <= UINT64_MAX >> shift);
        }
}

/* Keys that share 48 of their 64 bits fill slots as other keys do: their first bits would choose one. */
static void keys_that_are_alike_part(void **state)
{
    enum { BITS = 16 };
    static char used[1 << BITS];
    size_t      count = 0;

    (void)state;
    for (uint64_t i = 0; i < 1 << BITS; i++) used[scatter(0xABCDull << 48 | i, scatter_factor[0], 64 - BITS)] = 1;
    for (size_t s = 0; s < sizeof used; s++) count += (size_t)used[s];
    assert_true(count > sizeof used / 4);                   /* 63 in a hundred as a rule */
}

/* This process and one that is started anew. */
static void every_run_has_its_own(void **state)
{
    unsigned long long other[2];
    char               command[128];
    FILE              *child;

    (void)state;
    assert_true(scatter_factor[0] % 2 == 1 && scatter_factor[1] % 2 == 1);
    snprintf(command, sizeof command, "FACTORS=1 /proc/%d/exe base/scatter", (int)getpid());
    if (!(child = popen(command, "r"))) fail_msg("no process");
    if (fscanf(child, "FACTORS %llu %llu", &other[0], &other[1]) != 2) fail_msg("it says no factors");
    pclose(child);
    assert_true(other[0] != scatter_factor[0] && other[1] != scatter_factor[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_are_within), cmocka_unit_test(keys_that_are_alike_part),
        cmocka_unit_test(every_run_has_its_own),
    };

    if (getenv("FACTORS"))
        return printf("FACTORS %llu %llu\n", (unsigned long long)scatter_factor[0],
                      (unsigned long long)scatter_factor[1]) < 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
