/* tests/unit/kernels/repeat.c -- the distance to an equal value before each, against a search. */
#include "tests/unit/kernels/levels.h"

static void check_repeat(struct fixture *f, const uint64_t *value, size_t n)
{
    uint8_t *expect = (uint8_t *)f->expect;

    for (size_t i = 0; i < n; i++) {
        expect[i] = 0;
        for (size_t distance = REPEAT_REACH; distance > 0; distance--)
            if (distance <= i && value[i] == value[i - distance])
                expect[i] = (uint8_t)distance;
    }
    for (int place = 0; place < PLACES; place++) {
        const uint64_t *x = (const uint64_t *)(const void *)guarded_copy(f->in, value, n * sizeof *value, place);

        for (const struct kernels *const *level = kernels_all; *level; level++) {
            uint8_t *back = (uint8_t *)guarded_place(f->out, n, place);

            if ((*level)->need & ~f->cpu)
                continue;
            memset(back, 0xEE, n);
            (*level)->repeat(back, x, n);
            assert_memory_equal(back, expect, n);
        }
    }
}

/* Every small size, few different values and many; values that differ in one half alone are not equal. */
static void test_repeat(void **state)
{
    struct fixture *f = *state;
    static uint64_t value[2048];

    for (int round = 0; round < 400; round++) {
        size_t n = round < 80 ? (size_t)round : draw_below(&f->random, 2048), different = 1 + (size_t)round % 30;

        for (size_t i = 0; i < n; i++)
            value[i] = (uint64_t)draw_below(&f->random, different) << (i % 3 ? 32 : 0);
        check_repeat(f, value, n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repeat),
    };

    return cmocka_run_group_tests(tests, group_open, group_close);
}
