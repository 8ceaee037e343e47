/* corpus/frames: what frames a file has, and how long they are, by libzstd's own account; what is none, is cut at every
 * byte, lies, or is too much. */
#include "corpus/frames.h"

#include "tests/unit/corpus/shards.h"

static struct frame_limits limits = { 1 << 30, 1ull << 40, 1000 };

static struct frame *frames;                                /* what was found last, owned */
static size_t        found;

static int walk(const struct bytes *packed, struct err *err)
{
    struct input input;
    char         path[256];
    int          rc;

    write_shard("frames.zst", packed->at, packed->len);
    snprintf(path, sizeof path, "%s", path_of("frames.zst"));
    assert_int_equal(input_open(&input, path, err), 0);
    free(frames);
    rc = frames_find(&input, &limits, &frames, &found, err);
    assert_int_equal(rc > 0, found > 0);
    assert_int_equal(found > 0, frames != NULL);
    assert_int_equal(input_taken(&input), 0);
    input_close(&input);
    return rc;
}

/* Measures what was found last: 1, 0. */
static int measure(void)
{
    struct input input;
    struct err   err = { 0 };
    char         path[256];
    int          rc;

    snprintf(path, sizeof path, "%s", path_of("frames.zst"));
    assert_int_equal(input_open(&input, path, &err), 0);
    rc = frames_measure(&input, frames, found, &err);
    assert_int_equal(err.code, 0);
    input_close(&input);
    return rc;
}

/* A frame of text that packs, of one byte over and over, or of noise. */
static void put_frame(struct bytes *out, size_t len, bool length)
{
    struct bytes   text = { 0 };
    const uint32_t kind = random_below(3);

    for (size_t i = 0; i < len; i++) {
        const char byte = (char)(kind == 0 ? 'x' : kind == 1 ? "abcd"[random_below(4)] : (char)random_below(256));

        assert_int_equal(bytes_append(&text, &byte, 1), 0);
    }
    pack_frame(out, text.at, len, 1 + (int)random_below(5), length);
    bytes_free(&text);
}

static void put_skipped(struct bytes *out, unsigned char kind, unsigned char len)
{
    const unsigned char head[] = { 0x50 | kind, 0x2A, 0x4D, 0x18, len, 0, 0, 0 };

    bytes_append(out, head, sizeof head);
    for (unsigned char i = 0; i < len; i++) bytes_append(out, "\x28", 1);
}

/* By libzstd's own account; measured: what headers do not tell was found otherwise. */
static void assert_frames(const struct bytes *packed, bool measured)
{
    static char text[1 << 20];
    size_t      n = 0;

    for (size_t at = 0, bytes; at < packed->len; at += bytes) {
        bytes = ZSTD_findFrameCompressedSize(packed->at + at, packed->len - at);
        assert_false(ZSTD_isError(bytes));
        if ((packed->at[at] & 0xF0) == 0x50) continue;
        const uint64_t told = ZSTD_getFrameContentSize(packed->at + at, packed->len - at),
                       is = ZSTD_decompress(text, sizeof text, packed->at + at, bytes);

        if (!told) continue;
        assert_true(n < found);
        assert_int_equal(frames[n].file, at);
        assert_true(frames[n].bytes == (told != ZSTD_CONTENTSIZE_UNKNOWN || measured ? is : FRAME_UNMEASURED));
        n++;
    }
    assert_int_equal(found, n);
}

static void test_walk(void **state)
{
    static const size_t lengths[] = { 0, 1, 255, 256, 257, 65535, 65536 + 255, 65536 + 256, 300000 };
    struct bytes        packed = { 0 };
    struct err          err = { 0 };

    (void)state;
    assert_int_equal(walk(&packed, &err), 0);               /* nothing is no frames */
    for (int round = 0; round < 60; round++) {
        packed.len = 0;
        put_frame(&packed, 1, true);
        for (uint32_t i = 1 + random_below(6); i > 0; i--) {
            put_frame(&packed, lengths[random_below(sizeof lengths / sizeof *lengths)], random_below(2));
            if (random_below(3) == 0) put_skipped(&packed, (unsigned char)random_below(16),
                                                  (unsigned char)random_below(200));
        }
        assert_int_equal(walk(&packed, &err), 1);
        assert_frames(&packed, false);
        assert_int_equal(measure(), 1);
        assert_frames(&packed, true);
    }
    packed.at[packed.len - 1] ^= 1;
    put_frame(&packed, 1000, false);
    packed.at[packed.len - 1] ^= 1;                         /* its checksum, at the latest */
    assert_int_equal(walk(&packed, &err), 1);
    assert_int_equal(measure(), 0);
    bytes_free(&packed);
}

/* Whatever a header says: no more than its blocks can hold. */
static void test_lies(void **state)
{
    static const unsigned char head[] = { 0x28, 0xB5, 0x2F, 0xFD, 0xE0 },
                               block[] = { 0x03, 0x35, 0x0C, 'x' };        /* 100,000 times */
    struct bytes               packed = { 0 };
    struct err                 err = { 0 };

    (void)state;
    for (unsigned bit = 0; bit < 64; bit++) {
        const uint64_t length = 1ull << bit;

        packed.len = 0;
        bytes_append(&packed, head, sizeof head);
        bytes_append(&packed, &length, sizeof length);
        bytes_append(&packed, block, sizeof block);
        assert_int_equal(walk(&packed, &err), length <= 100000);
        if (found) assert_true(frames[0].bytes == length && measure() == 0);
    }
    bytes_free(&packed);
}

