/* base/bytes and base/slice: a buffer keeps its content while it grows, may be read past its end, and refuses what no
 * memory can hold. */
#include "base/bytes.h"

#include <errno.h>
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* The pad is there behind all of the room. */
static void assert_padded(const struct bytes *b)
{
    assert_true(b->len <= b->room);
    assert_true(malloc_usable_size(b->at) >= b->room + BYTES_PAD);
}

static void test_reserve(void **state)
{
    static const size_t rooms[] = { 0, 1, 191, 192, 193, 300, 5000, 100, 1 << 20 };
    struct bytes        b = { 0 };
    size_t              most = 0;

    (void)state;
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        char *was = b.at;

        assert_int_equal(bytes_reserve(&b, rooms[i]), 0);
        assert_non_null(b.at);                              /* also for nothing at all */
        if (most >= rooms[i] && was) assert_ptr_equal(b.at, was);               /* there already */
        if (b.room > most) most = b.room;
        assert_true(b.room >= rooms[i] && b.room == most);
        assert_padded(&b);
        assert_int_equal(b.len, 0);
    }
    bytes_free(&b);
    assert_true(!b.at && !b.len && !b.room);
    bytes_free(&b);
}

static void test_append(void **state)
{
    struct bytes b = { 0 };

    (void)state;
    assert_int_equal(bytes_append(&b, NULL, 0), 0);         /* nothing to nothing */
    assert_int_equal(b.len, 0);
    for (unsigned i = 0; i < 3000; i++) {
        char piece[7];

        memset(piece, (int)(i % 251), sizeof piece);
        assert_int_equal(bytes_append(&b, piece, i % 8), 0);
        assert_padded(&b);
    }
    for (size_t i = 0, at = 0; i < 3000; i++)
        for (size_t n = i % 8; n; n--) assert_int_equal((unsigned char)b.at[at++], i % 251);
    assert_int_equal(b.len, 3000 / 8 * 28);
    assert_int_equal(bytes_append_slice(&b, SLICE("end")), 0);
    assert_true(slice_equal((struct slice){ bytes_slice(&b).at + b.len - 3, 3 }, SLICE("end")));
    bytes_free(&b);
}

static void test_refuse(void **state)
{
    static const size_t sizes[] = { SIZE_MAX, SIZE_MAX - BYTES_PAD, SIZE_MAX / 2, SIZE_MAX / 2 - BYTES_PAD,
                                    SIZE_MAX / 4 };
    struct bytes        b = { 0 }, was;

    (void)state;
    assert_int_equal(bytes_append(&b, "kept", 4), 0);
    was = b;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        assert_int_equal(bytes_reserve(&b, sizes[i]), -ENOMEM);
        assert_int_equal(bytes_append(&b, "", sizes[i]), -ENOMEM);              /* not read: there is no room for it */
        assert_memory_equal(&b, &was, sizeof b);
    }
    assert_memory_equal(b.at, "kept", 4);
    bytes_free(&b);
}

static void test_printf(void **state)
{
    struct bytes b = { 0 };
    char         want[400];

    (void)state;
    assert_int_equal(bytes_printf(&b, "%s", ""), 0);
    assert_int_equal(b.len, 0);
    assert_string_equal(b.at, "");
    assert_int_equal(bytes_printf(&b, "%d-%s", -5, "x"), 0);
    assert_string_equal(b.at, "-5-x");
    for (int width = 180; width < 200; width++) {           /* around the first room, NUL and all */
        bytes_free(&b);
        assert_int_equal(bytes_printf(&b, "%*d", width, 7), 0);
        snprintf(want, sizeof want, "%*d", width, 7);
        assert_string_equal(b.at, want);
        assert_int_equal(b.len, width);
        assert_int_equal(bytes_printf(&b, "%*d", width, 8), 0);
        snprintf(want + width, sizeof want - (size_t)width, "%*d", width, 8);
        assert_string_equal(b.at, want);
        assert_padded(&b);
    }
    bytes_free(&b);
}

static void test_array(void **state)
{
    uint64_t *array = NULL, *was;
    size_t    room = 0, grown = 0;

    (void)state;
    for (size_t count = 0; count < 5000; count++) {
        was = array;
        assert_int_equal(ARRAY_GROW(array, room, count), 0);
        assert_true(room > count && malloc_usable_size(array) >= room * sizeof *array);
        grown += array != was;
        array[count] = count * count;
    }
    assert_true(grown <= 6 && room == 8192);                /* 256 512 .. 8192 */
    for (size_t i = 0; i < 5000; i++) assert_int_equal(array[i], i * i);
    was = array;
    assert_ptr_equal(array_grown(array, &room, 8191, SIZE_MAX / 65536), was);   /* there already */
    assert_ptr_equal(array_grown(array, &room, 8192, SIZE_MAX / 65536), was);   /* more than any memory */
    assert_ptr_equal(array_grown(array, &room, 8192, SIZE_MAX / 8), was);       /* more than a size_t can say */
    assert_true(room == 8192);
    assert_int_equal(ARRAY_GROW(array, room, 40000), 0);    /* several at once */
    assert_true(room == 65536 && malloc_usable_size(array) >= room * sizeof *array && array[4999] == 4999 * 4999);
    was = array;
    assert_int_equal(ARRAY_GROW(array, room, SIZE_MAX), -ENOMEM);
    assert_true(array == was && room == 65536);
    room = SIZE_MAX / 16;
    assert_int_equal(ARRAY_GROW(array, room, SIZE_MAX / 16), -ENOMEM);
    assert_true(array == was && room == SIZE_MAX / 16);
    free(array);
}

static void test_slices(void **state)
{
    static const char *const rising[] = { "", "A", "a", "aa", "ab", "b", "\x7F", "\x80", "\xFF" };
    enum { COUNT = sizeof rising / sizeof *rising };

    (void)state;
    assert_int_equal(slice_of(NULL).len, 0);
    assert_int_equal(slice_of("abc").len, 3);
    assert_int_equal(SLICE("a\0b").len, 3);
    assert_true(slice_equal((struct slice){ NULL, 0 }, SLICE("")));
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++) {
            int order = slice_compare(slice_of(rising[i]), slice_of(rising[j]));

            assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
            assert_int_equal(slice_equal(slice_of(rising[i]), slice_of(rising[j])), i == j);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reserve), cmocka_unit_test(test_append), cmocka_unit_test(test_refuse),
        cmocka_unit_test(test_printf),  cmocka_unit_test(test_array),  cmocka_unit_test(test_slices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
