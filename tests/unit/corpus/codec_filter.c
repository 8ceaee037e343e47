/* corpus/codec_filter: streams of lzip, lz4 and compress, whole, cut at every byte, damaged, with something behind
 * them.  Those of xz and bzip2 (codec_xz.c, codec_bzip2.c) go the same way. */
#include "tests/unit/corpus/decode.h"

static const struct { const char *name; add_filter *filter; bool ends; } filters[] = {
    { "a.xz", archive_write_add_filter_xz, true },       { "a.lz", archive_write_add_filter_lzip, true },
    { "a.bz2", archive_write_add_filter_bzip2, true },   { "a.lz4", archive_write_add_filter_lz4, true },
    { "a.Z", archive_write_add_filter_compress, false },                        /* such a stream just ends */
};

enum { FILTERS = sizeof filters / sizeof *filters };

static void test_whole(void **state)
{
    static const size_t lengths[] = { 1, 1000, 300000 };
    struct bytes        text = { 0 }, packed = { 0 };

    (void)state;
    for (size_t f = 0; f < FILTERS; f++)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            make_text(&text, lengths[i]);
            packed.len = 0;
            pack_filter(&packed, text.at, text.len, filters[f].filter);
            assert_decodes(filters[f].name, &packed, &text);
        }
    make_text(&text, 5000);                                 /* streams of xz one after the other */
    packed.len = 0;
    pack_filter(&packed, text.at, 2000, archive_write_add_filter_xz);
    pack_filter(&packed, text.at + 2000, 3000, archive_write_add_filter_xz);
    assert_decodes("a.xz", &packed, &text);
    bytes_free(&text);
    bytes_free(&packed);
}

static void test_empty(void **state)
{
    struct bytes text = { 0 }, packed = { 0 };

    (void)state;
    for (size_t f = 0; f < FILTERS; f++) {
        packed.len = 0;
        /* libarchive cannot write these two */
        if (filters[f].filter == archive_write_add_filter_lz4)
            bytes_append(&packed, "\x04\x22\x4D\x18\x60\x40\x82\0\0\0\0", 11);
        else if (filters[f].filter == archive_write_add_filter_compress)
            bytes_append(&packed, "\x1F\x9D\x90", 3);
        else
            pack_filter(&packed, "", 0, filters[f].filter);
        assert_decodes(filters[f].name, &packed, &text);
    }
    bytes_free(&packed);
}

/* Streams that give nothing, at the beginning, between others and at the end. */
static void test_empty_between(void **state)
{
    static const struct { const char *name; add_filter *filter; struct slice empty; } forms[] = {
        { "a.lz4", archive_write_add_filter_lz4, SLICE("\x04\x22\x4D\x18\x60\x40\x82\0\0\0\0") },
        { "sums.lz4", archive_write_add_filter_lz4,
          SLICE("\x04\x22\x4D\x18\x64\x40\xA7\0\0\0\0\x05\x5D\xCC\x02") },
        { "a.lz", archive_write_add_filter_lzip,
          SLICE("LZIP\x01\x0C\0\x83\xFF\xFB\xFF\xFF\xC0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x24\0\0\0\0\0\0\0") },
    };
    struct bytes text = { 0 }, packed = { 0 };

    (void)state;
    make_text(&text, 300000);
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        packed.len = 0;
        for (int i = 0; i < 2; i++) bytes_append_slice(&packed, forms[f].empty);
        pack_filter(&packed, text.at, 2000, forms[f].filter);
        for (int i = 0; i < 3; i++) bytes_append_slice(&packed, forms[f].empty);
        pack_filter(&packed, text.at + 2000, text.len - 2000, forms[f].filter);
        bytes_append_slice(&packed, forms[f].empty);
        assert_decodes(forms[f].name, &packed, &text);
        bytes_append(&packed, "garbage", 7);
        assert_fails(forms[f].name, bytes_slice(&packed), &text, text.len, CODEC_CORRUPT, "7 bytes behind the end");
    }
    bytes_free(&text);
    bytes_free(&packed);
}

static void test_cut(void **state)
{
    struct bytes text = { 0 }, packed = { 0 }, out = { 0 };

    (void)state;
    make_text(&text, 900);
    for (size_t f = 0; f < FILTERS; f++) {
        packed.len = 0;
        pack_filter(&packed, text.at, text.len, filters[f].filter);
        for (size_t len = 0; len < packed.len; len++) {
            struct err err = { 0 };
            int        rc = decode(&out, filters[f].name, (struct slice){ packed.at, len }, 100, &err);

            if (rc == 0 ? filters[f].ends || len < 3 : rc != CODEC_TRUNCATED)
                fail_msg("%s cut at %zu of %zu: %d %s", filters[f].name, len, packed.len, rc, err.text);
            if (out.len > text.len || (out.len && memcmp(out.at, text.at, out.len)))
                fail_msg("%s cut at %zu: %zu bytes that are not the text", filters[f].name, len, out.len);
        }
    }
    bytes_free(&text);
    bytes_free(&packed);
    bytes_free(&out);
}

/* Formats with checksums: a wrong byte in the middle is told, and where the reading was; bytes that came before the
 * checksum may be wrong. */