static void test_limits(void **state)
{
    struct bytes packed = { 0 }, text = { 0 };
    struct err   err = { 0 };

    (void)state;
    assert_int_equal(bytes_reserve(&text, 1 << 20), 0);
    memset(text.at, 'x', 1 << 20);
    for (int i = 0; i < 4; i++) pack_frame(&packed, text.at, 1 << 20, 1, i % 2);
    assert_int_equal(walk(&packed, &err), 1);
    limits.most = (1 << 20) - 1;
    assert_int_equal(walk(&packed, &err), 0);
    limits.most = 1 << 20;
    assert_int_equal(walk(&packed, &err), 1);
    limits.free = (4 << 20) - 1;                            /* that it is above 1000 times the file matters now */
    assert_int_equal(walk(&packed, &err), 0);
    limits.max_ratio = 1 << 20;
    assert_int_equal(walk(&packed, &err), 1);
    limits = (struct frame_limits){ 1 << 30, 1ull << 40, 1000 };
    bytes_free(&packed);
    bytes_free(&text);
}

/* Thousands of frames of next to nothing, skipped or not, are none; a few are. */
static void test_small(void **state)
{
    struct bytes packed = { 0 }, frame = { 0 };
    struct err   err = { 0 };

    (void)state;
    put_frame(&frame, 1, true);
    for (int skipped = 0; skipped < 2; skipped++) {
        packed.len = 0;
        for (int i = 0; i < 4095; i++) {
            if (skipped) put_skipped(&packed, 0, 0);
            else bytes_append_slice(&packed, bytes_slice(&frame));
        }
        bytes_append_slice(&packed, bytes_slice(&frame));
        assert_int_equal(walk(&packed, &err), 1);
        assert_int_equal(found, skipped ? 1 : 4096);
        bytes_append_slice(&packed, bytes_slice(&frame));
        assert_int_equal(walk(&packed, &err), 0);
    }
    bytes_free(&packed);
    bytes_free(&frame);
}

/* A frame of so many raw blocks of `bytes` each, and an empty last one. */
static void put_blocks(struct bytes *out, size_t blocks, size_t bytes)
{
    static const unsigned char head[] = { 0x28, 0xB5, 0x2F, 0xFD, 0, 0x58 };        /* a window of 2 MB, no length */
    char                       block[3 + 4096] = { (char)(bytes << 3), (char)(bytes >> 5), (char)(bytes >> 13) };

    bytes_append(out, head, sizeof head);
    for (size_t i = 0; i < blocks; i++) assert_int_equal(bytes_append(out, block, 3 + bytes), 0);
    bytes_append(out, "\1\0", 3);
}

/* Many blocks of next to nothing are not walked; many of a usual size, and a few of no matter what, are. */
static void test_blocks(void **state)
{
    static const struct { size_t blocks, bytes; int walked; } cases[] = { { 60000, 0, 1 }, { 70000, 0, 0 },
                                                                          { 70000, 1000, 1 }, { 3000000, 0, 0 } };
    struct err err = { 0 };

    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct bytes packed = { 0 };

        put_frame(&packed, 1000, true);
        put_blocks(&packed, cases[c].blocks, cases[c].bytes);
        put_frame(&packed, 1000, true);
        assert_int_equal(walk(&packed, &err), cases[c].walked);
        assert_int_equal(found, cases[c].walked ? 3 : 0);
        if (cases[c].walked) {
            assert_int_equal(measure(), 1);
            assert_int_equal(frames[1].bytes, cases[c].blocks * cases[c].bytes);
        }
        bytes_free(&packed);
    }
}

/* Anything but whole frames. */
static void test_others(void **state)
{
    struct bytes packed = { 0 }, part = { 0 };
    struct err   err = { 0 };
    size_t       first;

    (void)state;
    put_frame(&packed, 100, true);
    first = packed.len;
    put_skipped(&packed, 3, 5);
    put_frame(&packed, 400, false);
    for (size_t len = 1; len <= packed.len; len++) {
        part.len = 0;
        bytes_append(&part, packed.at, len);
        assert_int_equal(walk(&part, &err), len == first || len == first + 13 || len == packed.len);
    }
    bytes_append(&part, "\0", 1);
    assert_int_equal(walk(&part, &err), 0);
    bytes_append(&part, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20);
    assert_int_equal(walk(&part, &err), 0);

    part.len = 0;
    bytes_append(&part, "\x28\xB5\x2F\xFD\x21\7\2\x11\0\0hi", 12);      /* one of dictionary 7 */
    assert_int_equal(walk(&part, &err), 0);
    part.len = 0;
    bytes_append(&part, "\x28\xB5\x2F\xFD\x20\2\x17\0\0hi", 11);        /* a block of the type that is none */
    assert_int_equal(walk(&part, &err), 0);
    assert_int_equal(err.code, 0);
    bytes_free(&packed);
    bytes_free(&part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walk), cmocka_unit_test(test_lies), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_small), cmocka_unit_test(test_blocks), cmocka_unit_test(test_others),
    };
    const int failed = cmocka_run_group_tests(tests, make_folder, remove_folder);

    free(frames);
    return failed;
}
