/* base/sort: against the obvious sort, in every shape that the radix passes tell apart. */
#include "base/sort.h"
#include "tests/unit/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static int compare(const void *left, const void *right)
{
    const struct sort_item *a = left, *b = right;

    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return (a->value > b->value) - (a->value < b->value);
}

static uint64_t shaped(uint64_t *random, int shape, size_t count)
{
    switch (shape) {
        case 0: return draw(random);
        case 1: return draw(random) % (count / 30 + 1);     /* dense, with runs */
        case 2: return 7;
        case 3: return UINT64_MAX - (draw(random) >> draw(random) % 64);    /* most differ in few bits */
        case 4: return draw(random) % 5 ? 3 : draw(random);
        default: return (uint64_t)1 << draw(random) % 64;
    }
}

static void test_sort_pairs(void **state)
{
    static const size_t counts[] = { 0, 1, 2, 3, 23, 24, 25, 26, 100, 1000, 4097, 70000 };
    uint64_t            random = seed_of_run();

    (void)state;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int shape = 0; shape < 36; shape++) {
            size_t            n = counts[c];
            struct sort_item *item = malloc((n + 1) * sizeof *item), *spare = malloc((n + 1) * sizeof *item),
                *wanted = malloc((n + 1) * sizeof *item);

            assert_true(item && spare && wanted);
            for (size_t i = 0; i < n; i++)
                item[i] = (struct sort_item){ shaped(&random, shape % 6, n),
                                              shaped(&random, shape / 6, n) };
            memcpy(wanted, item, n * sizeof *item);
            qsort(wanted, n, sizeof *wanted, compare);
            sort_pairs(item, spare, n);
            if (memcmp(item, wanted, n * sizeof *item) != 0)
                fail_msg("%zu items, keys of shape %d, values of shape %d", n, shape % 6, shape / 6);
            free(item);
            free(spare);
            free(wanted);
        }
}

/* Equal keys keep their order: the reference breaks ties by the place, which is the value here. */
static void test_sort_items(void **state)
{
    static const size_t counts[] = { 0, 1, 2, 255, 256, 257, 5000 };
    uint64_t            random = seed_of_run();

    (void)state;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int shape = 0; shape < 15; shape++) {
            size_t            n = counts[c];
            /* bytes in which no key differs are passed over: one, several or all but one */
            uint64_t          mask = shape < 6 ? UINT64_MAX : shape < 14 ? (uint64_t)255 << 8 * (shape - 6)
                                                                         : 0xFF000000FF00FF00u;
            struct sort_item *item = malloc((n + 1) * sizeof *item), *spare = malloc((n + 1) * sizeof *item),
                *wanted = malloc((n + 1) * sizeof *item);

            assert_true(item && spare && wanted);
            for (size_t i = 0; i < n; i++)
                item[i] = (struct sort_item){ shaped(&random, shape < 6 ? shape : 0, n) & mask, i };
            item[n] = (struct sort_item){ 1, 2 };
            memcpy(wanted, item, n * sizeof *item);
            qsort(wanted, n, sizeof *wanted, compare);
            sort_items(item, spare, n);
            if (memcmp(item, wanted, n * sizeof *item) != 0) fail_msg("%zu items of shape %d", n, shape);
            assert_true(item[n].key == 1 && item[n].value == 2);
            free(item);
            free(spare);
            free(wanted);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_sort_pairs), cmocka_unit_test(test_sort_items) };

    printf("seed=%llu\n", (unsigned long long)seed_of_run());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
