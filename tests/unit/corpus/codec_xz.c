/* corpus/codec_xz: all that is decoded before damage is given; padding, holes, .lzma.  Cuts at every byte:
 * codec_filter.c. */
#include "tests/unit/corpus/decode.h"

static void test_cut(void **state)
{
    struct bytes text = { 0 }, packed = { 0 };

    (void)state;
    make_text(&text, 600000);
    pack_filter(&packed, text.at, text.len, archive_write_add_filter_xz);
    for (size_t part = 1; part < 10; part++)                /* the text packs ever better */
        assert_fails("a.xz", (struct slice){ packed.at, packed.len * part / 10 }, &text, text.len * part / 10 - 8000,
                     CODEC_TRUNCATED, "xz: the file ends inside a stream at ");
    packed.len = 0;
    pack_filter(&packed, text.at, 3000, archive_write_add_filter_xz);
    bytes_append(&packed, "garbage", 7);                    /* a small file's text is there, too */
    assert_fails("a.xz", bytes_slice(&packed), &(struct bytes){ .at = text.at, .len = 3000 }, 3000, CODEC_CORRUPT,
                 "xz: 7 bytes behind the end of the stream at compressed byte ");
    bytes_free(&text);
    bytes_free(&packed);
}

/* Zeros are padding, in fours, between streams and behind them, but not without end. */
static void test_padding(void **state)
{
    struct bytes text = { 0 }, packed = { 0 };

    (void)state;
    make_text(&text, 5000);
    pack_filter(&packed, text.at, 2000, archive_write_add_filter_xz);
    bytes_append(&packed, "\0\0\0\0\0\0\0", 8);
    pack_filter(&packed, text.at + 2000, 3000, archive_write_add_filter_xz);
    assert_decodes("a.xz", &packed, &text);
    bytes_append(&packed, "\0\0", 3);
    assert_fails("a.xz", bytes_slice(&packed), &text, 5000, CODEC_CORRUPT, "xz: 3 bytes behind the end");
    bytes_append(&packed, "", 1);
    assert_decodes("a.xz", &packed, &text);
    assert_int_equal(bytes_reserve(&packed, packed.len + CODEC_PADDING_MAX), 0);
    memset(packed.at + packed.len, 0, CODEC_PADDING_MAX);
    packed.len += CODEC_PADDING_MAX - 4;
    assert_decodes("a.xz", &packed, &text);
    packed.len += 4;
    assert_fails("a.xz", bytes_slice(&packed), &text, 5000, CODEC_CORRUPT, "xz: 1048580 bytes behind");
    bytes_free(&text);
    bytes_free(&packed);
}

static void test_lzma(void **state)
{
    struct bytes text = { 0 }, packed = { 0 };

    (void)state;
    make_text(&text, 300000);
    pack_filter(&packed, text.at, text.len, archive_write_add_filter_lzma);
    assert_decodes("a.lzma", &packed, &text);
    assert_fails("a.lzma", (struct slice){ packed.at, packed.len / 2 }, &text, text.len / 2 - 8000, CODEC_TRUNCATED,
                 "the file ends inside a stream");
    bytes_append(&packed, "garbage", 7);
    assert_fails("a.lzma", bytes_slice(&packed), &text, text.len, CODEC_CORRUPT, "xz: 7 bytes behind the end");
    bytes_free(&text);
    bytes_free(&packed);
}

/* A header may ask for more memory than is given. */
static void test_memory(void **state)
{
    struct bytes text = { 0 }, packed = { 0 };

    (void)state;
    make_text(&text, 3000);
    pack_filter(&packed, text.at, text.len, archive_write_add_filter_lzma);
    memcpy(packed.at + 1, "\xFF\xFF\xFF\xFF", 4);
    assert_fails("a.lzma", bytes_slice(&packed), &text, 0, CODEC_CORRUPT, "more than 1 GB of memory");
    bytes_free(&text);
    bytes_free(&packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_cut), cmocka_unit_test(test_padding),
                                        cmocka_unit_test(test_lzma), cmocka_unit_test(test_memory) };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
