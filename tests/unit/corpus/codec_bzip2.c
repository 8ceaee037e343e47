/* corpus/codec_bzip2: all blocks before damage are given, streams one after the other, what is none behind them.  Cuts
 * at every byte: codec_filter.c. */
#include "tests/unit/corpus/decode.h"

#include <bzlib.h>

/* A stream in blocks of 100 KB. */
static void pack_bzip2(struct bytes *out, const char *at, size_t len)
{
    unsigned room = (unsigned)(len + len / 100 + 700);

    assert_int_equal(bytes_reserve(out, out->len + room), 0);
    assert_int_equal(BZ2_bzBuffToBuffCompress(out->at + out->len, &room, (char *)(uintptr_t)at, (unsigned)len, 1, 0, 0),
                     BZ_OK);
    out->len += room;
}

/* A cut costs the block that it is in, and no more. */
static void test_cut(void **state)
{
    struct bytes text = { 0 }, packed = { 0 }, out = { 0 };
    struct err   err = { 0 };

    (void)state;
    make_text(&text, 950000);
    pack_bzip2(&packed, text.at, text.len);
    for (size_t part = 1; part < 10; part++)
        assert_fails("a.bz2", (struct slice){ packed.at, packed.len * part / 10 }, &text,
                     part > 1 ? text.len * part / 10 - 105000 : 0, CODEC_TRUNCATED,
                     "bzip2: the file ends inside a stream at ");
    packed.at[packed.len / 2] ^= 1;                         /* its block is wrong, and known to be only at its end */
    assert_int_equal(decode(&out, "a.bz2", bytes_slice(&packed), 4096, &err), CODEC_CORRUPT);
    assert_in_range(out.len, text.len / 2 - 110000, text.len / 2 + 110000);
    assert_memory_equal(out.at, text.at, text.len / 2 - 110000);
    assert_non_null(strstr(err.text, "bzip2: broken data at compressed byte "));
    bytes_free(&out);
    bytes_free(&text);
    bytes_free(&packed);
}

static void test_streams(void **state)
{
    struct bytes text = { 0 }, packed = { 0 };
    size_t       first;

    (void)state;
    make_text(&text, 30000);
    pack_bzip2(&packed, text.at, 10000);
    first = packed.len;
    pack_bzip2(&packed, text.at + 10000, 0);                /* an empty one */
    pack_bzip2(&packed, text.at + 10000, 20000);
    assert_decodes("a.bz2", &packed, &text);
    for (size_t len = first + 1; len < first + 4; len++)    /* cut inside the head of a later one */
        assert_fails("a.bz2", (struct slice){ packed.at, len }, &text, 10000, CODEC_TRUNCATED, "the file ends");
    packed.at[first] = 'X';
    assert_fails("a.bz2", bytes_slice(&packed), &text, 10000, CODEC_CORRUPT, " bytes behind the end of the stream");
    bytes_free(&text);
    bytes_free(&packed);
}

/* Where it is: behind a stream that is none, where it begins. */
static void test_place(void **state)
{
    struct bytes text = { 0 }, packed = { 0 };
    struct input input;
    struct codec codec;
    struct err   err = { 0 };
    char         path[256], out[4096];
    size_t       first;
    ssize_t      got;

    (void)state;
    make_text(&text, 3000);
    pack_bzip2(&packed, text.at, text.len);
    first = packed.len;
    bytes_append(&packed, "garbage", 7);
    snprintf(path, sizeof path, "%s/place.bz2", folder);
    write_file(path, packed.at, packed.len);
    assert_int_equal(input_open(&input, path, &err), 0);
    assert_int_equal(codec_open(&codec, &input, &err), 0);
    do got = codec_read(&codec, out, sizeof out, &err);
    while (got > 0);
    assert_int_equal(got, CODEC_CORRUPT);
    assert_int_equal(codec_place(&codec).taken, first);
    codec_close(&codec);
    input_close(&input);
    bytes_free(&text);
    bytes_free(&packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_cut), cmocka_unit_test(test_streams),
                                        cmocka_unit_test(test_place) };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
