/* corpus/codec_zstd: frames one after the other, cut and damaged ones, windows up to 2 GB. */
#include "tests/unit/corpus/decode.h"

/* A frame of one raw block with the given window and no length in its header. */
static void put_frame(struct bytes *out, unsigned window_log, const char *text)
{
    const unsigned char head[] = { 0x28, 0xB5, 0x2F, 0xFD, 0x00, (unsigned char)((window_log - 10) << 3),
                                   (unsigned char)(strlen(text) << 3 | 1), 0, 0 };

    assert_int_equal(bytes_append(out, head, sizeof head), 0);
    assert_int_equal(bytes_append(out, text, strlen(text)), 0);
}

static void test_frames(void **state)
{
    static const size_t lengths[] = { 0, 1, 1000, 300000 };
    struct bytes        text = { 0 }, packed = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        make_text(&text, lengths[i]);
        packed.len = 0;
        pack_zstd(&packed, text.at, text.len, 3);
        assert_decodes("one", &packed, &text);
    }
    make_text(&text, 300000);                               /* frames, one of them empty, and skippable ones around */
    packed.len = 0;
    bytes_append(&packed, "\x51\x2A\x4D\x18\3\0\0\0abc", 11);
    pack_zstd(&packed, text.at, 100000, 1);
    pack_zstd(&packed, text.at, 0, 1);
    bytes_append(&packed, "\x5F\x2A\x4D\x18\0\0\0\0", 8);
    pack_zstd(&packed, text.at + 100000, 200000, 19);
    bytes_append(&packed, "\x50\x2A\x4D\x18\1\0\0\0x", 9);
    assert_decodes("many", &packed, &text);
    bytes_free(&text);
    bytes_free(&packed);
}

static void test_windows(void **state)
{
    struct bytes packed = { 0 }, text = { 0 };

    (void)state;
    assert_int_equal(bytes_append(&text, "hello", 5), 0);
    for (unsigned log = 10; log <= 31; log += 7) {          /* 31: as `zstd --long=31` packs */
        packed.len = 0;
        put_frame(&packed, log, "hello");
        assert_decodes("window", &packed, &text);
    }
    packed.len = 0;
    put_frame(&packed, 32, "hello");
    assert_fails("window", bytes_slice(&packed), &text, 0, CODEC_CORRUPT, "zstd: ");
    bytes_free(&packed);
    bytes_free(&text);
}

/* Cut at every byte: whole frames, or what was decoded so far and that the file ends. */
static void test_cut(void **state)
{
    struct bytes text = { 0 }, packed = { 0 };
    size_t       border;
    char         says[80];

    (void)state;
    make_text(&text, 700);
    pack_zstd(&packed, text.at, 300, 3);
    border = packed.len;
    pack_zstd(&packed, text.at + 300, 400, 3);
    for (size_t len = 0; len < packed.len; len++) {
        snprintf(says, sizeof says, "zstd: the file ends inside a frame at compressed byte %zu", len);
        if (len == border) {
            struct bytes first = { text.at, 300, text.room }, part = { packed.at, len, packed.room };

            assert_decodes("a.zst", &part, &first);
        } else
            assert_fails("a.zst", (struct slice){ packed.at, len }, &text, len > border ? 300 : 0, CODEC_TRUNCATED,
                         says);
    }
    bytes_free(&text);
    bytes_free(&packed);
}

/* Any byte of a frame with a checksum wrong; what follows a frame and is none. */
static void test_damage(void **state)
{
    struct bytes text = { 0 }, packed = { 0 }, out = { 0 };
    size_t       first;
    struct err   err;

    (void)state;
    make_text(&text, 200000 + 400);
    pack_zstd(&packed, text.at, 200000, 3);
    first = packed.len;
    pack_zstd(&packed, text.at + 200000, 400, 3);
    for (size_t i = first + 5; i < packed.len; i++) {       /* behind the magic and flags that say nothing */
        packed.at[i] ^= 0x10;
        err = (struct err){ 0 };
        if (decode(&out, "a", bytes_slice(&packed), 65536, &err) == 0) fail_msg("byte %zu is not missed", i);
        if (err.code == CODEC_CORRUPT) assert_non_null(strstr(err.text, " after compressed byte "));
        else assert_int_equal(err.code, CODEC_TRUNCATED);
        if (out.len < 200000 || out.len > text.len) fail_msg("byte %zu: %zu decoded", i, out.len);
        packed.at[i] ^= 0x10;
    }
    packed.at[first - 1] ^= 1;                              /* the first frame's checksum: its blocks come first */
    assert_fails("a", bytes_slice(&packed), &text, 128 << 10, CODEC_CORRUPT, "zstd: ");
    packed.at[first - 1] ^= 1;
    bytes_append(&packed, "garbage", 7);
    assert_fails("a", bytes_slice(&packed), &text, text.len, CODEC_CORRUPT, "zstd: ");
    bytes_free(&text);
    bytes_free(&packed);
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_frames), cmocka_unit_test(test_windows),
                                        cmocka_unit_test(test_cut), cmocka_unit_test(test_damage) };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
