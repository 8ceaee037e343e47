/* tests/unit/probe/membership.c -- scores of membership and the forms of a text that they are of, worked out by
 * hand. */
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

static void test_min_k(void **unused)
{
    struct err               err = { 0 };
    const struct model_score score[] = { { -1, -2, 1 }, { -5, -2, 2 }, { -3, -3, 0.5 }, { -0.5, -1, 0.25 },
                                         { -4, -4.5, 1 } };
    const struct model_score flat[] = { { -1, -1, 0 }, { -1, NAN, NAN } };
    double                   value;

    (void)unused;
    assert_int_equal(min_k(score, 5, 20, false, &value, &err), 0);
    close_to(value, -5, 0);
    assert_int_equal(min_k(score, 5, 40, false, &value, &err), 0);
    close_to(value, -4.5, 1e-12);
    assert_int_equal(min_k(score, 5, 1, false, &value, &err), 0);       /* at least one */
    close_to(value, -5, 0);
    assert_int_equal(min_k(score, 5, 100, false, &value, &err), 0);
    close_to(value, -2.7, 1e-12);
    assert_int_equal(min_k(score, 5, 40, true, &value, &err), 0);       /* 1, -1.5, 0, 2, 0.5: the two smallest */
    close_to(value, -0.75, 1e-12);
    assert_int_equal(min_k(flat, 1, 20, true, &value, &err), 0);
    close_to(value, 0, 0);
    assert_int_equal(min_k(flat, 2, 20, true, &value, &err), 0);
    assert_true(isnan(value));
    assert_int_equal(min_k(flat, 2, 20, false, &value, &err), 0);
    close_to(value, -1, 0);
    assert_int_equal(min_k(score, 0, 20, false, &value, &err), 0);
    assert_true(isnan(value));
}

static void test_zlib(void **unused)
{
    struct err err = { 0 };
    char       many[600] = "";
    size_t     bytes;

    (void)unused;
    assert_int_equal(zlib_bytes(SLICE(""), &bytes, &err), 0);
    assert_int_equal(bytes, 8);
    assert_int_equal(zlib_bytes(SLICE("a"), &bytes, &err), 0);
    assert_int_equal(bytes, 9);
    assert_int_equal(zlib_bytes(SLICE("def f():\n    return 1\n"), &bytes, &err), 0);
    assert_int_equal(bytes, 28);
    memset(many, 'a', 100);
    assert_int_equal(zlib_bytes((struct slice){ many, 100 }, &bytes, &err), 0);
    assert_int_equal(bytes, 12);
    for (size_t i = 0; i < 50; i++) memcpy(many + i * 10, "import os\n", 10);
    assert_int_equal(zlib_bytes((struct slice){ many, 500 }, &bytes, &err), 0);
    assert_int_equal(bytes, 23);
}

static size_t windows_of(const char *text, bool published, struct slice *last)
{
    size_t at = 0, count = 0;

    while (window_next(slice_of(text), published, &at, last)) count++;
    return count;
}

static void test_windows(void **unused)
{
    static const struct { const char *text; size_t paper, published; } texts[] = {
        { "1\n2\n3\n4\n5", 1, 1 }, { "1\n2\n3\n4\n5\n6", 1, 1 }, { "1\n2\n3\n4\n5\n6\n7", 2, 1 },
        { "1\n2\n3\n4\n5\n6\n7\n8", 3, 2 },
        { "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13", 8, 7 }, { "1\n2\n3\n4\n5\n6\n", 2, 1 }, { "", 1, 1 },
    };
    struct slice last;

    (void)unused;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_int_equal(windows_of(texts[i].text, false, &last), texts[i].paper);
        assert_int_equal(windows_of(texts[i].text, true, &last), texts[i].published);
    }
    windows_of("1\n2\n3\n4\n5\n6\n7", false, &last);
    assert_true(slice_equal(last, SLICE("2\n3\n4\n5\n6\n7")));
    windows_of("1\n2\n3\n4\n5\n6\n7", true, &last);
    assert_true(slice_equal(last, SLICE("1\n2\n3\n4\n5\n6")));
}

/* A constant loss of 2 looks better the more windows there are. */
static void test_window_published(void **unused)
{
    struct window_loss window[70];

    (void)unused;
    for (size_t i = 0; i < 70; i++) window[i] = (struct window_loss){ 6, NAN, NAN, 4 };
    close_to(window_published(window, 1), 7.389, 5e-4);
    close_to(window_published(window, 5), 1.4918, 5e-5);
    close_to(window_published(window, 32), 1.0645, 5e-5);
    close_to(window_published(window, 33), 1.1289, 5e-5);
    close_to(window_published(window, 70), 1.0895, 5e-5);
    assert_true(isnan(window_published(window, 0)));
}

/* Padding is scored.  Numbers of numpy: rows of labels with the padding in front, means over batches of 32 rows. */
static void test_window_padding(void **unused)
{
    struct window_loss window[33] = { { 3, .5, 9, 3 }, { 3, .5, 4, 2 }, { 0, .5, NAN, 0 } }, one = { 0, 1, 1, 1 };

    (void)unused;
    /* 1 2 | 4 3 | .5 .5: 11 / 6 / 3 */
    close_to(window_published(window, 3), exp(11.0 / 18), 1e-12);
    for (size_t i = 0; i < 33; i++)
        window[i] = (struct window_loss){ (double)(i % 7) * .75, .25, 1.5 + (double)i / 8, 1 + i % 7 };
    close_to(window_published(window, 33), 1.075598455637, 1e-9);
    window[4].pad = NAN;                                    /* one that has padding, and nobody says what it costs */
    assert_true(isnan(window_published(window, 33)));
    assert_true(isnan(window_published(&one, 1)));
}

static void test_forms(void **unused)
{
    struct err   err = { 0 };
    struct bytes out = { 0 };

    (void)unused;
    assert_int_equal(metric_collapse(SLICE("\n\na\n\n\nb\nc\n\n"), &out, &err), 0);
    assert_true(slice_equal(bytes_slice(&out), SLICE("\na\nb\nc\n")));
    assert_int_equal(metric_lower(SLICE("AbZ[9 \xC3\x84\xC3\x97\xC3\x9E \xCE\xA9\xD0\x96 \xFF\xC3 \xF0\x90\x90\x80"),
                                  &out, &err), 0);
    assert_true(slice_equal(bytes_slice(&out),
                            SLICE("abz[9 \xC3\xA4\xC3\x97\xC3\xBE \xCF\x89\xD0\xB6 \xFF\xC3 \xF0\x90\x90\xA8")));
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_min_k),
        cmocka_unit_test(test_zlib),
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_window_published),
        cmocka_unit_test(test_window_padding),
        cmocka_unit_test(test_forms),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
