/* corpus/parquet_thrift: numbers, fields, lists and texts; what is passed over, whole or cut; nothing is read past the
 * end. */
#include "corpus/parquet_thrift.h"
#include "tests/unit/corpus/parquet_put.h"
#include "tests/unit/draw.h"

#include <stdio.h>

static struct thrift reader(const void *at, size_t len)
{
    const unsigned char *from = at;

    return (struct thrift){ .at = from, .end = from + len };
}

static void assert_broken(const struct thrift *t, bool short_of_bytes)
{
    assert_true(t->broken && t->short_of_bytes == short_of_bytes && t->at == t->end);
}

static void test_numbers(void **state)
{
    static const struct { struct slice bytes; uint64_t value; } known[] = {
        { { "\0", 1 }, 0 }, { { "\x7F", 1 }, 127 }, { { "\x80\1", 2 }, 128 }, { { "\xAC\2", 2 }, 300 },
        { { "\x80\x80\0", 3 }, 0 },                         /* longer than it need be */
        { { "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\1", 10 }, UINT64_MAX },
    };
    static const struct { int64_t value; uint64_t zigzag; } pairs[] = {
        { 0, 0 }, { -1, 1 }, { 1, 2 }, { -2, 3 }, { INT32_MAX, 4294967294 }, { INT64_MAX, UINT64_MAX - 1 },
        { INT64_MIN, UINT64_MAX },
    };
    struct bytes out = { 0 };
    struct thrift t;

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        t = reader(known[i].bytes.at, known[i].bytes.len);
        assert_true(thrift_varint(&t) == known[i].value);
        assert_true(!t.broken && t.at == t.end);
        t = reader(known[i].bytes.at, known[i].bytes.len - 1);
        assert_int_equal(thrift_varint(&t), 0);
        assert_broken(&t, true);
    }
    t = reader("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\1", 11);
    assert_int_equal(thrift_varint(&t), 0);                 /* no number of 64 bits: more bytes would not help */
    assert_broken(&t, false);
    assert_int_equal(thrift_varint(&t), 0);                 /* and stays broken */
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_true(thrift_zigzag(pairs[i].zigzag) == pairs[i].value);
        out.len = 0;
        put_int(&out, 1, pairs[i].value);
        t = reader(out.at + 1, out.len - 1);
        assert_true(thrift_int(&t) == pairs[i].value);
    }
    bytes_free(&out);
}

static void test_fields(void **state)
{
    static const unsigned char bytes[] = {
        0x15, 8,                                            /* 1: 4 */
        0xF1,                                               /* 16: true */
        0x08, 0x80, 0x02, 2, 'a', 'b',                      /* 128, in the long form: a text */
        0x06, 0x02, 1,                                      /* 1 again: -1 */
        0x00,
    };
    struct thrift       t = reader(bytes, sizeof bytes);
    struct thrift_field field = { 0 };
    int64_t             number = 77;

    (void)state;
    assert_true(thrift_next_field(&t, &field) && field.id == 1 && field.type == THRIFT_I32);
    assert_false(thrift_expect(&t, &(struct thrift_field){ 1, THRIFT_TRUE }, THRIFT_STRUCT));   /* takes no byte */
    assert_true(thrift_expect(&t, &field, THRIFT_I32));
    assert_true(thrift_take_int(&t, &field, &number) && number == 4);
    assert_true(thrift_next_field(&t, &field) && field.id == 16 && field.type == THRIFT_TRUE);
    assert_false(thrift_take_int(&t, &field, &number));
    assert_int_equal(number, 4);
    assert_true(thrift_next_field(&t, &field) && field.id == 128 && field.type == THRIFT_BINARY);
    assert_true(slice_equal(thrift_binary(&t), SLICE("ab")));
    assert_true(thrift_next_field(&t, &field) && field.id == 1 && field.type == THRIFT_I64);
    assert_true(thrift_take_int(&t, &field, &number) && number == -1);
    assert_false(thrift_next_field(&t, &field));
    assert_true(!t.broken && t.at == t.end);
    assert_false(thrift_next_field(&t, &field));
    assert_broken(&t, true);

    t = reader("\x1E", 1);                                  /* a type that is none */
    field = (struct thrift_field){ 0 };
    assert_false(thrift_next_field(&t, &field));
    assert_broken(&t, false);
    t = reader("\xF1\xF1", 2);                              /* ids have 16 bits */
    field = (struct thrift_field){ .id = INT16_MAX - 15 };
    assert_true(thrift_next_field(&t, &field) && field.id == INT16_MAX);
    assert_false(thrift_next_field(&t, &field));
    assert_broken(&t, false);
}

