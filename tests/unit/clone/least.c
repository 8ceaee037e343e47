/* tests/unit/clone/least.c -- the smallest keys of every range, against looking at the whole range. */
#include "clone/least.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MOST = 260 };

static uint64_t state = 3;

static size_t draw(size_t below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (size_t)((state >> 33) % below);
}

/* Different keys in random order; every fourth, say, is never taken. */
static void keys_make(uint32_t *key, size_t count, size_t none)
{
    for (size_t i = 0; i < count; i++) {
        size_t swap = draw(i + 1);

        key[i] = key[swap];
        key[swap] = (uint32_t)i * 3;
    }
    for (size_t i = 0; none && i < count; i++) if (draw(none) == 0) key[i] = LEAST_NONE;
}

static void check(const struct least *least, size_t from, size_t to, size_t most)
{
    size_t place[LEAST_MAX] = { 0 }, count = least_take(least, from, to, most, place), there = 0;

    for (size_t i = from; i < to; i++) there += least->key[i] != LEAST_NONE;
    if (most > LEAST_MAX) most = LEAST_MAX;
    assert_int_equal(count, there < most ? there : most);
    for (size_t n = 0; n < count; n++) {
        size_t smaller = 0;

        assert_true(place[n] >= from && place[n] < to);
        for (size_t i = from; i < to; i++) smaller += least->key[i] < least->key[place[n]];
        assert_int_equal(smaller, n);
    }
}

static void test_ranges(void **unused)
{
    static const size_t counts[] = { 1, 2, 3, 7, 8, 9, 33 };
    uint32_t            key[MOST];
    struct least        least;

    (void)unused;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        for (size_t none = 0; none < 4; none++) {
            keys_make(key, counts[c], none);
            assert_int_equal(least_open(&least, key, counts[c]), 0);
            for (size_t from = 0; from <= counts[c]; from++)
                for (size_t to = from; to <= counts[c]; to++)
                    for (size_t most = 0; most < 5; most++) check(&least, from, to, most);
            least_close(&least);
        }
    }
    keys_make(key, MOST, 0);
    assert_int_equal(least_open(&least, key, MOST), 0);
    check(&least, 0, MOST, LEAST_MAX);
    check(&least, 0, MOST, LEAST_MAX + 50);                 /* so many and no more */
    check(&least, 30, 30 + LEAST_MAX, LEAST_MAX);
    least_close(&least);
}

static void test_empty(void **unused)
{
    struct least least;
    size_t       place[1];

    (void)unused;
    assert_int_equal(least_open(&least, NULL, 0), 0);
    assert_int_equal(least_take(&least, 0, 0, 1, place), 0);
    least_close(&least);
    least_close(&least);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_ranges), cmocka_unit_test(test_empty) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
