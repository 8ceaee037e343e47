/* tests/unit/view/multiset.c -- features sorted and counted, against qsort. */
#include "view/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t state;

static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)((state >> 33) % below);
}

static int value_order(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static void multisets_are_sorted_and_counted(void **unused)
{
    enum { MOST = 5000 };
    static uint64_t hash[MOST], sorted[MOST], spare[MOST];
    static uint32_t count[MOST];

    (void)unused;
    for (int round = 0; round < 200; round++) {
        size_t   n = draw(round % 4 ? 120 : MOST), distinct, at = 0;
        unsigned kinds = 1 + draw(2000);

        for (size_t i = 0; i < n; i++) {
            uint64_t value = 1 + draw(kinds);

            /* also values that agree in their high bits */
            hash[i] = draw(4) ? value * 0x9e3779b97f4a7c15ull : value;
        }
        memcpy(sorted, hash, sizeof hash);
        qsort(sorted, n, sizeof *sorted, value_order);
        distinct = view_multiset(hash, count, n, spare);
        for (size_t d = 0; d < distinct; d++) {
            assert_true(d == 0 || hash[d - 1] < hash[d]);
            for (uint32_t c = 0; c < count[d]; c++) assert_true(sorted[at++] == hash[d]);
        }
        assert_int_equal(at, n);
    }
}

/* Room grows with the documents and is used again; what was given stays as it was. */
static void one_after_the_other(void **unused)
{
    struct multiset m = { 0 };
    uint64_t        given[600];
    struct err      err = { 0 };

    (void)unused;
    for (size_t n = 0; n <= 600; n += 60) {
        for (size_t i = 0; i < n; i++) given[i] = (n - i) / 3;
        assert_int_equal(multiset_make(&m, (struct feature_list){ .hash = given, .count = n }, &err), 0);
        assert_int_equal(m.distinct, n ? n / 3 + 1 : 0);
        for (size_t i = 0, total = 0; i < m.distinct; i++) {
            assert_true(m.hash[i] == i);
            total += m.count[i];
            if (i + 1 == m.distinct) assert_int_equal(total, n);
        }
        for (size_t i = 0; i < n; i++) assert_true(given[i] == (n - i) / 3);
    }
    multiset_free(&m);
    assert_null(m.hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multisets_are_sorted_and_counted), cmocka_unit_test(one_after_the_other),
    };
    const char *seed = getenv("SEED");

    state = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
    printf("seed=%llu\n", (unsigned long long)state);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