static void test_damage(void **state)
{
    struct bytes text = { 0 }, packed = { 0 }, out = { 0 };

    (void)state;
    make_text(&text, 4000);
    for (size_t f = 0; f < FILTERS; f++) {
        struct err err = { 0 };

        if (!filters[f].ends) continue;
        packed.len = 0;
        pack_filter(&packed, text.at, text.len, filters[f].filter);
        packed.at[packed.len / 2] ^= 0x55;
        if (decode(&out, filters[f].name, bytes_slice(&packed), 100, &err) != CODEC_CORRUPT ||
            !strstr(err.text, " at compressed byte "))
            fail_msg("%s: %s", filters[f].name, err.text);
    }
    bytes_free(&out);
    bytes_free(&text);
    bytes_free(&packed);
}

/* Several streams one after the other are one text; what follows them and is none is told, after all that they hold. */
static void test_behind_the_end(void **state)
{
    struct bytes text = { 0 }, packed = { 0 };

    (void)state;
    make_text(&text, 5000);
    for (size_t f = 0; f < FILTERS; f++) {
        char   second[16], zeros[5000] = { 0 };
        size_t first, whole;

        if (!filters[f].ends) continue;
        packed.len = 0;
        pack_filter(&packed, text.at, 2000, filters[f].filter);
        first = packed.len;
        pack_filter(&packed, text.at + 2000, 3000, filters[f].filter);
        whole = packed.len;
        assert_decodes(filters[f].name, &packed, &text);

        memcpy(second, packed.at + first, sizeof second);
        for (size_t i = 0; i < 3; i++) {                    /* one wrong byte in the magic of the second stream */
            packed.at[first + i] ^= 0x20;
            assert_fails(filters[f].name, bytes_slice(&packed), &text, 2000, CODEC_CORRUPT, "byte");
            packed.at[first + i] = second[i];
        }
        bytes_append(&packed, "garbage", 7);
        assert_fails(filters[f].name, bytes_slice(&packed), &text, 5000, CODEC_CORRUPT, "byte");
        packed.len = whole;
        bytes_append(&packed, "\n", 1);
        assert_fails(filters[f].name, bytes_slice(&packed), &text, 5000, CODEC_CORRUPT, "byte");
        packed.len = whole;
        bytes_append(&packed, zeros, sizeof zeros);
        if (filters[f].filter == archive_write_add_filter_xz)           /* whose format has them for padding */
            assert_decodes(filters[f].name, &packed, &text);
        else assert_fails(filters[f].name, bytes_slice(&packed), &text, 5000, CODEC_CORRUPT, "byte");
    }
    bytes_free(&text);
    bytes_free(&packed);
}

/* Frames that lz4 skips have a magic in common with those of zstd: what follows them tells whose they are. */
static void test_skipped_frames(void **state)
{
    static const char skipped[] = "\x5A\x2A\x4D\x18\5\0\0\0hello\x50\x2A\x4D\x18\0\0\0\0";
    struct bytes      text = { 0 }, packed = { 0 }, big = { 0 };

    (void)state;
    make_text(&text, 5000);
    bytes_append(&packed, skipped, sizeof skipped - 1);
    pack_filter(&packed, text.at, 2000, archive_write_add_filter_lz4);
    bytes_append(&packed, skipped, sizeof skipped - 1);
    pack_filter(&packed, text.at + 2000, 3000, archive_write_add_filter_lz4);
    assert_decodes("skipped.lz4", &packed, &text);
    bytes_append(&packed, "x", 1);
    assert_fails("skipped.lz4", bytes_slice(&packed), &text, text.len, CODEC_CORRUPT, "bytes behind the end");
    packed.len--;
    bytes_append(&packed, "\x04\x22\x4D\x18\x60\x40\x82\0\0\0\0", 11);
    bytes_append(&packed, skipped, sizeof skipped - 1);     /* the last of all */
    assert_decodes("skipped.lz4", &packed, &text);
    packed.len -= 9;
    assert_fails("skipped.lz4", bytes_slice(&packed), &text, text.len, CODEC_TRUNCATED, "that is skipped");
    packed.len = 0;
    bytes_append(&packed, skipped, sizeof skipped - 1);
    pack_zstd(&packed, text.at, text.len, 3);
    assert_decodes("skipped.zst", &packed, &text);

    /* one that is longer than a read */
    bytes_append(&big, "\x50\x2A\x4D\x18\0\0\x30\0", 8);
    assert_int_equal(bytes_reserve(&big, 8 + (3 << 20)), 0);
    memset(big.at + 8, 'x', 3 << 20);
    big.len = 8 + (3 << 20);
    pack_filter(&big, text.at, text.len, archive_write_add_filter_lz4);
    assert_decodes("big.lz4", &big, &text);
    bytes_free(&text);
    bytes_free(&packed);
    bytes_free(&big);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_whole), cmocka_unit_test(test_empty),
                                        cmocka_unit_test(test_empty_between),
                                        cmocka_unit_test(test_cut), cmocka_unit_test(test_damage),
                                        cmocka_unit_test(test_behind_the_end),
                                        cmocka_unit_test(test_skipped_frames) };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
