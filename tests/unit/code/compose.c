/* tests/unit/code/compose.c -- texts in canonical composition: cases, syllables, bad bytes, long runs. */
#include "code/compose.h"

#include "code/lexing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static struct composer composer;

/* The text composed; one that is composed already says so, or gives itself. */
static struct slice composed(struct slice text)
{
    const int done = compose_text(&composer, text);

    assert_in_range(done, 0, 1);
    if (!done) return text;
    for (size_t i = 0; i < composer.text.len; i++) assert_true(composer.origin[i] <= composer.origin[i + 1]);
    assert_int_equal(composer.origin[composer.text.len], text.len);
    return bytes_slice(&composer.text);
}

static void test_cases(void **unused)
{
    static const struct { const char *text, *composed; } cases[] = {
        { "", "" }, { "caf\xC3\xA9 = 1", "caf\xC3\xA9 = 1" },
        { "cafe\xCC\x81", "caf\xC3\xA9" },                  /* e, acute */
        { "\xE2\x84\xAB", "\xC3\x85" },                     /* Angstrom: A with ring */
        { "A\xCC\x8A\xCC\x81", "\xC7\xBA" },                /* A, ring, acute: one */
        { "s\xCC\xA3\xCC\x87", "\xE1\xB9\xA9" },            /* s, dot below, dot above */
        { "s\xCC\x87\xCC\xA3", "\xE1\xB9\xA9" },            /* put in order before */
        { "a\xCC\x80\xCC\x81", "\xC3\xA0\xCC\x81" },        /* the second of one class is in the first one's way */
        { "a\xCC\xA3\xCC\x80\xCC\x81", "\xE1\xBA\xA1\xCC\x80\xCC\x81" },
        { "\xE0\xA5\x98", "\xE0\xA4\x95\xE0\xA4\xBC" },     /* what is never put together again */
        { "\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB", "\xED\x95\x9C" },             /* Hangul, letter by letter */
        { "\xED\x95\x98\xE1\x86\xAB", "\xED\x95\x9C" },     /* a syllable, and its end */
        { "\xED\x95\x9C\xE1\x86\xAB", "\xED\x95\x9C\xE1\x86\xAB" },             /* it has one */
        { "\xCC\x81", "\xCC\x81" }, { "\xCC\x81\xCC\xA3", "\xCC\xA3\xCC\x81" }, /* nothing before them */
        { "e\xCC\x81\xFF\xCC\x81\xCC e\xCC\x81", "\xC3\xA9\xFF\xCC\x81\xCC \xC3\xA9" },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (!slice_equal(composed(slice_of(cases[i].text)), slice_of(cases[i].composed))) fail_msg("case %zu", i);
}

/* Where bytes are from: of what was joined, from where its first character stood. */
static void test_origin(void **unused)
{
    static const uint32_t wanted[] = { 0, 1, 1, 4, 5 };

    (void)unused;
    assert_int_equal(composed(SLICE("xe\xCC\x81z")).len, 4);
    assert_memory_equal(composer.origin, wanted, sizeof wanted);
}

/* All that is put together is taken apart by the table, and the other way round; what is composed stays so. */
static void test_all(void **unused)
{
    size_t joins = 0;

    (void)unused;
    for (size_t i = 0; i < compose_splits_count; i++) {
        const uint32_t *split = compose_splits + 3 * i;
        char            text[8], once[24];                  /* three times as long at most */
        char           *end = unicode_encode(split[1], text);
        struct slice    got;

        if (i) assert_true(split[0] > split[-3]);
        if (split[2]) end = unicode_encode(split[2], end);
        got = composed((struct slice){ text, (size_t)(end - text) });
        memcpy(once, got.at, got.len);
        end = unicode_encode(split[0], text);
        joins += got.len == (size_t)(end - text) && memcmp(once, text, got.len) == 0;
        if (!slice_equal(composed((struct slice){ text, (size_t)(end - text) }), (struct slice){ once, got.len }))
            fail_msg("U+%04X", (unsigned)split[0]);
    }
    assert_int_equal(joins, compose_pairs_count);
}

/* Tens of thousands of marks out of order take no longer than they must, and are stable within a class. */
static void test_long(void **unused)
{
    enum { TIMES = 20000 };
    char        *text = malloc(1 + 6 * TIMES), *at = text;
    struct slice got;

    (void)unused;
    assert_non_null(text);
    *at++ = 'q';
    for (size_t i = 0; i < TIMES; i++) {
        at = unicode_encode(i % 2 ? 0x308 : 0x301, at);
        at = unicode_encode(0x323, at);
    }
    got = composed((struct slice){ text, (size_t)(at - text) });
    assert_int_equal(got.len, at - text);
    assert_memory_equal(got.at + got.len - 4, "\xCC\x81\xCC\x88", 4);
    assert_memory_equal(got.at, "q\xCC\xA3\xCC\xA3", 5);
    free(text);
    composer_free(&composer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases), cmocka_unit_test(test_origin), cmocka_unit_test(test_all),
        cmocka_unit_test(test_long),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
