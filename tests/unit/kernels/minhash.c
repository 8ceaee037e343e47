/* tests/unit/kernels/minhash.c -- minima of affine maps, against one value after the other. */
#include "tests/unit/kernels/levels.h"

enum { LANES_MAX = 512 };

/* The document in two pieces, the second of them copied to a border: minima of `before` go in, those of both pieces
 * come out. */
static void check_minhash(struct fixture *f, const uint64_t *feature, size_t before, size_t count, size_t lanes)
{
    uint32_t multiplier[LANES_MAX], summand[LANES_MAX], start[LANES_MAX], expect[LANES_MAX];
    size_t   bytes = lanes * sizeof *start;

    for (size_t i = 0; i < lanes; i++) {
        multiplier[i] = (uint32_t)draw(&f->random);
        summand[i] = (uint32_t)draw(&f->random);
        start[i] = UINT32_MAX;
        expect[i] = UINT32_MAX;
        for (size_t j = 0; j < before + count; j++) {
            uint32_t value = (uint32_t)(multiplier[i] * (feature[j] & UINT32_MAX) + summand[i]);

            if (j < before && value < start[i])
                start[i] = value;
            if (value < expect[i])
                expect[i] = value;
        }
    }
    for (int place = 0; place < PLACES; place++) {
        const uint64_t *x = (const uint64_t *)(const void *)guarded_copy(f->in, feature + before,
                                                                         count * sizeof *feature, place);
        const uint32_t *a = (const uint32_t *)(const void *)guarded_copy(f->in2, multiplier, bytes, place);
        const uint32_t *b = (const uint32_t *)(const void *)guarded_copy(f->expect, summand, bytes, place);

        for (const struct kernels *const *level = kernels_all; *level; level++) {
            uint32_t *lane;

            if ((*level)->need & ~f->cpu)
                continue;
            lane = (uint32_t *)(void *)guarded_copy(f->out, start, bytes, place);
            (*level)->minhash(lane, a, b, lanes, x, count);
            assert_memory_equal(lane, expect, bytes);
        }
    }
}

/* Every number of lanes, every small number of features, and numbers around those that a kernel may take as a block. */
static void test_minhash(void **state)
{
    struct fixture *f = *state;
    static uint64_t feature[8192];

    for (size_t i = 0; i < 8192; i++)                       /* the high halves must not matter, small low halves must */
        feature[i] = draw(&f->random) >> (i % 64 < 40 ? 0 : i % 64) ^ (i % 5 ? 0 : (uint64_t)UINT32_MAX << 32);
    for (size_t lanes = 16; lanes <= LANES_MAX; lanes += 16)
        for (size_t count = 0; count < 12; count++)
            check_minhash(f, feature + draw_below(&f->random, 8000), draw_below(&f->random, 3), count, lanes);
    for (int round = 0; round < 200; round++) {
        size_t power = (size_t)16 << round % 8, count = power - 3 + draw_below(&f->random, 7);

        check_minhash(f, feature + draw_below(&f->random, 4000), draw_below(&f->random, 70), count,
                      16 + 16 * draw_below(&f->random, LANES_MAX / 16));
    }
    check_minhash(f, feature, 0, 8000, LANES_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_minhash),
    };

    return cmocka_run_group_tests(tests, group_open, group_close);
}
