/* base/utf8: what is UTF-8, against a decoder that goes by the code point; what ill-formed text becomes, by the tables
 * of the standard. */
#include "base/utf8.h"
#include "tests/unit/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* The length of the well-formed sequence at the start, 0 when there is none. */
static size_t decode(const unsigned char *at, size_t n)
{
    size_t   len = at[0] < 0x80 ? 1 : at[0] >> 5 == 6 ? 2 : at[0] >> 4 == 14 ? 3 : at[0] >> 3 == 30 ? 4 : 0;
    uint32_t point, least[] = { 0, 0, 0x80, 0x800, 0x10000 };

    if (len == 0 || len > n) return 0;
    point = len == 1 ? at[0] : at[0] & (0xFFu >> (len + 1));
    for (size_t i = 1; i < len; i++) {
        if (at[i] >> 6 != 2) return 0;
        point = point << 6 | (at[i] & 63u);
    }
    return point < least[len] || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000) ? 0 : len;
}

static void assert_length(const unsigned char *at, size_t n)
{
    size_t want = 0, len = 1, got = utf8_valid_length((struct slice){ (const char *)at, n });

    while (want < n && (len = decode(at + want, n - want)) > 0) want += len;
    if (got != want) fail_msg("%zu instead of %zu at %02X %02X %02X %02X", got, want, at[0], at[1], at[2], at[3]);
}

/* Every first, every second byte, and of the others those at which the rules change; whole and cut off. */
static void test_sequences(void **state)
{
    static const unsigned char edge[] = { 0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xE1,
                                          0xFF };
    unsigned char              at[4];

    (void)state;
    assert_int_equal(utf8_valid_length((struct slice){ NULL, 0 }), 0);
    for (unsigned first = 0; first < 256; first++)
        for (unsigned second = 0; second < 256; second++)
            for (size_t third = 0; third < sizeof edge; third++)
                for (size_t fourth = 0; fourth < sizeof edge; fourth++) {
                    at[0] = (unsigned char)first;
                    at[1] = (unsigned char)second;
                    at[2] = edge[third];
                    at[3] = edge[fourth];
                    assert_length(at, 4);
                    if (fourth == 0) assert_length(at, 3);
                    if (fourth == 0 && third == 0) assert_length(at, 2);
                    if (fourth == 0 && third == 0 && second == 0) assert_length(at, 1);
                }
}

/* Long texts: a sequence at every place of the blocks that ASCII is read in, whole, cut off and behind another. */
static void test_blocks(void **state)
{
    static const char *const piece[] = { "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\x80", "\xC3",
                                         "\xF0\x9F\x98" };
    unsigned char text[260];
    uint64_t      random = seed_of_run();

    (void)state;
    for (size_t p = 0; p < sizeof piece / sizeof *piece; p++)
        for (size_t at = 0; at + 4 < 200; at++) {
            size_t len = strlen(piece[p]);

            memset(text, ' ', sizeof text);
            memcpy(text + at, piece[p], len);
            assert_length(text, 200);
            assert_length(text, at + len);
            assert_length(text, at + len - 1);
            text[199] = 0xFF;
            assert_length(text, 200);
        }
    for (int round = 0; round < 20000; round++) {
        size_t n = 0;

        while (n < 250) {
            const char *next = draw(&random) % 50 ? piece[draw(&random) % 3] : piece[draw(&random) % 6];
            size_t      run = draw(&random) % 4 ? 0 : draw(&random) % 100;

            for (; run && n < 250; run--) text[n++] = '3';
            memcpy(text + n, next, strlen(next));
            n += strlen(next);
        }
        assert_length(text, n);
    }
}

#define BAD "\xEF\xBF\xBD"

static void test_repair(void **state)
{
    static const struct { const char *text, *want; } known[] = {
        { "", "" }, { "plain", "plain" }, { "\xE2\x82\xAC", "\xE2\x82\xAC" },
        /* Unicode 15, tables 3-8 to 3-11: over-long forms, surrogates, other ill-formed sequences, cut-off ones */
        { "\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41", BAD BAD BAD BAD BAD BAD BAD BAD "A" },
        { "\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41", BAD BAD BAD BAD BAD BAD BAD BAD "A" },
        { "\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42", BAD BAD BAD BAD BAD "A" BAD BAD "B" },
        { "\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41", BAD BAD BAD BAD "A" },
        /* and its example of substitution */
        { "\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64", "a" BAD BAD BAD "b" BAD "c" BAD BAD "d" },
        { "end \xF0\x9F\x98", "end " BAD },
    };
    struct bytes out = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        out.len = 0;
        assert_int_equal(bytes_append(&out, "before ", 7), 0);                  /* it appends */
        assert_int_equal(utf8_repair(&out, slice_of(known[i].text)), 0);
        assert_int_equal(out.len, 7 + strlen(known[i].want));
        assert_memory_equal(out.at, "before ", 7);
        assert_memory_equal(out.at + 7, known[i].want, out.len - 7);
        assert_int_equal(utf8_valid_length(bytes_slice(&out)), out.len);
    }
    bytes_free(&out);
}

/* Once, at the beginning, and whole. */
static void test_mark(void **unused)
{
    (void)unused;
    assert_true(slice_equal(utf8_without_mark(SLICE("\xEF\xBB\xBF\xEF\xBB\xBF" "a")), SLICE("\xEF\xBB\xBF" "a")));
    assert_true(slice_equal(utf8_without_mark(SLICE("\xEF\xBB\xBF")), SLICE("")));
    assert_true(slice_equal(utf8_without_mark(SLICE("\xEF\xBB")), SLICE("\xEF\xBB")));
    assert_true(slice_equal(utf8_without_mark(SLICE("a\xEF\xBB\xBF")), SLICE("a\xEF\xBB\xBF")));
    assert_int_equal(utf8_without_mark((struct slice){ 0 }).len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_sequences), cmocka_unit_test(test_blocks),
                                        cmocka_unit_test(test_repair), cmocka_unit_test(test_mark) };

    printf("seed=%llu\n", (unsigned long long)seed_of_run());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
