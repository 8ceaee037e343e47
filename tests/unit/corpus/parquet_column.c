/* corpus/parquet_column: columns of hand-laid pages: every encoding, levels, dictionaries, both kinds of pages, what is
 * held beyond its page, and what is told of damage. */
#include "corpus/parquet_column.h"
#include "tests/unit/corpus/parquet_folder.h"
#include "tests/unit/corpus/parquet_put.h"

#include <stdlib.h>

enum { DATA = 0, INDEX = 1, DICTIONARY = 2, DATA_V2 = 3 };

/* ---- pages ---- */

/* What is not set is as it should be.  repetition, definition: v2's bytes of levels, which lie in front. */
struct page {
    int          kind, encoding;
    int64_t      values;
    struct slice bytes;
    int64_t      unpacked, repetition, definition;
    int          crc;                                       /* 1: right, 2: wrong */
    bool         plain;                                     /* v2: not packed, though the column is */
};

static void put_page(struct bytes *out, const struct page *page)
{
    int64_t unpacked = page->unpacked ? page->unpacked : (int64_t)page->bytes.len;
    unsigned step = page->kind == DATA ? 5 : page->kind == INDEX ? 6 : page->kind == DICTIONARY ? 7 : 8;

    put_int(out, 1, page->kind);
    put_int(out, 1, unpacked);
    put_int(out, 1, (int64_t)page->bytes.len);
    if (page->crc) put_int(out, 1, (int32_t)(parquet_crc32(page->bytes.at, page->bytes.len) ^ (page->crc == 2)));
    put_byte(out, (step - (page->crc ? 4 : 3)) << 4 | 12);
    if (page->kind != INDEX) put_int(out, 1, page->values);
    if (page->kind == DATA || page->kind == DICTIONARY) put_int(out, 1, page->encoding);
    if (page->kind == DATA_V2) {
        put_int(out, 3, page->encoding);
        put_int(out, 1, page->definition);
        put_int(out, 1, page->repetition);
        if (page->plain) put_byte(out, 1 << 4 | 2);
    }
    put_byte(out, 0);
    put_byte(out, 0);
    put(out, page->bytes.at, page->bytes.len);
}

/* A column of these pages in a file of its own, behind four bytes. */
struct world {
    struct parquet_node   node;
    struct parquet_column column;
    struct parquet_chunk  chunk;
    struct input          input;
};

static void open_pages(struct world *world, const struct page *page, size_t count, uint64_t values)
{
    struct bytes file = { 0 };
    struct err   err = { 0 };

    put(&file, "PAR1", 4);
    for (size_t i = 0; i < count; i++) put_page(&file, &page[i]);
    world->chunk.there = true;
    world->chunk.at = 4;
    world->chunk.bytes = file.len - 4;
    world->chunk.values = values;
    put(&file, "behind the column", 17);
    write_file(path, file.at, file.len);
    assert_int_equal(input_open(&world->input, path, &err), 0);
    world->column = (struct parquet_column){ .node = &world->node, .input = &world->input, .path = SLICE("a.b"),
                                             .max_ratio = 1000 };
    parquet_column_start(&world->column, &world->chunk);
    bytes_free(&file);
}

static void close_pages(struct world *world)
{
    parquet_column_close(&world->column);
    input_close(&world->input);
}

/* Appends every value and a `|`: `~` for null, with the level where it says more; `+` before one of the same row. */
static int read_all(struct world *world, struct bytes *got, struct err *err)
{
    const struct parquet_node *node = &world->node;
    struct slice               value;
    uint32_t                   definition;
    int                        rc = 1;

    got->len = 0;
    while (rc > 0) {
        int more = node->max_repetition ? parquet_column_continues(&world->column, err) : 0;

        if (more > 0) bytes_append(got, "+", 1);
        rc = more < 0 ? more : parquet_column_next(&world->column, &value, &definition, err);
        if (rc <= 0) break;
        if (!value.at) bytes_append(got, "~", 1);
        if (!value.at && node->max_definition > 1) bytes_printf(got, "%u", definition);
        assert_int_equal(definition == node->max_definition, value.at != NULL);
        bytes_append_slice(got, value);
        bytes_append(got, "|", 1);
    }
    assert_int_equal(bytes_append(got, "", 1), 0);
    got->len--;
    return rc;
}

