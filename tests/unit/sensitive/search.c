/* sensitive/search: places, their order and the ends of texts, by hand; random strings are in tests/property. */
#include "sensitive/search.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

struct places { char text[512]; int stop_at, met; };

static int place_add(void *context, uint32_t number, size_t at)
{
    struct places *p = context;
    const size_t   len = strlen(p->text);

    snprintf(p->text + len, sizeof p->text - len, "%s%u@%zu", len ? " " : "", number, at);
    return ++p->met == p->stop_at ? 5 : 0;
}

/* The needles' places as "number@place". */
static const char *search(const char *const *values, size_t count, struct slice text, int stop_at, int expected)
{
    static struct places    places;
    static char             padded[4096];
    struct needle           needle[8] = { 0 };
    struct sensitive_search made;
    struct err              err = { 0 };

    places = (struct places){ .stop_at = stop_at };
    for (size_t i = 0; i < count; i++) needle[i] = needle_of(slice_of(values[i]));
    assert_int_equal(sensitive_search_open(&made, needle, count, &err), 0);
    memset(needle, 0, sizeof needle);                       /* they are not kept */
    memset(padded, 'a', sizeof padded);                     /* nor does what is behind the text count */
    memcpy(padded, text.at, text.len);
    assert_int_equal(sensitive_search_text(&made, (struct slice){ padded, text.len }, place_add, &places), expected);
    sensitive_search_free(&made);
    assert_null(made.map);
    return places.text;
}

static void test_places(void **state)
{
    static const char *const values[] = { "abcdef", "abcdefg", "bcdefg", "abcdefabcdef", "zzzzzz" };

    (void)state;
    assert_string_equal(search(values, 5, SLICE(""), 0, 0), "");
    assert_string_equal(search(values, 5, SLICE("abcde"), 0, 0), "");           /* an a is behind it */
    assert_string_equal(search(values, 5, SLICE("abcdef"), 0, 0), "0@0");
    assert_string_equal(search(values, 5, SLICE("xabcdefgx"), 0, 0), "0@1 1@1 2@2");
    assert_string_equal(search(values, 5, SLICE("abcdefabcdef"), 0, 0), "0@0 3@0 0@6");
    assert_string_equal(search(values, 5, SLICE("zzzzzzzz"), 0, 0), "4@0 4@1 4@2");     /* overlapping */
    assert_string_equal(search(values, 5, SLICE("abcdeF abcdEf Abcdef"), 0, 0), "");
    assert_string_equal(search(values, 1, SLICE("zzzzzz bcdefg abcdefg"), 0, 0), "0@14");
    assert_string_equal(search(values, 0, SLICE("abcdef"), 0, 0), "");
}

/* Wherever it stands in the words of eight bytes that are looked at together. */
static void test_offsets(void **state)
{
    static const char *const value[] = { "needle-" };
    char                     text[80];

    (void)state;
    for (size_t len = 7; len < 40; len++)
        for (size_t at = 0; at + 7 <= len; at++) {
            char expected[16];

            memset(text, '.', len);
            memcpy(text + at, "needle-", 7);
            snprintf(expected, sizeof expected, "0@%zu", at);
            assert_string_equal(search(value, 1, (struct slice){ text, len }, 0, 0), expected);
        }
}

static void test_stops(void **state)
{
    static const char *const values[] = { "abcdef", "abcdefg", "bcdefg" };

    (void)state;
    assert_string_equal(search(values, 3, SLICE("abcdefg abcdefg"), 1, 5), "0@0");
    assert_string_equal(search(values, 3, SLICE("abcdefg abcdefg"), 2, 5), "0@0 1@0");
    assert_string_equal(search(values, 3, SLICE("abcdefg abcdefg"), 4, 5), "0@0 1@0 2@1 0@8");
    assert_string_equal(search(values, 3, SLICE("abcdefg abcdefg"), 7, 0), "0@0 1@0 2@1 0@8 1@8 2@9");
}

static int found_none(void *context, uint32_t number, size_t at)
{
    (void)context, (void)number, (void)at;
    fail_msg("it is not there");
    return 0;
}

/* Seconds for addresses of `count` lengths that all begin like every place of the text; the least of three. */
static double search_time(size_t count)
{
    enum { LEAST = 12, MOST = 320, TEXT = 128 << 10 };
    static struct needle    needle[MOST];
    static char             value[MOST], text[TEXT + BYTES_PAD];
    struct sensitive_search search;
    struct err              err = { 0 };
    double                  least = INFINITY;

    for (size_t i = 0; i < count; i++) {
        const size_t len = LEAST + i;

        memset(value, 'a', len);
        memcpy(value + len - 6, "@b.com", 6);
        needle[i] = needle_of((struct slice){ value, len });
    }
    memset(text, 'a', TEXT);
    assert_int_equal(sensitive_search_open(&search, needle, count, &err), 0);
    for (int i = 0; i < 3; i++) {
        const clock_t before = clock();
        double        took;

        assert_int_equal(sensitive_search_text(&search, (struct slice){ text, TEXT }, found_none, NULL), 0);
        took = (double)(clock() - before) / CLOCKS_PER_SEC;
        least = took < least ? took : least;
    }
    sensitive_search_free(&search);
    return least;
}

/* Lengths cost nothing where no end stands. */
static void test_lengths(void **state)
{
    (void)state;
    assert_true(search_time(300) < 4 * search_time(15) + 0.001);
}

/* Length, hash of the whole, and the ends as places in any text have them. */
static void test_needle(void **state)
{
    const struct needle whole = needle_of(SLICE("abcdef")), longer = needle_of(SLICE("abcdef::abcdef")),
        other = needle_of(SLICE("abcdeg"));

    (void)state;
    assert_int_equal(whole.len, 6);
    assert_true(whole.hash.low == content_hash_raw(SLICE("abcdef")).low &&
                whole.hash.high == content_hash_raw(SLICE("abcdef")).high);
    assert_int_equal(whole.head, whole.tail);
    assert_int_equal(longer.len, 14);
    assert_int_equal(longer.head, whole.head);
    assert_int_equal(longer.tail, whole.head);
    assert_true(other.head != whole.head);
    assert_int_equal(other.blocks[0], whole.blocks[0]);     /* five bytes from the first one */
    assert_true(other.blocks[1] != whole.blocks[1]);        /* and from the second */
    assert_int_equal(whole.blocks[1], needle_of(SLICE("bcdefx")).blocks[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_places), cmocka_unit_test(test_offsets),
                                        cmocka_unit_test(test_stops), cmocka_unit_test(test_lengths),
                                        cmocka_unit_test(test_needle) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
