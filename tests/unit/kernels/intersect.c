/* tests/unit/kernels/intersect.c -- how many values two ascending arrays have in common, of 64 bits and of 32.
 *
 * The number was known before the arrays were made. */
#include "tests/unit/kernels/levels.h"
#include "tests/unit/kernels/pairs.h"

static size_t common_brute(const uint64_t *a, size_t na, const uint64_t *b, size_t nb)
{
    size_t count = 0;

    for (size_t i = 0; i < na; i++)
        for (size_t j = 0; j < nb; j++)
            count += a[i] == b[j];
    return count;
}

static void check_intersect(struct fixture *f, const uint64_t *a, size_t na, const uint64_t *b, size_t nb,
                            size_t common, bool narrow)
{
    assert_int_equal(kernels_scalar.intersect_u64(a, na, b, nb), common);
    assert_int_equal(kernels_scalar.intersect_u64(b, nb, a, na), common);
    for (int place = 0; place < PLACES; place++) {
        const struct kernels *const *at = kernels_all, *level;
        const uint64_t *x = (const uint64_t *)(const void *)guarded_copy(f->in, a, na * sizeof *a, place);
        const uint64_t *y = (const uint64_t *)(const void *)guarded_copy(f->in2, b, nb * sizeof *b, place);

        while ((level = level_next(f, &at))) {
            assert_int_equal(level->intersect_u64(x, na, y, nb), common);
            assert_int_equal(level->intersect_u64(y, nb, x, na), common);
        }
    }
    if (!narrow)
        return;
    /* the same values in 32 bits; the largest stays the largest */
    for (int place = 0; place < PLACES; place++) {
        const struct kernels *const *at = kernels_all, *level;
        uint32_t *x = (uint32_t *)(void *)guarded_place(f->in, na * sizeof *x, place);
        uint32_t *y = (uint32_t *)(void *)guarded_place(f->in2, nb * sizeof *y, place);

        for (size_t i = 0; i < na; i++)
            x[i] = (uint32_t)a[i];
        for (size_t j = 0; j < nb; j++)
            y[j] = (uint32_t)b[j];
        assert_int_equal(kernels_scalar.intersect_u32(x, na, y, nb), common);
        assert_int_equal(kernels_scalar.intersect_u32(y, nb, x, na), common);
        while ((level = level_next(f, &at))) {
            assert_int_equal(level->intersect_u32(x, na, y, nb), common);
            assert_int_equal(level->intersect_u32(y, nb, x, na), common);
        }
    }
}

static void test_intersect(void **state)
{
    struct fixture *f = *state;
    static uint64_t a[ROOM / 8], b[ROOM / 8];

    for (int round = 0; round < 6000; round++) {
        size_t limit_a = round % 3 ? 70 : 301, limit_b = round % 7 ? 70 : 301;
        size_t na = draw_below(&f->random, limit_a), nb = draw_below(&f->random, limit_b), common;
        bool   narrow = round % 2;
        unsigned top = (unsigned)round % 5 / 2;

        common = pair_draw(a, &na, b, &nb, (uint64_t)1 << round % (narrow ? 21 : 54), top, &f->random);
        assert_int_equal(common, common_brute(a, na, b, nb));
        check_intersect(f, a, na, b, nb, common, narrow);
    }
}

/* Thousands of values, alike in number and very different. */
static void test_intersect_large(void **state)
{
    struct fixture *f = *state;
    static uint64_t a[ROOM / 8], b[ROOM / 8];

    for (int round = 0; round < 60; round++) {
        size_t na = 1 + draw_below(&f->random, round % 3 ? 60 : 8000), nb = 1 + draw_below(&f->random, 8000),
            common;

        common = pair_draw(a, &na, b, &nb, (uint64_t)1 << round % 17, (unsigned)round % 3, &f->random);
        check_intersect(f, a, na, b, nb, common, true);
    }
}

/* Equal arrays, disjoint ones side by side, and one value in a long array, for every small size. */
static void test_intersect_shapes(void **state)
{
    struct fixture *f = *state;
    static uint64_t a[2048], b[2048];

    for (size_t n = 0; n < 80; n++) {
        for (size_t i = 0; i < n; i++)
            a[i] = b[i] = 3 * i;
        check_intersect(f, a, n, b, n, n, true);
        for (size_t i = 0; i < n; i++)
            b[i] = 3 * (n + i);
        check_intersect(f, a, n, b, n, 0, true);
    }
    for (size_t i = 0; i < 2048; i++)
        b[i] = 2 * i + 1;
    for (a[0] = 0; a[0] < 4100; a[0]++)
        check_intersect(f, a, 1, b, 2048, a[0] % 2 && a[0] < 4096, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_intersect),
        cmocka_unit_test(test_intersect_large),
        cmocka_unit_test(test_intersect_shapes),
    };

    return cmocka_run_group_tests(tests, group_open, group_close);
}
