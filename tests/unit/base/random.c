/* tests/unit/base/random.c -- the same numbers everywhere, all alike. */
#include "base/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* SplitMix64 from state 0, as the sources of Java and xoshiro give it. */
static void test_published(void **unused)
{
    struct random r = { 0 };

    (void)unused;
    assert_true(random_next(&r) == UINT64_C(0xE220A8397B1DCDAF));
    assert_true(random_next(&r) == UINT64_C(0x6E789E6AA1B965F4));
    assert_true(random_next(&r) == UINT64_C(0x06C45D188009454F));
}

static void test_streams(void **unused)
{
    struct random a = random_start(1, 0), same = random_start(1, 0), b = random_start(1, 1),
                  c = random_start(2, 0);
    uint64_t      first = random_next(&a);

    (void)unused;
    assert_true(first == random_next(&same));
    assert_true(first != random_next(&b) && first != random_next(&c));
}

/* Within five standard deviations of what is expected, for numbers and for places of a shuffled list. */
static void test_even(void **unused)
{
    enum { ROUNDS = 30000, N = 6 };
    struct random r = random_start(7, 7);
    double        below[N] = { 0 }, place[N][N] = { { 0 } }, sum = 0;
    const double  wanted = (double)ROUNDS / N, off = 5 * sqrt(wanted);

    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        size_t item[N] = { 0, 1, 2, 3, 4, 5 };
        double unit = random_unit(&r);

        assert_true(unit >= 0 && unit < 1);
        sum += unit;
        below[random_below(&r, N)]++;
        random_shuffle(&r, item, N);
        for (size_t p = 0; p < N; p++) place[p][item[p]]++;
    }
    assert_true(fabs(sum / ROUNDS - 0.5) < 0.01);
    for (size_t i = 0; i < N; i++) {
        assert_true(fabs(below[i] - wanted) < off);
        for (size_t p = 0; p < N; p++) assert_true(fabs(place[p][i] - wanted) < off);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_published), cmocka_unit_test(test_streams),
                                        cmocka_unit_test(test_even) };

    return cmocka_run_group_tests_name("base/random", tests, NULL, NULL);
}