static void assert_values(struct world *world, const struct page *page, size_t count, uint64_t values, const char *want)
{
    struct bytes got = { 0 };
    struct err   err = { 0 };

    open_pages(world, page, count, values);
    for (unsigned again = 0; again < 2; again++) {          /* started anew, as with the next row group */
        if (read_all(world, &got, &err) < 0) fail_msg("%s: %s", want, err.text);
        assert_string_equal(got.at, want);
        assert_int_equal(read_all(world, &got, &err), 0);   /* still the end */
        assert_int_equal(got.len, 0);
        if (values) assert_int_equal(world->column.bytes_read, (again + 1) * world->chunk.bytes);       /* each once */
        parquet_column_start(&world->column, &world->chunk);
    }
    close_pages(world);
    bytes_free(&got);
}

static void assert_fails(struct world *world, const struct page *page, size_t count, uint64_t values, const char *first,
                         int code, const char *says)
{
    struct bytes got = { 0 };
    struct err   err = { 0 };

    open_pages(world, page, count, values);
    if (read_all(world, &got, &err) != code || !strstr(err.text, says)) fail_msg("%s: %d %s", says, err.code, err.text);
    assert_string_equal(got.at, first);
    assert_int_equal(strncmp(err.text, "parquet: ", 9), 0);
    assert_non_null(strstr(err.text, ": page at byte "));
    assert_non_null(strstr(err.text, ", column a.b"));
    close_pages(world);
    bytes_free(&got);
}

/* ---- encodings ---- */

/* One page: its kind, encoding and number of values, then its bytes and what else is to be set. */
#define ONE(k, e, v, ...) (struct page[]){ { .kind = (k), .encoding = (e), .values = (v), .bytes = __VA_ARGS__ } }, 1

static void test_plain(void **state)
{
    struct world world = { .node = { .type = PARQUET_BYTE_ARRAY } };

    (void)state;
    assert_values(&world, ONE(DATA, 0, 3, { "\1\0\0\0a\0\0\0\0\2\0\0\0bc", 15 }), 3, "a||bc|");
    assert_values(&world, ONE(DATA, 0, 0, { "", 0 }), 0, "");
    world.node.type = PARQUET_FIXED;
    world.node.type_bytes = 2;
    assert_values(&world, ONE(DATA, 0, 2, { "abcd", 4 }), 2, "ab|cd|");
    world.node.type = PARQUET_INT32;
    assert_values(&world, ONE(DATA, 0, 2, { "\1\0\0\0\xFF\xFF\xFF\xFF", 8 }), 2, "1|-1|");
    world.node.type = PARQUET_INT64;
    assert_values(&world, ONE(DATA, 0, 1, { "\0\0\0\0\1\0\0\0", 8 }), 1, "4294967296|");
    world.node.type = PARQUET_FLOAT;
    assert_values(&world, ONE(DATA, 0, 1, { "\0\0\x80\x3F", 4 }), 1, "1|");
    world.node.type = PARQUET_DOUBLE;
    assert_values(&world, ONE(DATA, 0, 1, { "\0\0\0\0\0\0\xE0\xBF", 8 }), 1, "-0.5|");
    world.node.type = PARQUET_BOOLEAN;
    assert_values(&world, ONE(DATA, 0, 9, { "\x05\1", 2 }), 9,
                  "true|false|true|false|false|false|false|false|true|");
    assert_values(&world, ONE(DATA, PARQUET_ENCODING_RLE, 3, { "\4\0\0\0\4\1\2\0", 8 }), 3, "true|true|false|");
}

