/* tests/unit/portrait/cut.c -- the pieces of a text: windows, n-grams, lines, the whole. */
#include "portrait/portrait.h"
#include "tests/unit/draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Against characters found one by one; bytes that continue nothing belong to the character before. */
static void test_windows(void **state)
{
    static const char *const alphabet[] = { "a", "b", "\n", "é", "漢", "🙂", "\x80", "\xC3", " ", "x" };
    struct portrait_pieces every = { 0 }, strided = { 0 };
    struct err             err = { 0 };
    uint64_t               seed = seed_of_run();

    (void)state;
    for (int round = 0; round < 300; round++) {
        struct portrait_scheme scheme = { PORTRAIT_WINDOWS, (uint32_t)(draw(&seed) % 70 + 1), 0 };
        char                   text[2048];
        size_t                 len = 0, start[2049], characters = 0, limit = round % 3 ? 10 : 3;
        struct slice           slice;

        scheme.stride = (uint32_t)(draw(&seed) % scheme.width + 1);
        for (size_t n = draw(&seed) % 300; n > 0; n--) {
            const char *c = alphabet[draw(&seed) % limit];

            memcpy(text + len, c, strlen(c));
            len += strlen(c);
        }
        for (size_t i = 0; i < len; i++)
            if (i == 0 || ((unsigned char)text[i] & 0xC0) != 0x80) start[characters++] = i;
        start[characters] = len;
        slice = (struct slice){ text, len };
        assert_int_equal(portrait_cut(&scheme, slice, true, &every, &err), 0);
        assert_int_equal(portrait_cut(&scheme, slice, false, &strided, &err), 0);
        assert_int_equal(every.count, characters >= scheme.width ? characters - scheme.width + 1 : 0);
        for (size_t i = 0; i < every.count; i++) {
            assert_int_equal(every.at[i].at, start[i]);
            assert_int_equal(every.at[i].end, start[i + scheme.width]);
            for (size_t j = i > 5 ? i - 5 : 0; j < i; j++) { /* equal bytes, equal keys; others differ */
                size_t n = every.at[i].end - every.at[i].at;

                assert_int_equal(every.at[j].key == every.at[i].key,
                                 n == every.at[j].end - every.at[j].at &&
                                     memcmp(text + every.at[j].at, text + every.at[i].at, n) == 0);
            }
        }
        assert_int_equal(strided.count, every.count ? (every.count - 1) / scheme.stride + 1 : 0);
        for (size_t i = 0; i < strided.count; i++)
            assert_memory_equal(&strided.at[i], &every.at[i * scheme.stride], sizeof *strided.at);
    }
    portrait_pieces_free(&every);
    portrait_pieces_free(&strided);
}

static void test_ngrams(void **state)
{
    const struct portrait_scheme two = { PORTRAIT_NGRAMS, 2, 2 }, nine = { PORTRAIT_NGRAMS, 9, 9 };
    struct portrait_pieces       a = { 0 }, b = { 0 };
    struct err                   err = { 0 };
    char                         padded[128] = "x = foo_1(bar, été); x foo_1";

    (void)state;
    assert_int_equal(portrait_cut(&two, (struct slice){ padded, strlen(padded) }, true, &a, &err), 0);
    assert_int_equal(a.count, 5);                           /* x foo_1 bar été x foo_1 */
    assert_int_equal(a.at[0].at, 0);
    assert_int_equal(a.at[0].end, 9);
    assert_true(a.at[0].key == a.at[4].key);                /* what stands between the words does not matter */
    for (size_t i = 1; i < 4; i++) assert_true(a.at[i].key != a.at[0].key);
    assert_int_equal(portrait_cut(&two, (struct slice){ padded, strlen(padded) }, false, &b, &err), 0);
    assert_int_equal(b.count, 3);
    for (size_t i = 0; i < 3; i++) assert_memory_equal(&b.at[i], &a.at[2 * i], sizeof *b.at);
    assert_int_equal(portrait_cut(&nine, (struct slice){ padded, strlen(padded) }, true, &a, &err), 0);
    assert_int_equal(a.count, 0);
    portrait_pieces_free(&a);
    portrait_pieces_free(&b);
}

static void test_lines_and_content(void **state)
{
    const struct portrait_scheme lines = { PORTRAIT_LINES, 1, 1 }, content = { PORTRAIT_CONTENT, 1, 1 };
    struct portrait_pieces       a = { 0 }, b = { 0 };
    struct err                   err = { 0 };

    (void)state;
    assert_int_equal(portrait_cut(&lines, SLICE("  one\r\n\n \t\ntwo x\none"), true, &a, &err), 0);
    assert_int_equal(a.count, 3);
    assert_true(a.at[0].key == a.at[2].key);
    assert_true(a.at[1].key != a.at[0].key);
    assert_int_equal(a.at[1].at, 11);
    assert_int_equal(a.at[1].end, 16);
    assert_int_equal(portrait_cut(&content, SLICE("a b\n"), false, &a, &err), 0);
    assert_int_equal(portrait_cut(&content, SLICE("ab"), false, &b, &err), 0);
    assert_true(a.at[0].key != b.at[0].key);
    assert_true(a.at[1].key == b.at[1].key);
    portrait_pieces_free(&a);
    portrait_pieces_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_ngrams),
        cmocka_unit_test(test_lines_and_content),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
