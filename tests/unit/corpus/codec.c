/* corpus/codec: which codec a file has is told by its first bytes, of a stump by its name too; plain files come as they
 * are. */
#include "tests/unit/corpus/decode.h"

#include <errno.h>

static void open_bytes(struct input *input, struct codec *codec, const char *name, struct slice content)
{
    static char path[256];
    struct err  err = { 0 };

    snprintf(path, sizeof path, "%s/%s", folder, name);
    write_file(path, content.at, content.len);
    assert_int_equal(input_open(input, path, &err), 0);
    assert_int_equal(codec_open(codec, input, &err), 0);
}

static void test_kinds(void **state)
{
    static const struct {
        const char *name;
        struct slice start;
        const struct codec_kind *kind;                      /* NULL: plain */
        const char *suffix;
    } file[] = {
        { "a", { "\x28\xB5\x2F\xFD", 4 }, &codec_zstd, ".zst" },
        { "a", { "\x50\x2A\x4D\x18", 4 }, &codec_zstd, ".zst" },
        { "a", { "\x5F\x2A\x4D\x18", 4 }, &codec_zstd, ".zst" },
        { "a", { "\x60\x2A\x4D\x18", 4 }, NULL, "" },
        { "a", { "\x28\xB5\x2F\xFC", 4 }, NULL, "" },
        { "a", { "\x1F\x8B\x08\x00", 4 }, &codec_gzip, ".gz" },
        { "a", { "\x1F\x8B\x07\x00", 4 }, NULL, "" },
        { "a", { "\xFD" "7zXZ\0..", 8 }, &codec_xz, ".xz" },
        { "a", { "\xFD" "7zXZ.", 6 }, NULL, "" },
        { "a", { "LZIP\1", 5 }, &codec_filter, ".lz" },
        { "a", { "LZIP\2", 5 }, NULL, "" },
        { "a", { "\x04\x22\x4D\x18", 4 }, &codec_filter, ".lz4" },
        { "a", { "\x02\x21\x4C\x18", 4 }, &codec_filter, ".lz4" },
        { "a", { "\x50\x2A\x4D\x18\1\0\0\0x\x04\x22\x4D\x18", 13 }, &codec_filter, ".lz4" },
        { "a", { "\x50\x2A\x4D\x18\1\0\0\0x\x28\xB5\x2F\xFD", 13 }, &codec_zstd, ".zst" },
        { "a.lzma", { "\x5D\0\0\x80\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0", 14 }, &codec_xz, ".lzma" },
        { "a", { "\x5D\0\0\x80\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0", 14 }, NULL, "" },
        { "a.lzma", { "int main(void)", 14 }, NULL, "" },
        { "a", { "\x1F\x9D", 2 }, &codec_filter, ".Z" },
        { "a", { "BZh9\x31\x41\x59\x26\x53\x59", 10 }, &codec_bzip2, ".bz2" },
        { "a", { "BZh1\x17\x72\x45\x38\x50\x90", 10 }, &codec_bzip2, ".bz2" },
        { "a", { "BZh0\x31\x41\x59\x26\x53\x59", 10 }, NULL, "" },
        { "a", { "BZh9 is no bzip2", 16 }, NULL, "" },
        { "a.bz2", { "BZh9 is no bzip2", 16 }, NULL, "" },
        { "a", { "", 0 }, NULL, "" },
        { "a.txt", { "text", 4 }, NULL, "" },
        /* Stumps: too short for the magic, so that the name decides. */
        { "a", { "\x28\xB5\x2F", 3 }, NULL, "" },
        { "a.zst", { "\x28\xB5\x2F", 3 }, &codec_zstd, ".zst" },
        { "a.zst", { "", 0 }, &codec_zstd, ".zst" },
        { "a.zst", { "\x28\xB5\x30", 3 }, NULL, "" },
        { "a.gz", { "\x1F", 1 }, &codec_gzip, ".gz" },
        { "a.xz", { "\xFD" "7z", 3 }, &codec_xz, ".xz" },
        { "a.bz2", { "BZ", 2 }, &codec_bzip2, ".bz2" },
        { "a.bz2", { "BZh9\x31", 5 }, &codec_bzip2, ".bz2" },
        { "a.bz2", { "BZx", 3 }, NULL, "" },
        { "a.lz4", { "\x04", 1 }, &codec_filter, ".lz4" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        struct input input;
        struct codec codec;
        char         out[20];
        struct err   err = { 0 };

        open_bytes(&input, &codec, file[i].name, file[i].start);
        if (strcmp(codec.suffix, file[i].suffix)) fail_msg("file %zu: %s", i, codec.suffix);
        if (file[i].kind) assert_ptr_equal(codec.kind, file[i].kind);
        assert_int_equal(input_taken(&input), 0);           /* the bytes stay in the input */
        if (!file[i].kind) {
            assert_int_equal(codec_read(&codec, out, sizeof out, &err), file[i].start.len);
            assert_memory_equal(out, file[i].start.at, file[i].start.len);
            assert_int_equal(codec_read(&codec, out, sizeof out, &err), 0);
        }
        codec_close(&codec);
        assert_null(codec.kind);
        codec_close(&codec);
        input_close(&input);
    }
    codec_close(&(struct codec){ 0 });
}

static void test_plain(void **state)
{
    struct bytes text = { 0 };

    (void)state;
    assert_decodes("empty", &text, &text);
    make_text(&text, (2 << 20) + 77);                       /* more than the input's buffer */
    assert_decodes("plain", &text, &text);
    bytes_free(&text);
}

/* A file that cannot be read on is no damage: the text says which and where, through every codec. */
static void test_unreadable(void **state)
{
    struct bytes text = { 0 }, packed = { 0 };
    uint64_t     random = 5;

    (void)state;
    assert_int_equal(bytes_reserve(&text, 3 << 20), 0);
    for (text.len = 0; text.len < 3 << 20; text.len++) text.at[text.len] = (char)draw(&random);
    for (int form = 0; form < 4; form++) {
        struct input input;
        struct codec codec;
        struct err   err = { 0 };
        char         out[65536];
        ssize_t      got = 1;

        packed.len = 0;
        if (form == 0) pack_zstd(&packed, text.at, text.len, 1);
        if (form == 1) pack_gzip(&packed, text.at, text.len, false);
        if (form == 2) pack_filter(&packed, text.at, text.len, archive_write_add_filter_lz4);
        if (form == 3) bytes_append_slice(&packed, bytes_slice(&text));
        open_bytes(&input, &codec, "a", bytes_slice(&packed));
        close(input.fd);                                    /* after its first megabyte */
        while (got > 0) got = codec_read(&codec, out, sizeof out, &err);
        assert_int_equal(got, -EIO);
        if (!strstr(err.text, "/a: read failed at byte 1048576: ")) fail_msg("form %d: %s", form, err.text);
        input.fd = open("/dev/null", O_RDONLY);
        codec_close(&codec);
        input_close(&input);
    }
    bytes_free(&text);
    bytes_free(&packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_kinds), cmocka_unit_test(test_plain),
                                        cmocka_unit_test(test_unreadable) };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
