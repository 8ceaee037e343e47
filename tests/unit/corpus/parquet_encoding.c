/* corpus/parquet_encoding: runs and packed bits of every width, deltas of every size, against encoders that go by the
 * format's description; what is cut off or lies is told. */
#include "corpus/parquet_encoding.h"
#include "corpus/parquet_thrift.h"
#include "tests/unit/corpus/parquet_put.h"
#include "tests/unit/draw.h"

#include <stdio.h>

enum { VALUES = 3000 };

/* Appends value[count], `width` bits of each, the lowest first; padded to a byte. */
static void put_bits(struct bytes *out, const uint64_t *value, size_t count, unsigned width)
{
    unsigned byte = 0, used = 0;

    for (size_t i = 0; i < count; i++)
        for (unsigned b = 0; b < width; b++) {
            byte |= (unsigned)(value[i] >> b & 1) << used;
            if (++used < 8) continue;
            put_byte(out, byte);
            byte = used = 0;
        }
    if (used) put_byte(out, byte);
}

static const unsigned char *start_of(const struct bytes *b) { return (const unsigned char *)b->at; }
static const unsigned char *end_of(const struct bytes *b) { return (const unsigned char *)b->at + b->len; }

/* ---- runs and packed bits ---- */

static void test_hybrid(void **state)
{
    uint64_t     random = seed_of_run();
    struct bytes out = { 0 };

    (void)state;
    for (unsigned width = 1; width <= 32; width++) {
        static uint64_t want[VALUES];
        struct hybrid   hybrid;
        uint32_t        value = 0;
        size_t          count = 0;

        out.len = 0;
        while (count < VALUES - 300) {
            if (draw(&random) % 2) {                        /* one value many times; of no length at times */
                size_t   run = draw(&random) % 200;
                uint64_t same = draw(&random) & ((1ull << width) - 1);

                put_varint(&out, run << 1);
                for (unsigned b = 0; b < width; b += 8) put_byte(&out, (unsigned)(same >> b & 0xFF));
                for (; run; run--) want[count++] = same;
            } else {
                size_t groups = draw(&random) % 20;

                put_varint(&out, groups << 1 | 1);
                for (size_t i = 0; i < 8 * groups; i++) want[count + i] = draw(&random) & ((1ull << width) - 1);
                put_bits(&out, want + count, 8 * groups, width);
                count += 8 * groups;
            }
        }
        hybrid_open(&hybrid, start_of(&out), end_of(&out), width);
        for (size_t i = 0; i < count; i++) {
            assert_true(hybrid_next(&hybrid, &value));
            if (value != want[i]) fail_msg("width %u, value %zu: %u", width, i, value);
        }
        assert_false(hybrid_next(&hybrid, &value));
        assert_false(hybrid_next(&hybrid, &value));
    }
    bytes_free(&out);
}

/* What hybrid_append puts is read back, and packs: runs of a random length, then values at random. */
static void test_hybrid_append(void **state)
{
    uint64_t     random = seed_of_run();
    struct bytes out = { 0 };

    (void)state;
    for (unsigned width = 1; width <= 32; width++)
        for (int round = 0; round < 20; round++) {
            static uint32_t want[VALUES];
            struct hybrid   hybrid;
            uint32_t        value = 0;
            size_t          count = draw(&random) % VALUES, most = round % 2 ? 3 : 40;

            for (size_t i = 0; i < count;) {
                size_t run = 1 + draw(&random) % most;

                value = (uint32_t)(draw(&random) & ((1ull << width) - 1));
                for (; run && i < count; run--) want[i++] = value;
            }
            out.len = 0;
            assert_int_equal(hybrid_append(&out, want, count, width), 0);
            assert_true(out.len <= count * (width + 7) / 8 + 2 * (count / 8 + 2) + width);
            hybrid_open(&hybrid, start_of(&out), end_of(&out), width);
            for (size_t i = 0; i < count; i++) {
                assert_true(hybrid_next(&hybrid, &value));
                if (value != want[i]) fail_msg("width %u, value %zu: %u", width, i, value);
            }
        }
    out.len = 0;
    assert_int_equal(hybrid_append(&out, (uint32_t[VALUES]){ 0 }, VALUES, 1), 0);
    assert_int_equal(out.len, 3);                           /* one run */
    bytes_free(&out);
}

