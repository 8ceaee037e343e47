/* tests/unit/kernels/classify.c -- the bits of two sets of bytes, against an array of what each set holds. */
#include "tests/unit/kernels/levels.h"

static void check_classify(struct fixture *f, const char *text, size_t n, const struct byteset *a,
                           const struct byteset *b)
{
    size_t    words = (n + 63) / 64, bytes = words * sizeof(uint64_t);
    uint64_t *expect_a = (uint64_t *)(void *)f->expect, *expect_b = expect_a + words;

    kernels_scalar.classify(expect_a, expect_b, a, b, text, n);
    for (int place = 0; place < PLACES; place++) {
        const struct kernels *const *at = kernels_all, *level;
        const char *in = guarded_copy(f->in2, text, n, place);

        while ((level = level_next(f, &at))) {
            uint64_t *out_a = (uint64_t *)(void *)guarded_place(f->out, 2 * bytes, place), *out_b = out_a + words;

            memset(out_a, 0x5A, 2 * bytes);
            level->classify(out_a, out_b, a, b, in, n);
            assert_memory_equal(out_a, expect_a, 2 * bytes);
            memset(out_a, 0x5A, 2 * bytes);                 /* the other one at the border */
            level->classify(out_b, out_a, a, b, in, n);
            assert_memory_equal(out_b, expect_a, bytes);
            assert_memory_equal(out_a, expect_b, bytes);
        }
    }
}

/* A set and, as an array, what it should hold. */
static struct byteset set_draw(bool has[256], uint64_t *random)
{
    struct byteset set = { { 0 }, 0 };
    size_t density = draw_below(random, 5);

    memset(has, 0, 256);
    for (int c = 0; c < 128; c++)
        if (density == 4 || draw_below(random, 5) < density) {
            byteset_add(&set, (unsigned char)c);
            has[c] = true;
        }
    if (draw(random) & 1) {
        set.high = 0xFF;
        memset(has + 128, 1, 128);
    }
    return set;
}

static void test_classify(void **state)
{
    struct fixture *f = *state;

    for (int round = 0; round < 3000; round++) {
        bool   has_a[256], has_b[256];
        struct byteset a = set_draw(has_a, &f->random), b = set_draw(has_b, &f->random);
        size_t n = round < 301 ? (size_t)round : round % 500 == 0 ? 5000 + draw_below(&f->random, 3000)
            : draw_below(&f->random, 301);
        uint64_t *bits_a = (uint64_t *)(void *)f->expect, *bits_b = bits_a + (n + 63) / 64;

        text_fill(f->in, n, round % TEXT_KINDS, &f->random);
        check_classify(f, f->in, n, &a, &b);                /* leaves the scalar result in expect */
        for (size_t i = 0; i < (n + 63) / 64 * 64; i++) {
            assert_int_equal(bits_a[i / 64] >> i % 64 & 1, i < n && has_a[(unsigned char)f->in[i]]);
            assert_int_equal(bits_b[i / 64] >> i % 64 & 1, i < n && has_b[(unsigned char)f->in[i]]);
        }
    }
}

/* Sets of one character against all 256 bytes, each at every offset mod 64. */
static void test_classify_single(void **state)
{
    struct fixture *f = *state;

    for (unsigned c = 0; c <= 128; c++) {
        struct byteset one = { { 0 }, 0 }, other = { { 0 }, 0xFF };

        if (c < 128)
            byteset_add(&one, (unsigned char)c);
        for (size_t i = 0; i < 320; i++)
            f->in[i] = (char)(i + c);
        check_classify(f, f->in, 320, &one, &other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classify),
        cmocka_unit_test(test_classify_single),
    };

    return cmocka_run_group_tests(tests, group_open, group_close);
}