static void test_deltas(void **state)
{
    struct world world = { .node = { .type = PARQUET_INT64 } };

    (void)state;
    /* 7, then 5, 3, 1: one block, whose least delta is -2 and whose miniblocks have no bits */
    assert_values(&world, ONE(DATA, PARQUET_ENCODING_DELTA, 4, { "\x80\1\4\4\x0E\3\0\0\0\0", 10 }), 4, "7|5|3|1|");
    world.node.type = PARQUET_INT32;
    assert_values(&world, ONE(DATA, PARQUET_ENCODING_DELTA, 1, { "\x80\1\4\1\1", 5 }), 1, "-1|");
    world.node.type = PARQUET_BYTE_ARRAY;
    /* lengths 2, 3, 4, then the bytes */
    assert_values(&world, ONE(DATA, PARQUET_ENCODING_DELTA_LENGTH, 3, { "\x80\1\4\3\4\2\0\0\0\0aabbbcccc", 19 }), 3,
                  "aa|bbb|cccc|");
    /* shared 0, 1, 2; rests of 2, 2, 2 bytes */
    assert_values(&world, ONE(DATA, PARQUET_ENCODING_DELTA_STRINGS, 3,
                              { "\x80\1\4\3\0\2\0\0\0\0\x80\1\4\3\4\0\0\0\0\0abcdef", 26 }), 3, "ab|acd|acef|");
    world.node.type = PARQUET_INT32;
    assert_values(&world, ONE(DATA, PARQUET_ENCODING_SPLIT, 2, { "\1\2\0\1\0\0\0\0", 8 }), 2, "1|258|");
}

static void test_dictionaries(void **state)
{
    struct world             world = { .node = { .type = PARQUET_BYTE_ARRAY } };
    static const struct page pages[] = {
        { DICTIONARY, 2, 3, { "\1\0\0\0a\0\0\0\0\2\0\0\0bc", 15 }, 0, 0, 0, 0, false },
        { DATA, PARQUET_ENCODING_DICTIONARY, 4, { "\2\4\2\4\0", 5 }, 0, 0, 0, 1, false },
        { INDEX, 0, 0, { "index", 5 }, 0, 0, 0, 0, false },
        { DATA, PARQUET_ENCODING_PLAIN_DICTIONARY, 8, { "\2\3\x24\x49", 4 }, 0, 0, 0, 0, false },
        { DATA, 0, 1, { "\1\0\0\0z", 5 }, 0, 0, 0, 0, false },      /* a writer that gave its dictionary up */
    };

    (void)state;
    assert_values(&world, pages, 5, 13, "bc|bc|a|a|a||bc|a||bc|a||z|");
    world.node.type = PARQUET_INT32;
    assert_values(&world, (struct page[]){ { .kind = DICTIONARY, .values = 2, .bytes = { "\5\0\0\0\6\0\0\0", 8 } },
                                           { .encoding = 8, .values = 3, .bytes = { "\1\3\2", 3 } } }, 2, 3,
                  "5|6|5|");
}

/* More pages than are looked at in one read, one of them longer than that. */
static void test_many_pages(void **state)
{
    enum { PAGES = 300 };
    struct world world = { .node = { .type = PARQUET_BYTE_ARRAY } };
    struct page *page = calloc(PAGES, sizeof *page);
    struct bytes text = { 0 }, want = { 0 };
    uint32_t     len = 200000;

    (void)state;
    assert_true(page && bytes_reserve(&text, PAGES * 1000 + len) == 0);
    for (size_t i = 0; i < PAGES; i++) {
        size_t   at = text.len;
        uint32_t own = i == 150 ? len : 700;

        put(&text, &own, 4);
        memset(text.at + text.len, (int)('a' + i % 26), own);
        text.len += own;
        page[i] = (struct page){ .values = 1, .bytes = { text.at + at, text.len - at } };
        bytes_append(&want, text.at + at + 4, own);
        bytes_append(&want, "|", 1);
    }
    bytes_append(&want, "", 1);
    assert_values(&world, page, PAGES, PAGES, want.at);
    bytes_free(&text);
    bytes_free(&want);
    free(page);
}

/* ---- levels ---- */

