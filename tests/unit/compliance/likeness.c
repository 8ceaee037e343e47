/* tests/unit/compliance/likeness.c -- bands as the published script chooses them; neighbours by their index. */
#include "compliance/likeness.h"

#include "base/bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static void test_bands(void **unused)
{
    static const struct { double threshold; uint32_t bands, rows; } published[] = { { 0.7, 25, 10 }, { 0.5, 42, 6 },
                                                                                    { 0.2, 85, 3 } };

    (void)unused;
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        const struct likeness_bands of = likeness_bands_of(published[i].threshold, 256);

        assert_int_equal(of.bands, published[i].bands);
        assert_int_equal(of.rows, published[i].rows);
    }
}

static int asked(struct likeness *likeness, const char *text)
{
    struct err err = { 0 };
    const int  rc = likeness_ask(likeness, slice_of(text), &err);

    assert_true(rc >= 0);
    return rc;
}

static void added(struct likeness *likeness, const char *text)
{
    struct err err = { 0 };

    assert_int_equal(likeness_add(likeness, slice_of(text), &err), 0);
}

static void test_neighbours(void **unused)
{
    struct likeness *likeness;
    struct err       err = { 0 };

    (void)unused;
    assert_int_equal(likeness_open(&likeness, 0.2, &err), 0);
    assert_int_equal(asked(likeness, "a b c d e f"), 0);    /* nothing is there */
    added(likeness, "def f(a, b): return a + b * f(b)");
    assert_int_equal(asked(likeness, "def f(a, b): return a + b * f(b)"), 1);
    assert_int_equal(asked(likeness, "def f(a; b); return a - b / f<b>"), 1);   /* other marks alone */
    assert_int_equal(asked(likeness, "def f(a,b): return a+b*f(b)"), 0);        /* empty words are words */
    assert_int_equal(asked(likeness, "while x: print(y, z) or yield from q"), 0);
    assert_int_equal(asked(likeness, "one_two3 four"), 0);
    added(likeness, "a b");                                 /* fewer than five: all are alike */
    assert_int_equal(asked(likeness, "one_two3 four"), 1);
    assert_int_equal(asked(likeness, ""), 1);
    assert_int_equal(asked(likeness, "\xC3\xA9\xC3\xA9\xC3\xA9"), 1);           /* four empty words */
    assert_int_equal(asked(likeness, "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"), 0);   /* five */
    added(likeness, "----");
    assert_int_equal(asked(likeness, "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"), 1);
    likeness_close(likeness);
}

/* Texts of 120 words of which so many are others: nearly all above the threshold have a neighbour, few far below. */
static size_t found_of(struct likeness *likeness, uint32_t others)
{
    size_t found = 0;

    for (uint32_t t = 0; t < 100; t++) {
        struct bytes text = { 0 };

        for (uint32_t w = 0; w < 120; w++)
            assert_int_equal(bytes_printf(&text, "w%u ", w < others ? 1000000 + t * 1000 + w : t * 1000 + w), 0);
        assert_int_equal(bytes_append(&text, "", 1), 0);
        found += (size_t)asked(likeness, text.at);
        bytes_free(&text);
    }
    return found;
}

static void test_curve(void **unused)
{
    struct likeness *likeness;
    struct err       err = { 0 };

    (void)unused;
    assert_int_equal(likeness_open(&likeness, 0.2, &err), 0);
    for (uint32_t t = 0; t < 100; t++) {
        struct bytes text = { 0 };

        for (uint32_t w = 0; w < 120; w++) assert_int_equal(bytes_printf(&text, "w%u ", t * 1000 + w), 0);
        assert_int_equal(bytes_append(&text, "", 1), 0);
        added(likeness, text.at);
        bytes_free(&text);
    }
    assert_int_equal(found_of(likeness, 0), 100);
    assert_true(found_of(likeness, 40) >= 97);              /* 0.49: 1 - (1 - 0.49^3)^85 is all */
    assert_true(found_of(likeness, 60) >= 80 && found_of(likeness, 60) < 100);          /* 0.32: 94 % */
    assert_true(found_of(likeness, 110) <= 20);             /* 0.03 */
    assert_int_equal(found_of(likeness, 120), 0);
    likeness_close(likeness);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_bands), cmocka_unit_test(test_neighbours),
                                        cmocka_unit_test(test_curve) };

    return cmocka_run_group_tests_name("compliance/likeness", tests, NULL, NULL);
}
