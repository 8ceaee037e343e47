/* tests/unit/probe/nll.c -- windows of a long text and what is made of their scores, against the published loop. */
#include "probe/metric.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void close_to(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance)) fail_msg("%.9g is not %.9g", value, wanted);
}

static void chunks_are(size_t tokens, size_t window, const size_t wanted[][4], size_t count)
{
    const struct nll_plan plan = { window, 512 };
    struct nll_chunk      chunk;

    for (size_t i = 0; i < count; i++) {
        assert_true(nll_chunk_at(&plan, tokens, false, i, &chunk));
        assert_int_equal(chunk.begin, wanted[i][0]);
        assert_int_equal(chunk.end, wanted[i][1]);
        assert_int_equal(chunk.target, wanted[i][2]);
        assert_int_equal(chunk.from, wanted[i][3]);
    }
    assert_false(nll_chunk_at(&plan, tokens, false, count, &chunk));
}

/* The lists of the guide's loop: begin, end, target; from is the first token that is scored. */
static void test_chunks(void **unused)
{
    const size_t a[][4] = { { 0, 1024, 1024, 1 }, { 512, 1300, 276, 1024 } };
    const size_t b[][4] = { { 0, 1024, 1024, 1 }, { 512, 1536, 512, 1024 }, { 1024, 2048, 512, 1536 },
                            { 1536, 2500, 452, 2048 } };
    const size_t one[][4] = { { 0, 1024, 1024, 1 } }, two[][4] = { { 0, 2, 2, 1 } },
        unlimited[][4] = { { 0, 5000, 5000, 1 } };
    const size_t over[][4] = { { 0, 1024, 1024, 1 }, { 512, 1025, 1, 1024 } };

    (void)unused;
    chunks_are(1300, 1024, a, 2);
    chunks_are(2500, 1024, b, 4);
    chunks_are(1024, 1024, one, 1);
    chunks_are(1025, 1024, over, 2);
    chunks_are(2, 1024, two, 1);
    chunks_are(5000, 0, unlimited, 1);
    chunks_are(1, 1024, NULL, 0);
    chunks_are(0, 1024, NULL, 0);
}

/* Every token but the first is scored once, whatever the window and the stride; windows that do not overlap each miss
 * their first token, and a stride that would leave gaps is as one that does not. */
static void test_chunks_cover(void **unused)
{
    (void)unused;
    for (size_t tokens = 2; tokens < 60; tokens++)
        for (size_t window = 2; window < 20; window++)
            for (size_t stride = 1; stride <= window + 2; stride++) {
                const struct nll_plan plan = { window, stride };
                struct nll_chunk      chunk;
                size_t                next = 1;

                for (size_t i = 0; nll_chunk_at(&plan, tokens, false, i, &chunk); i++) {
                    assert_int_equal(chunk.from, stride < window || i == 0 ? next : next + 1);
                    assert_true(chunk.begin < chunk.from && chunk.from < chunk.end &&
                                chunk.end - chunk.begin <= window);
                    next = chunk.end;
                }
                assert_true(next == tokens || (stride >= window && next == tokens - 1));
            }
}

/* The last window is as long as the others and scores what it scored; the others are the guide's.  With half the window
 * for a stride, every token but the first half window's has half a window before it. */
static void test_tail(void **unused)
{
    (void)unused;
    for (size_t tokens = 2; tokens < 60; tokens++)
        for (size_t window = 2; window < 20; window++)
            for (size_t stride = 0; stride <= window + 2; stride++) {
                const struct nll_plan plan = { window, stride };
                struct nll_chunk      chunk = { 0 }, guide;
                size_t                next = 1;

                for (size_t i = 0; nll_chunk_at(&plan, tokens, true, i, &chunk); i++) {
                    if (nll_chunk_at(&plan, tokens, false, i, &guide) && guide.end < tokens)
                        assert_memory_equal(&chunk, &guide, sizeof chunk);
                    assert_true(chunk.from == next || (stride >= window && chunk.from == next + 1));
                    if (stride == 0 && chunk.from > window / 2)
                        assert_true(chunk.from - chunk.begin >= window / 2);
                    next = chunk.end;
                }
                assert_int_equal(next, tokens);
                assert_int_equal(chunk.end - chunk.begin, window < tokens ? window : tokens);
            }
}

static void test_aggregations(void **unused)
{
    const struct nll_plan plan = { 1024, 512 };
    struct nll_sums       sums = { 0 };
    struct model_score    score[1300];
    struct nll_chunk      chunk;

    (void)unused;
    assert_true(isnan(nll_mean(&sums)) && isnan(nll_weighted(&sums)) && isnan(nll_tokens(&sums)));
    for (size_t i = 0; i < 1300; i++) score[i] = (struct model_score){ i < 1024 ? -2 : -1, NAN, NAN };
    for (size_t i = 0; nll_chunk_at(&plan, 1300, false, i, &chunk); i++) nll_add(&sums, &chunk, score + chunk.from);
    close_to(nll_mean(&sums), 1.5, 1e-12);                  /* (2 + 1) / 2 */
    close_to(nll_weighted(&sums), (2.0 * 1023 + 1.0 * 275) / (1023 + 275), 1e-12);
    close_to(nll_tokens(&sums), (2.0 * 1023 + 1.0 * 276) / 1299, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunks), cmocka_unit_test(test_tail),
        cmocka_unit_test(test_chunks_cover),
        cmocka_unit_test(test_aggregations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
