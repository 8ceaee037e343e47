/* corpus/codec_gzip: members one after the other with every part that a header may have, padding, cuts and damage, each
 * with its place; headers that lie across two reads. */
#include "tests/unit/corpus/decode.h"

enum { HEADER_CRC = 2, EXTRA = 4, NAME = 8, COMMENT = 16 };

/* A member by RFC 1952 with the parts that flags ask for; its name has name_len bytes. */
static void put_member(struct bytes *out, unsigned flags, size_t name_len, const char *at, size_t len)
{
    size_t   start = out->len, room = len + len / 1000 + 100;
    uint32_t crc = (uint32_t)crc32_z(0, (const Bytef *)at, len), tail[2] = { crc, (uint32_t)len };
    z_stream stream = { 0 };

    assert_int_equal(bytes_reserve(out, out->len + room + name_len + 100), 0);
    bytes_append(out, (char[]){ 0x1F, (char)0x8B, 8, (char)flags, 1, 2, 3, 4, 0, 3 }, 10);
    if (flags & EXTRA) bytes_append(out, "\3\0\0\0\0", 5);  /* zeros end no string here */
    if (flags & NAME) {
        memset(out->at + out->len, 'n', name_len);
        out->at[out->len + name_len] = '\0';
        out->len += name_len + 1;
    }
    if (flags & COMMENT) bytes_append(out, "a comment", 10);
    if (flags & HEADER_CRC) {
        uint32_t sum = (uint32_t)crc32_z(0, (const Bytef *)out->at + start, out->len - start);

        bytes_append(out, &sum, 2);
    }
    assert_int_equal(deflateInit2(&stream, len < 400000 ? 6 : 0, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = (Bytef *)(uintptr_t)at;
    stream.avail_in = (uInt)len;
    stream.next_out = (Bytef *)out->at + out->len;
    stream.avail_out = (uInt)room;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    out->len += stream.total_out;
    deflateEnd(&stream);
    assert_int_equal(bytes_append(out, tail, 8), 0);
}

static void test_members(void **state)
{
    static const size_t lengths[] = { 0, 1, 5000, 300000 };
    struct bytes        text = { 0 }, packed = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        make_text(&text, lengths[i]);
        packed.len = 0;
        put_member(&packed, 0, 0, text.at, text.len);
        assert_decodes("one", &packed, &text);
        for (int zeros = 0; zeros < 700; zeros++) bytes_append(&packed, "", 1);
        assert_decodes("padded", &packed, &text);
    }
    make_text(&text, 1000);
    packed.len = 0;
    for (unsigned flags = 0; flags < 32; flags++)           /* bit 1, FTEXT, says nothing to us */
        put_member(&packed, flags, 4, text.at + flags * 30, flags < 31 ? 30 : 70);
    assert_decodes("many", &packed, &text);
    packed.len = 0;
    pack_gzip(&packed, text.at, text.len, true);            /* zlib's own, with 300 bytes of extra */
    assert_decodes("rich", &packed, &text);
    bytes_free(&text);
    bytes_free(&packed);
}

/* A second member whose header lies around the end of the input's buffer, at every place. */
static void test_across_reads(void **state)
{
    struct bytes noise = { 0 }, text = { 0 }, packed = { 0 };
    size_t       len, least;

    (void)state;
    assert_int_equal(bytes_reserve(&text, 2 << 20), 0);
    for (len = 0; len < INPUT_BUFFER_BYTES - 3000; len++) text.at[len] = (char)draw(&random_state);
    make_text(&noise, 500);
    memcpy(text.at + len, noise.at, 500);
    text.len = len + 500;
    put_member(&packed, NAME, 1, text.at, len);
    least = packed.len - 1;
    assert_in_range(least, INPUT_BUFFER_BYTES - 3000, INPUT_BUFFER_BYTES - 100);
    for (size_t at = INPUT_BUFFER_BYTES - 45; at < INPUT_BUFFER_BYTES + 12; at++) {
        struct bytes out = { 0 };
        struct err   err = { 0 };

        packed.len = 0;
        put_member(&packed, NAME, at - least, text.at, len);
        assert_int_equal(packed.len, at);
        put_member(&packed, HEADER_CRC | EXTRA | NAME | COMMENT, 5, text.at + len, 500);
        if (decode(&out, "a", bytes_slice(&packed), 4 << 20, &err) < 0) fail_msg("at %zu: %s", at, err.text);
        assert_int_equal(out.len, text.len);
        assert_memory_equal(out.at, text.at, out.len);
        bytes_free(&out);
    }
    bytes_free(&noise);
    bytes_free(&text);
    bytes_free(&packed);
}

static void test_cut(void **state)
{
    struct bytes text = { 0 }, packed = { 0 };
    size_t       border;
    char         says[80];

    (void)state;
    make_text(&text, 700);
    put_member(&packed, HEADER_CRC | EXTRA | NAME | COMMENT, 5, text.at, 300);
    border = packed.len;
    put_member(&packed, 0, 0, text.at + 300, 400);
    for (size_t len = 0; len < packed.len; len++) {
        struct bytes first = { text.at, 300, text.room }, part = { packed.at, len, packed.room };

        if (len) snprintf(says, sizeof says, "gzip: the file ends inside a member at compressed byte %zu", len);
        else strcpy(says, "gzip: the file ends before a member at compressed byte 0");
        if (len == border) assert_decodes("a.gz", &part, &first);
        else assert_fails("a.gz", bytes_slice(&part), &text, len >= border - 8 ? 300 : 0, CODEC_TRUNCATED, says);
    }
    bytes_free(&text);
    bytes_free(&packed);
}

static void test_damage(void **state)
{
    enum { HEAD = 10 + 5 + 6 + 10 + 2 };
    static const struct { long at; unsigned char flip; const char *says; } damage[] = {
        { 3, 0x20, "gzip: no gzip member at compressed byte 10" },              /* a flag that nobody knows */
        { 1, 1, "gzip: bytes that are no gzip member" },
        { 4, 1, "gzip: a header's checksum is wrong at compressed byte 33" },   /* the time */
        { 17, 1, "gzip: a header's checksum is wrong at compressed byte 33" },  /* the name */
        { HEAD - 1, 1, "gzip: a header's checksum is wrong at compressed byte 33" },
        { HEAD, 2, "gzip: broken deflate data" },           /* a block type that is none */
        { -8, 1, "gzip: a member's checksum is wrong" }, { -5, 1, "gzip: a member's checksum is wrong" },
        { -4, 1, "gzip: a member's length is wrong" },   { -1, 1, "gzip: a member's length is wrong" },
    };
    struct bytes text = { 0 }, packed = { 0 };

    (void)state;
    make_text(&text, 5000);
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        size_t first, at;

        packed.len = 0;
        put_member(&packed, 0, 0, text.at, 3000);
        first = packed.len;
        put_member(&packed, HEADER_CRC | EXTRA | NAME | COMMENT, 5, text.at + 3000, 2000);
        at = damage[i].at < 0 ? packed.len - (size_t)-damage[i].at : first + (size_t)damage[i].at;
        /* The header's places are said from the file's start; here the first member is cut away. */
        packed.at[at] ^= (char)damage[i].flip;
        if (damage[i].at == 1)
            assert_fails("a", bytes_slice(&packed), &text, 3000, CODEC_CORRUPT, "gzip: no gzip member");
        else if (damage[i].at < 0 || damage[i].at == HEAD)
            assert_fails("a", bytes_slice(&packed), &text, damage[i].at < 0 ? 5000 : 3000, CODEC_CORRUPT,
                         damage[i].says);
        else {
            struct bytes second = { text.at + 3000, 2000, 2000 };

            assert_fails("a", (struct slice){ packed.at + first, packed.len - first }, &second, 0, CODEC_CORRUPT,
                         damage[i].says);
            assert_fails("a", bytes_slice(&packed), &text, 3000, CODEC_CORRUPT, "gzip: ");
        }
    }
    packed.len = 0;
    put_member(&packed, 0, 0, text.at, 5000);
    bytes_append(&packed, "x", 1);
    assert_fails("a", bytes_slice(&packed), &text, 5000, CODEC_CORRUPT, "gzip: bytes that are no gzip member");
    packed.at[packed.len - 1] = '\0';                       /* padding, and a member behind it */
    put_member(&packed, 0, 0, text.at, 5000);
    assert_fails("a", bytes_slice(&packed), &text, 5000, CODEC_CORRUPT, "gzip: bytes that are no gzip member");
    bytes_free(&text);
    bytes_free(&packed);
}

/* Zeros behind the end are padding as far as a block of a tape goes; more are a hole. */
static void test_hole(void **state)
{
    struct bytes text = { 0 }, packed = { 0 };

    (void)state;
    make_text(&text, 1000);
    pack_gzip(&packed, text.at, text.len, false);
    assert_int_equal(bytes_reserve(&packed, packed.len + CODEC_PADDING_MAX + 1), 0);
    memset(packed.at + packed.len, 0, CODEC_PADDING_MAX + 1);
    packed.len += CODEC_PADDING_MAX;
    assert_decodes("padded.gz", &packed, &text);
    packed.len++;
    assert_fails("hole.gz", bytes_slice(&packed), &text, text.len, CODEC_CORRUPT, "zeros instead of a member");
    bytes_free(&text);
    bytes_free(&packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_members), cmocka_unit_test(test_across_reads),
                                        cmocka_unit_test(test_cut), cmocka_unit_test(test_damage),
                                        cmocka_unit_test(test_hole) };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