static void test_hybrid_limits(void **state)
{
    static const struct { struct slice bytes; unsigned width; size_t count; uint32_t last; } known[] = {
        { { "", 0 }, 3, 0, 0 },
        { { "\4\5", 2 }, 3, 2, 5 },
        { { "\4", 1 }, 3, 0, 0 },                           /* a run without its value */
        { { "\4\5", 2 }, 9, 0, 0 },                         /* which has two bytes here */
        { { "\3\x88\xC6\xFA", 4 }, 3, 8, 7 },               /* 0 to 7: the description's example */
        { { "\3\x88\xC6", 3 }, 3, 5, 4 },                   /* the last group may be cut short */
        { { "\5\x88\xC6\xFA", 4 }, 3, 8, 7 },               /* by a whole one even */
        { { "\7\x88\xC6\xFA", 4 }, 3, 0, 0 },               /* but not by more */
        { { "\x80", 1 }, 3, 0, 0 },
        { { "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\1", 10 }, 8, 0, 0 },
        { { "\0\1\0\1\4\1", 6 }, 1, 2, 1 },                 /* empty runs */
    };
    struct bytes  room = { 0 };
    struct hybrid hybrid;
    uint32_t      value = 77;

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t   count = 0;
        uint32_t last = 0;

        room.len = 0;
        put(&room, known[i].bytes.at, known[i].bytes.len);
        hybrid_open(&hybrid, start_of(&room), end_of(&room), known[i].width);
        while (hybrid_next(&hybrid, &value)) count++, last = value;
        if (count != known[i].count) fail_msg("case %zu: %zu values", i, count);
        assert_int_equal(last, known[i].last);
    }
    /* Of a billion values nothing is laid out; of no bits there are zeros without end. */
    room.len = 0;
    put_varint(&room, 1ull << 31);
    put_byte(&room, 6);
    hybrid_open(&hybrid, start_of(&room), end_of(&room), 3);
    for (int i = 0; i < 1000; i++) assert_true(hybrid_next(&hybrid, &value) && value == 6);
    hybrid_open(&hybrid, start_of(&room), start_of(&room), 0);
    for (int i = 0; i < 1000; i++) assert_true(hybrid_next(&hybrid, &value) && value == 0);
    bytes_free(&room);
}

/* ---- deltas ---- */

static void put_zigzag(struct bytes *out, uint64_t value)
{
    put_varint(out, value << 1 ^ (0 - (value >> 63)));
}

/* By the description: header, then blocks of a least delta, the miniblocks' widths, and what is above the least. */
static void put_deltas(struct bytes *out, const int64_t *value, size_t count, size_t block, size_t miniblocks)
{
    size_t per = block / miniblocks;

    put_varint(out, block);
    put_varint(out, miniblocks);
    put_varint(out, count);
    put_zigzag(out, count ? (uint64_t)value[0] : 0);
    for (size_t from = 1; from < count; from += block) {
        uint64_t above[1024] = { 0 };
        size_t   n = count - from < block ? count - from : block;
        int64_t  least = INT64_MAX;

        for (size_t i = 0; i < n; i++) {
            above[i] = (uint64_t)value[from + i] - (uint64_t)value[from + i - 1];
            if ((int64_t)above[i] < least) least = (int64_t)above[i];
        }
        put_zigzag(out, (uint64_t)least);
        for (size_t i = 0; i < n; i++) above[i] -= (uint64_t)least;
        for (int pass = 0; pass < 2; pass++)                /* all widths, then all bits */
            for (size_t m = 0; m < miniblocks; m++) {
                uint64_t any = 0;
                unsigned width = 0;

                for (size_t i = 0; i < per; i++) any |= above[m * per + i];
                while (width < 64 && any >> width) width++;
                if (pass == 0) put_byte(out, width);
                else put_bits(out, above + m * per, per, width);
            }
    }
}

