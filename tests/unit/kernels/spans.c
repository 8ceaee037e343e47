/* tests/unit/kernels/spans.c -- where runs of bytes of a set start and end, against bytes looked at one by one. */
#include "tests/unit/kernels/levels.h"

enum { MOST = 6000 };

/* From the ends of all runs: every byte must be where it should be. */
static void check_scalar(const char *text, size_t n, const struct byteset *set, const uint32_t *start,
                         const uint32_t *end, size_t count)
{
    size_t at = 0;

    for (size_t i = 0; i <= count; i++) {
        size_t from = i < count ? start[i] : n, to = i < count ? end[i] : n;

        assert_true(i == count || (from < to && to <= n));
        assert_true(i == 0 || i == count || from > end[i - 1]);         /* two runs are not one */
        for (; at < from; at++)
            assert_false(byteset_has(set, (unsigned char)text[at]));
        for (; at < to; at++)
            assert_true(byteset_has(set, (unsigned char)text[at]));
    }
    assert_int_equal(at, n);
}

static void check_spans(struct fixture *f, const char *text, size_t n, const struct byteset *set)
{
    static uint32_t start[MOST], end[MOST];
    const size_t    room = n / 2 + 1 + SPANS_PAD, count = kernels_scalar.spans(start, end, set, text, n);

    check_scalar(text, n, set, start, end, count);
    for (int place = 0; place < PLACES; place++) {
        const struct kernels *const *at = kernels_all, *level;
        const char *in = guarded_copy(f->in2, text, n, place);

        while ((level = level_next(f, &at))) {
            uint32_t *starts = (uint32_t *)(void *)guarded_place(f->out, room * sizeof *starts, place);
            uint32_t *ends = (uint32_t *)(void *)guarded_place(f->expect, room * sizeof *ends, place);

            memset(starts, 0x5A, room * sizeof *starts);
            memset(ends, 0x5A, room * sizeof *ends);
            assert_int_equal(level->spans(starts, ends, set, in, n), count);
            assert_memory_equal(starts, start, count * sizeof *start);
            assert_memory_equal(ends, end, count * sizeof *end);
        }
    }
}

static struct byteset letters(void)
{
    struct byteset set = { { 0 }, 0xFF };

    for (int c = 0; c < 128; c++)
        if ((c | 32) >= 'a' && (c | 32) <= 'z')
            byteset_add(&set, (unsigned char)c);
    return set;
}

static void test_spans(void **state)
{
    struct fixture *f = *state;
    struct byteset  set = letters();

    for (int round = 0; round < 3000; round++) {
        size_t n = round < 301 ? (size_t)round : round % 500 == 0 ? 5000 + draw_below(&f->random, 3000)
            : draw_below(&f->random, 301);

        if (round % 7 == 0) {                               /* NUL, which pads a last block, among them */
            set = (struct byteset){ { 0 }, draw(&f->random) & 1 ? 0xFF : 0 };
            byteset_add(&set, 0);
            for (int c = 1; c < 128; c++)
                if (draw(&f->random) & 1)
                    byteset_add(&set, (unsigned char)c);
        } else set = letters();
        text_fill(f->in, n, round % TEXT_KINDS, &f->random);
        check_spans(f, f->in, n, &set);
    }
}

/* As many runs as there can be, and one that goes through all blocks, at every length. */
static void test_spans_extremes(void **state)
{
    struct fixture *f = *state;
    struct byteset  set = letters();

    for (size_t n = 0; n <= 4100; n += n == 260 ? 4090 - 260 : 1) {    /* and where a bitmap ends */
        for (size_t i = 0; i < n; i++)
            f->in[i] = i % 2 ? ' ' : 'a';
        check_spans(f, f->in, n, &set);
        for (size_t i = 0; i < n; i++)
            f->in[i] = i % 2 ? 'a' : ' ';
        check_spans(f, f->in, n, &set);
        memset(f->in, 'a', n);
        check_spans(f, f->in, n, &set);
        memset(f->in, ' ', n);
        check_spans(f, f->in, n, &set);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spans),
        cmocka_unit_test(test_spans_extremes),
    };

    return cmocka_run_group_tests(tests, group_open, group_close);
}