static void test_texts_and_lists(void **state)
{
    struct thrift    t = reader("\3abcd", 5);
    enum thrift_type type;
    struct slice     text = thrift_binary(&t);

    (void)state;
    assert_true(slice_equal(text, SLICE("abc")) && *t.at == 'd');
    t = reader("\3ab", 3);
    assert_true(slice_equal(thrift_binary(&t), SLICE("")));
    assert_broken(&t, true);
    t = reader("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\1ab", 12);
    assert_int_equal(thrift_binary(&t).len, 0);
    assert_broken(&t, true);

    t = reader("\x35\1\2\3", 4);
    assert_int_equal(thrift_list(&t, &type), 3);
    assert_true(type == THRIFT_I32 && !t.broken);
    t = reader("\xF8\x10" "0123456789abcdef", 18);
    assert_int_equal(thrift_list(&t, &type), 16);           /* the long form */
    assert_true(type == THRIFT_BINARY && *t.at == '0');
    t = reader("\x0C", 1);
    assert_true(thrift_list(&t, &type) == 0 && type == THRIFT_STRUCT && !t.broken);
    t = reader("\x35\1\2", 3);                              /* each element takes a byte at least */
    assert_int_equal(thrift_list(&t, &type), 0);
    assert_broken(&t, true);
    t = reader("\x10\1", 2);
    assert_int_equal(thrift_list(&t, &type), 0);
    assert_broken(&t, false);
    t = reader("\x1E\1", 2);
    assert_int_equal(thrift_list(&t, &type), 0);
    assert_broken(&t, false);
}

/* A value of a type that is written by hand, as a field's. */
static const struct { enum thrift_type type; struct slice bytes; } values[] = {
    { THRIFT_TRUE, { "", 0 } },             { THRIFT_FALSE, { "", 0 } },        { THRIFT_BYTE, { "x", 1 } },
    { THRIFT_I16, { "\x80\1", 2 } },        { THRIFT_I32, { "\1", 1 } },
    { THRIFT_I64, { "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\1", 10 } },
    { THRIFT_DOUBLE, { "12345678", 8 } },   { THRIFT_UUID, { "0123456789abcdef", 16 } },
    { THRIFT_BINARY, { "\5hello", 6 } },    { THRIFT_BINARY, { "\0", 1 } },
    { THRIFT_LIST, { "\x33" "abc", 4 } },   { THRIFT_LIST, { "\x31\1\1\2", 4 } },       /* bools are bytes here */
    { THRIFT_SET, { "\x28\1a\2bc", 6 } },   { THRIFT_LIST, { "\x0C", 1 } },
    { THRIFT_MAP, { "\0", 1 } },            { THRIFT_MAP, { "\2\x58\1\1a\2\1b", 8 } },
    { THRIFT_STRUCT, { "\0", 1 } },         { THRIFT_STRUCT, { "\x15\1\x11\x12\x18\1a\x1C\x11\0\0", 11 } },
    { THRIFT_LIST, { "\x2C\x11\0\x15\2\0", 6 } },
};

static void test_skip(void **state)
{
    struct bytes room = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct thrift t;

        room.len = 0;
        put(&room, values[i].bytes.at, values[i].bytes.len);
        put(&room, "zz", 2);
        t = reader(room.at, room.len);
        thrift_skip(&t, values[i].type);
        if (t.broken || t.end - t.at != 2) fail_msg("value %zu: %d bytes are left", i, (int)(t.end - t.at));
        for (size_t len = 0; len < values[i].bytes.len; len++) {                /* cut off */
            t = reader(room.at, len);
            thrift_skip(&t, values[i].type);
            assert_broken(&t, true);
        }
    }
    {
        struct thrift t = reader("x", 1);

        thrift_skip_element(&t, THRIFT_TRUE);               /* in a list a bool has a byte */
        assert_true(!t.broken && t.at == t.end);
        t = reader("x", 1);
        thrift_skip(&t, THRIFT_STOP);
        assert_true(!t.broken && t.at < t.end);
        thrift_skip_element(&t, THRIFT_STOP);
        assert_broken(&t, false);
    }
    bytes_free(&room);
}

/* Lists in lists: as deep as is passed over, and one more. */
static void test_depth(void **state)
{
    struct bytes room = { 0 };
    int          deepest = 0;

    (void)state;
    for (int depth = 1; depth < 100; depth++) {
        struct thrift t;

        room.len = 0;
        for (int i = 1; i < depth; i++) put_byte(&room, 0x19);
        put_byte(&room, 0x13);
        put_byte(&room, 'x');
        t = reader(room.at, room.len);
        thrift_skip(&t, THRIFT_LIST);
        if (!t.broken) deepest = depth;
        else assert_broken(&t, false);
    }
    assert_in_range(deepest, 16, 64);                       /* Parquet's own structs are 6 deep */
    bytes_free(&room);
}

/* Random bytes: it ends, inside them, and what is broken says so. */
static void test_random(void **state)
{
    uint64_t      random = seed_of_run();
    unsigned char bytes[40];

    (void)state;
    for (int round = 0; round < 100000; round++) {
        size_t              len = draw(&random) % sizeof bytes;
        struct thrift_field field = { 0 };
        struct thrift       t = reader(bytes, len);

        for (size_t i = 0; i < len; i++) bytes[i] = (unsigned char)(draw(&random) & (round % 2 ? 0x3F : 0xFF));
        while (thrift_next_field(&t, &field)) {
            const unsigned char *was = t.at;

            assert_true(field.id <= INT16_MAX && field.type <= THRIFT_UUID);
            thrift_skip(&t, field.type);
            assert_true(t.at >= was && t.at <= t.end);
        }
        assert_true(!t.short_of_bytes || t.broken);
        assert_true(!t.broken || t.at == t.end);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_fields), cmocka_unit_test(test_texts_and_lists),
        cmocka_unit_test(test_skip),    cmocka_unit_test(test_depth),  cmocka_unit_test(test_random),
    };

    printf("seed=%llu\n", (unsigned long long)seed_of_run());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
