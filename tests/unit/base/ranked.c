/* tests/unit/base/ranked.c -- places of members and members at places, against counting. */
#include "base/ranked.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* Every number below the limit, and a few above. */
static void check(const struct ranked *r, const bool *member)
{
    uint32_t place = 0;

    for (uint64_t i = 0; i < r->limit; i++) {
        assert_int_equal(ranked_has(r, i), member[i]);
        assert_int_equal(ranked_place(r, i), member[i] ? place : RANKED_NONE);
        if (member[i]) assert_int_equal(ranked_at(r, place++), i);
    }
    assert_int_equal(r->count, place);
    for (uint64_t i = r->limit; i < r->limit + 130; i++) assert_int_equal(ranked_place(r, i), RANKED_NONE);
    assert_int_equal(ranked_place(r, UINT64_MAX), RANKED_NONE);
}

/* One in `rare`, but none in some stretches and all in others. */
static void test_members(void **state)
{
    static const uint64_t limits[] = { 0, 1, 63, 64, 65, 128, 1000, 100003 }, rare[] = { 1, 2, 70, 5000 };
    uint64_t              seed = 1;

    (void)state;
    for (size_t l = 0; l < sizeof limits / sizeof *limits; l++)
        for (size_t k = 0; k < sizeof rare / sizeof *rare; k++) {
            bool         *member = calloc(limits[l] + 1, sizeof *member);
            struct ranked r;

            assert_non_null(member);
            assert_int_equal(ranked_open(&r, limits[l]), 0);
            for (uint64_t i = 0; i < limits[l]; i++) {
                seed = seed * 6364136223846793005ull + 1442695040888963407ull;
                member[i] = i / 300 % 5 != 1 && (i / 300 % 5 == 2 || (seed >> 33) % rare[k] == 0);
                if (member[i]) ranked_add(&r, i);
            }
            assert_int_equal(ranked_end(&r), 0);
            check(&r, member);
            ranked_free(&r);
            free(member);
        }
}

static void test_bounds(void **state)
{
    struct ranked r;

    (void)state;
    assert_int_equal(ranked_open(&r, UINT64_MAX), -ENOMEM);
    ranked_free(&r);
    assert_false(ranked_has(&r, 0));
    /* a limit within a word, and its last member */
    assert_int_equal(ranked_open(&r, 65), 0);
    ranked_add(&r, 64);
    assert_int_equal(ranked_end(&r), 0);
    assert_true(r.count == 1 && ranked_at(&r, 0) == 64 && ranked_place(&r, 64) == 0);
    ranked_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_members), cmocka_unit_test(test_bounds) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