static void test_levels(void **state)
{
    struct world world = { .node = { .type = PARQUET_BYTE_ARRAY, .max_definition = 1 } };

    (void)state;
    /* v1: the levels' length, then runs; of three values the second is null */
    assert_values(&world, ONE(DATA, 0, 3, { "\2\0\0\0\3\5\1\0\0\0a\1\0\0\0b", 16 }), 3, "a|~|b|");
    assert_values(&world, ONE(DATA, 0, 2, { "\2\0\0\0\4\0", 6 }), 2, "~|~|");   /* nulls: there are no values */
    /* v2: without the length, in front */
    assert_values(&world, ONE(DATA_V2, 0, 3, { "\3\5\1\0\0\0a\1\0\0\0b", 12 }, .definition = 2), 3, "a|~|b|");
    /* A list in a row of its own: no list, an empty one, a null in it, two values. */
    world.node.max_definition = 3;
    world.node.max_repetition = 1;
    assert_values(&world, ONE(DATA, 0, 5, { "\2\0\0\0\3\x10" "\3\0\0\0\3\xE4\3" "\1\0\0\0a\1\0\0\0b", 23 }), 5,
                  "~0|~1|~2|a|+b|");
    assert_values(&world, ONE(DATA_V2, 0, 5, { "\3\x10" "\3\xE4\3" "\1\0\0\0a\1\0\0\0b", 15 }, .repetition = 2,
                              .definition = 3), 5, "~0|~1|~2|a|+b|");
    /* It goes on in another page. */
    assert_values(&world, (struct page[]){ { .values = 1, .bytes = { "\2\0\0\0\2\0\2\0\0\0\2\3\1\0\0\0a", 17 } },
                                           { .values = 1, .bytes = { "\2\0\0\0\2\1\2\0\0\0\2\3\1\0\0\0b", 17 } } }, 2,
                  2, "a|+b|");
}

/* v2 packs what is behind the levels, and not even that when it says so. */
static void test_packed(void **state)
{
    struct world world = { .node = { .type = PARQUET_BYTE_ARRAY, .max_definition = 1 },
                           .chunk = { .codec = PARQUET_SNAPPY } };

    (void)state;
    assert_values(&world, ONE(DATA_V2, 0, 1, { "\2\1\5\x10\1\0\0\0a", 9 }, .unpacked = 7, .definition = 2), 1, "a|");
    assert_values(&world, ONE(DATA_V2, 0, 1, { "\2\1\1\0\0\0a", 7 }, .definition = 2, .plain = true), 1, "a|");
    assert_values(&world, ONE(DATA, 0, 1, { "\x0B\x28\2\0\0\0\2\1\1\0\0\0a", 13 }, .unpacked = 11), 1, "a|");
    assert_fails(&world, ONE(DATA, 0, 1, { "\x0C\x28\2\0\0\0\2\1\1\0\0\0a", 13 }, .unpacked = 11), 1, "",
                 PARQUET_CORRUPT, "broken snappy data");
}

/* ---- damage ---- */