static void test_deltas(void **state)
{
    static const size_t counts[] = { 0, 1, 2, 33, 128, 129, 130, 257, 1000 }, blocks[][2] = { { 128, 4 }, { 128, 1 },
                                                                                              { 8, 1 }, { 1024, 32 } };
    uint64_t       random = seed_of_run();
    struct bytes   out = { 0 };
    static int64_t want[1000];

    (void)state;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
            for (unsigned shift = 0; shift < 68; shift++) { /* from any 64 bits down to one, then all alike */
                struct delta delta, same;
                int64_t      value;

                for (size_t i = 0; i < counts[c]; i++)
                    want[i] = shift < 64 ? (int64_t)draw(&random) >> shift : shift == 64 ? (int64_t)i * 3 : -7;
                out.len = 0;
                put_deltas(&out, want, counts[c], blocks[b][0], blocks[b][1]);
                put(&out, "behind", 6);
                assert_true(delta_open(&delta, start_of(&out), end_of(&out)));
                same = delta;
                assert_ptr_equal(delta_end(&delta), end_of(&out) - 6);
                assert_memory_equal(&delta, &same, sizeof delta);               /* looking for the end moves nothing */
                for (size_t i = 0; i < counts[c]; i++) {
                    assert_true(delta_next(&delta, &value));
                    if (value != want[i]) fail_msg("%zu values, shift %u: value %zu", counts[c], shift, i);
                    if (i % 50 == 3) assert_ptr_equal(delta_end(&delta), end_of(&out) - 6);
                }
                assert_false(delta_next(&delta, &value));
            }
    bytes_free(&out);
}

static void test_delta_limits(void **state)
{
    static const struct { struct slice bytes; bool opens; } heads[] = {
        { { "\x80\1\4\3\2", 5 }, true },    { { "\x80\1\4\3", 4 }, false },     { { "", 0 }, false },
        { { "\0\4\3\2", 4 }, false },                       /* blocks of nothing */
        { { "\x80\1\0\3\2", 5 }, false },   { { "\x80\1\3\3\2", 5 }, false },   /* 128 in 3 */
        { { "\x80\1\x20\3\2", 5 }, false },                 /* miniblocks of 4 */
        { { "\x10\1\3\2", 4 }, true },      { { "\x08\2\3\2", 4 }, false },     { { "\x0C\1\3\2", 4 }, false },
        { { "\x80\x80\x80\x08\1\3\2", 7 }, true },          /* 1 << 24, and twice as many */
        { { "\x80\x80\x80\x10\1\3\2", 7 }, false },
    };
    static const struct { struct slice bytes; int values; } cut[] = {
        { { "\x80\1\4\3\2", 5 }, 1 },                       /* the block is missing */
        { { "\x80\1\4\3\2\2\0\0\0", 9 }, 1 },               /* a width */
        { { "\x80\1\4\3\2\2\0\0\0\0", 10 }, 3 },
        { { "\x80\1\4\3\2\2\x41\0\0\0", 10 }, 1 },          /* 65 bits */
        { { "\x80\1\4\3\2\2\1\0\0\0abc", 13 }, 1 },         /* four bytes of 32 bits */
        { { "\x80\1\4\3\2\2\1\0\0\0abcd", 14 }, 3 },
    };
    struct bytes room = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        struct delta delta;

        room.len = 0;
        put(&room, heads[i].bytes.at, heads[i].bytes.len);
        if (delta_open(&delta, start_of(&room), end_of(&room)) != heads[i].opens) fail_msg("head %zu", i);
    }
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
        struct delta delta;
        int64_t      value;
        int          values = 0;

        room.len = 0;
        put(&room, cut[i].bytes.at, cut[i].bytes.len);
        assert_true(delta_open(&delta, start_of(&room), end_of(&room)));
        assert_int_equal(delta_end(&delta) != NULL, cut[i].values == 3);
        while (delta_next(&delta, &value)) values++;
        if (values != cut[i].values) fail_msg("case %zu: %d values", i, values);
    }
    for (unsigned width = 64; width <= 65; width++) {       /* all the bytes that there are to be, and yet */
        struct delta delta;
        int64_t      value;

        room.len = 0;
        put(&room, "\x80\1\4\3\2\2", 6);
        put(&room, (char[]){ (char)width, 0, 0, 0 }, 4);
        for (unsigned i = 0; i < 4 * width; i++) put_byte(&room, 0);
        assert_true(delta_open(&delta, start_of(&room), end_of(&room)));
        assert_true(delta_next(&delta, &value));
        assert_int_equal(delta_next(&delta, &value), width == 64);
    }
    bytes_free(&room);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_hybrid), cmocka_unit_test(test_hybrid_append),
                                        cmocka_unit_test(test_hybrid_limits), cmocka_unit_test(test_deltas),
                                        cmocka_unit_test(test_delta_limits) };

    printf("seed=%llu\n", (unsigned long long)seed_of_run());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