static void test_damage(void **state)
{
    static const struct {
        struct page page;
        uint64_t    values;
        const char *first;                                  /* what comes before it */
        int         code;
        const char *says;
    } cases[] = {
        { { .values = 2, .bytes = { "\1\0\0\0a", 5 } }, 2, "a|", PARQUET_CORRUPT, "values that run past the end" },
        { { .values = 1, .bytes = { "\2\0\0\0a", 5 } }, 1, "", PARQUET_CORRUPT, "values that run past the end" },
        { { .values = 1, .bytes = { "\1\0\0", 3 } }, 1, "", PARQUET_CORRUPT, "values that run past the end" },
        { { .values = 1, .bytes = { "\1\0\0\0a", 5 } }, 2, "a|", PARQUET_CORRUPT, "the column ends before its values" },
        { { .values = 2, .bytes = { "\1\0\0\0a", 5 } }, 1, "", PARQUET_CORRUPT, "a page of more values than its" },
        { { .values = -1, .bytes = { "", 0 } }, 1, "", PARQUET_CORRUPT, "a page without its own header" },
        { { .values = 1, .bytes = { "\1\0\0\0a", 5 }, .crc = 2 }, 1, "", PARQUET_CORRUPT, "checksum is wrong" },
        { { .values = 1, .bytes = { "\1\0\0\0a", 5 }, .unpacked = 6 }, 1, "", PARQUET_CORRUPT, "broken page data" },
        { { .values = 1, .bytes = { "\1\0\0\0a", 5 }, .unpacked = -6 }, 1, "", PARQUET_CORRUPT, "impossible size" },
        { { .values = 1, .bytes = { "a", 1 }, .unpacked = 100 << 20 }, 1, "", PARQUET_BOMB, "more than max_ratio" },
        { { .encoding = 4, .values = 1, .bytes = { "a", 1 } }, 1, "", PARQUET_UNKNOWN, "encoding 4 is not read" },
        { { .encoding = 5, .values = 1, .bytes = { "a", 1 } }, 1, "", PARQUET_CORRUPT, "column of another type" },
        { { .encoding = 6, .values = 1, .bytes = { "a", 1 } }, 1, "", PARQUET_CORRUPT, "a damaged encoding" },
        { { .encoding = 8, .values = 1, .bytes = { "", 0 } }, 1, "", PARQUET_CORRUPT, "impossible width" },
        { { .encoding = 8, .values = 1, .bytes = { "\x21\2\1", 3 } }, 1, "", PARQUET_CORRUPT, "impossible width" },
        { { .encoding = 8, .values = 1, .bytes = { "\1\2\1", 3 } }, 1, "", PARQUET_CORRUPT, "dictionary index 1 of 0" },
        { { .kind = DICTIONARY, .values = 2, .bytes = { "\1\0\0\0a", 5 } }, 1, "", PARQUET_CORRUPT,
          "more values than it has" },
        { { .kind = DICTIONARY, .values = 2, .bytes = { "\4\0\0\0abcd", 8 } }, 1, "", PARQUET_CORRUPT,
          "ends inside a value" },
        { { .kind = DICTIONARY, .encoding = 5, .values = 0, .bytes = { "", 0 } }, 1, "", PARQUET_UNKNOWN,
          "a dictionary in encoding 5" },
        { { .kind = DATA_V2, .values = 1, .bytes = { "\1\0\0\0a", 5 }, .definition = 6 }, 1, "", PARQUET_CORRUPT,
          "levels that are longer" },
        { { .kind = DATA_V2, .values = 1, .bytes = { "\1\0\0\0a", 5 }, .repetition = 3, .definition = 3 }, 1, "",
          PARQUET_CORRUPT, "levels that are longer" },
        { { .kind = DATA_V2, .values = 1, .bytes = { "\1\0\0\0a", 5 }, .unpacked = 9, .repetition = 3,
            .definition = 3 }, 1, "", PARQUET_CORRUPT, "levels that are longer" },
        /* The first string shares a byte with none. */
        { { .encoding = 7, .values = 1, .bytes = { "\x80\1\4\1\2\x80\1\4\1\2a", 11 } }, 1, "", PARQUET_CORRUPT,
          "run past the end" },
    };
    struct world world = { .node = { .type = PARQUET_BYTE_ARRAY } };
    struct err   err = { 0 };
    struct bytes got = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_fails(&world, &cases[i].page, 1, cases[i].values, cases[i].first, cases[i].code, cases[i].says);
    assert_fails(&world, (struct page[]){ { .values = 1, .bytes = { "\1\0\0\0a", 5 } },
                                          { .kind = DICTIONARY, .values = 1, .bytes = { "\1\0\0\0a", 5 } } }, 2, 2,
                 "a|", PARQUET_CORRUPT, "a second dictionary");
    assert_fails(&world, (struct page[]){ { .kind = DICTIONARY, .values = 1, .bytes = { "\1\0\0\0a", 5 } },
                                          { .encoding = 8, .values = 2, .bytes = { "\1\3\2", 3 } } }, 2, 2, "a|",
                 PARQUET_CORRUPT, "dictionary index 1 of 1");
    world.node.max_repetition = 2;
    assert_fails(&world, ONE(DATA, 0, 1, { "\2\0\0\0\2\3\1\0\0\0a", 11 }), 1, "", PARQUET_CORRUPT,
                 "a repetition level that is none");
    world.node.max_repetition = 0;
    world.node.max_definition = 2;
    assert_fails(&world, ONE(DATA, 0, 1, { "\2\0\0\0\2\3\1\0\0\0a", 11 }), 1, "", PARQUET_CORRUPT,
                 "level that is none");
    assert_fails(&world, ONE(DATA, 0, 2, { "\2\0\0\0\2\2\1\0\0\0a", 11 }), 2, "a|", PARQUET_CORRUPT,
                 "definition levels that run past");
    assert_fails(&world, ONE(DATA, 0, 1, { "\7\0\0\0\2\2", 6 }), 1, "", PARQUET_CORRUPT, "levels that are longer");
    assert_fails(&world, ONE(DATA, 0, 1, { "\7\0\0", 3 }), 1, "", PARQUET_CORRUPT, "levels that are longer");

    /* The file ends where the column should be. */
    world.node.max_definition = 0;
    open_pages(&world, ONE(DATA, 0, 1, { "\1\0\0\0a", 5 }), 1);
    assert_int_equal(truncate(path, 10), 0);
    assert_int_equal(read_all(&world, &got, &err), PARQUET_TRUNCATED);
    assert_non_null(strstr(err.text, "the file became shorter: page at byte 4, column a.b"));
    close_pages(&world);
    bytes_free(&got);
}

/* ---- what is held ---- */

static void test_owner(void **state)
{
    static const struct page pages[] = {
        { .kind = DICTIONARY, .values = 1, .bytes = { "\4\0\0\0dict", 8 } },
        { .encoding = 8, .values = 1, .bytes = { "\1\2\0", 3 } },
        { .values = 1, .bytes = { "\3\0\0\0one", 7 } },
        { .values = 1, .bytes = { "\3\0\0\0two", 7 } },
        { .encoding = 7, .values = 1, .bytes = { "\x80\1\4\1\0\x80\1\4\1\6tmp", 13 } },
    };
    struct world   world = { .node = { .type = PARQUET_BYTE_ARRAY } };
    struct shared *held[4];
    struct slice   value[4];
    uint32_t       definition;
    struct err     err = { 0 };

    (void)state;
    open_pages(&world, pages, 5, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(parquet_column_next(&world.column, &value[i], &definition, &err), 1);
        held[i] = parquet_column_owner(&world.column, value[i]);
        if (held[i]) shared_hold(held[i]);
    }
    assert_true(held[0] && held[1] && held[2] && held[0] != held[1] && held[1] != held[2]);
    assert_null(held[3]);                                   /* put together for the moment */
    parquet_column_start(&world.column, &world.chunk);      /* the next row group's dictionary takes another place */
    assert_int_equal(parquet_column_next(&world.column, &value[3], &definition, &err), 1);
    assert_true(slice_equal(value[3], SLICE("dict")) && value[3].at != value[0].at);
    close_pages(&world);
    assert_true(slice_equal(value[0], SLICE("dict")) && slice_equal(value[1], SLICE("one")));
    assert_true(slice_equal(value[2], SLICE("two")));
    for (int i = 0; i < 3; i++) {
        assert_true(shared_is_mine(held[i]));               /* the column has let go */
        shared_release(held[i]);
    }
}

static void test_bomb(void **state)
{
    const uint64_t free_bytes = 64 << 20;

    (void)state;
    assert_false(parquet_is_bomb(free_bytes, 1, 1));
    assert_true(parquet_is_bomb(free_bytes + 1, 1, 1));
    assert_false(parquet_is_bomb(1000 * free_bytes, free_bytes, 1000));
    assert_false(parquet_is_bomb(1000 * free_bytes + 999, free_bytes, 1000));
    assert_true(parquet_is_bomb(1000 * free_bytes + 1000, free_bytes, 1000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),  cmocka_unit_test(test_deltas), cmocka_unit_test(test_dictionaries),
        cmocka_unit_test(test_levels), cmocka_unit_test(test_packed), cmocka_unit_test(test_damage),
        cmocka_unit_test(test_owner),  cmocka_unit_test(test_bomb),   cmocka_unit_test(test_many_pages),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
