/* corpus/parquet_codec: every compression of pages: whole, of another length, damaged; snappy against a plain
 * decoder. */
#include "corpus/parquet_codec.h"
#include "corpus/parquet_footer.h"
#include "tests/unit/corpus/pack.h"
#include "tests/unit/corpus/parquet_put.h"
#include "tests/unit/draw.h"

#include <stdio.h>

static uint64_t random_state;

static uint32_t below(uint32_t n) { return (uint32_t)(draw(&random_state) % n); }

/* Snappy byte by byte, as its description says: what the fast one is held against. */
static bool plain_snappy(struct slice packed, struct bytes *out)
{
    const unsigned char *at = (const unsigned char *)packed.at, *end = at + packed.len;
    uint64_t             told = 0;

    out->len = 0;
    for (unsigned shift = 0; ; shift += 7) {
        if (at == end || shift > 28) return false;
        told |= (uint64_t)(*at & 0x7F) << shift;
        if (!(*at++ & 0x80)) break;
    }
    while (at < end) {
        unsigned tag = *at++, kind = tag & 3, extra = kind == 0 ? (tag >> 2 < 60 ? 0 : (tag >> 2) - 59) : kind == 3 ? 4
            : kind;
        uint64_t number = 0, length = (tag >> 2) + 1;

        if ((size_t)(end - at) < extra) return false;
        for (unsigned i = 0; i < extra; i++) number |= (uint64_t)*at++ << 8 * i;
        if (kind == 1) number |= (uint64_t)(tag >> 5) << 8, length = (tag >> 2 & 7) + 4;
        if (kind == 0 && extra) length = number + 1;
        if (length > told - out->len || (kind == 0 ? length > (size_t)(end - at) : !number || number > out->len))
            return false;
        for (; length; length--) put_byte(out, kind == 0 ? *at++ : (unsigned char)out->at[out->len - number]);
    }
    return out->len == told;
}

/* Random tags, sensible and not, in buffers that end with their pad. */
static void test_snappy(void **state)
{
    struct parquet_unpacker unpacker = { 0 };
    struct bytes            packed = { 0 }, want = { 0 };
    struct err              err = { 0 };
    unsigned                good = 0, bad = 0;

    (void)state;
    for (unsigned round = 0; round < 20000; round++) {
        size_t   length = below(400), left = length, done = 0;
        unsigned wrong = below(4);                   /* one in four: a byte is changed */
        char    *in, *out;
        bool     fine;

        packed.len = 0;
        put_varint(&packed, length);
        while (left) {
            unsigned kind = done ? below(4) : 0;
            size_t   most = left < 64 ? left : 64, n = kind == 1 ? (most < 11 ? most : 11) : most, offset = 0;

            if (kind == 1 && n < 4) kind = 2;
            n = kind == 1 ? 4 + below((uint32_t)n - 3) : 1 + below((uint32_t)n);
            if (kind) offset = 1 + below((uint32_t)(below(2) && done > 20 ? 20 : done));
            if (kind == 0 && n > 60) put_byte(&packed, 60 << 2), put_byte(&packed, (unsigned)n - 1);
            else if (kind == 0) put_byte(&packed, (unsigned)(n - 1) << 2);
            else if (kind == 1)
                put_byte(&packed, (unsigned)(offset >> 8) << 5 | (unsigned)(n - 4) << 2 | 1),
                    put_byte(&packed, offset & 0xFF);
            else
                put_byte(&packed, (unsigned)(n - 1) << 2 | kind),
                    put(&packed, &(uint32_t){ (uint32_t)offset }, kind == 2 ? 2 : 4);
            for (size_t i = 0; kind == 0 && i < n; i++) put_byte(&packed, below(256));
            done += n;
            left -= n;
        }
        if (!wrong && packed.len > 2) packed.at[2 + below((uint32_t)packed.len - 2)] = (char)below(256);
        fine = plain_snappy(bytes_slice(&packed), &want);
        in = malloc(packed.len + BYTES_PAD);
        out = malloc(length + BYTES_PAD);
        assert_true(in && out);
        memcpy(in, packed.at, packed.len);
        memset(in + packed.len, 0x55, BYTES_PAD);
        if ((parquet_unpack(&unpacker, PARQUET_SNAPPY, in, packed.len, out, length, &err) == 0) != fine)
            fail_msg("round %u", round);
        if (fine) assert_memory_equal(out, want.at, length);
        good += fine;
        bad += !fine;
        free(in);
        free(out);
    }
    assert_true(good > 10000 && bad > 1000);
    bytes_free(&packed);
    bytes_free(&want);
}

/* What the fixtures' small pages do not have: long literals, far and overlapping copies, several gzip members. */
static void test_codecs(void **state)
{
    static const struct { struct slice packed; const char *text; size_t repeat; } snappy[] = {
        { { "\0", 1 }, "", 1 },
        { { "\4\x0C" "abcd", 6 }, "abcd", 1 },
        { { "\x0A\0a\x15\1", 5 }, "a", 10 },                /* a copy of 9 bytes from 1 back */
        { { "\x0C\x08" "abc\x22\3\0", 8 }, "abc", 4 },
        { { "\x0C\x08" "abc\x23\3\0\0\0", 10 }, "abc", 4 },
        { { "\3\xF0\2" "abc", 6 }, "abc", 1 },
    };
    static const struct slice broken[] = {
        { "", 0 }, { "\x80", 1 }, { "\xFF\xFF\xFF\xFF\xFF\xFF", 6 }, { "\5\x0C" "abcd", 6 }, { "\3\x0C" "abcd", 6 },
        { "\4\x0C" "abc", 5 },
        { "\4\x01\0", 3 }, { "\5\0a\1\2", 5 }, { "\5\0a\1", 4 }, { "\5\0a\1\0", 5 }, { "\4\xFC\xFF\xFF\xFF\xFF", 6 },
        { "\4\xF8\xFF", 3 },
    };
    struct parquet_unpacker unpacker = { 0 };
    struct bytes            text = { 0 }, out = { 0 }, packed = { 0 };
    struct err              err = { 0 };

    (void)state;
    assert_int_equal(bytes_reserve(&out, 1 << 16) + bytes_reserve(&packed, 1 << 16), 0);
    for (size_t i = 0; i < sizeof snappy / sizeof *snappy; i++) {
        text.len = packed.len = 0;
        for (size_t r = 0; r < snappy[i].repeat; r++) put(&text, snappy[i].text, strlen(snappy[i].text));
        put(&packed, snappy[i].packed.at, snappy[i].packed.len);
        if (parquet_unpack(&unpacker, PARQUET_SNAPPY, packed.at, packed.len, out.at, text.len, &err) < 0)
            fail_msg("%zu: %s", i, err.text);
        assert_memory_equal(out.at, text.at ? text.at : "", text.len);
    }
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        packed.len = 0;
        put(&packed, broken[i].at, broken[i].len);
        if (parquet_unpack(&unpacker, PARQUET_SNAPPY, packed.at, packed.len, out.at, broken[i].len &&
                           *broken[i].at == '\5' ? 5 : 4, &err) != PARQUET_CORRUPT)
            fail_msg("%zu was unpacked", i);
    }
    packed.len = text.len = 0;
    for (unsigned member = 0; member < 3; member++) {
        z_stream stream = { 0 };
        size_t   from = text.len;

        for (unsigned i = 0; i < 1000; i++) put_byte(&text, 'a' + below(20));
        assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
        stream.next_in = (Bytef *)text.at + from;
        stream.avail_in = (uInt)(text.len - from);
        stream.next_out = (Bytef *)packed.at + packed.len;
        stream.avail_out = 1 << 14;
        assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
        packed.len += stream.total_out;
        deflateEnd(&stream);
    }
    if (parquet_unpack(&unpacker, PARQUET_GZIP, packed.at, packed.len, out.at, text.len, &err) < 0)
        fail_msg("%s", err.text);
    assert_memory_equal(out.at, text.at, text.len);
    assert_int_equal(parquet_unpack(&unpacker, PARQUET_GZIP, packed.at, packed.len, out.at, text.len - 1, &err),
                     PARQUET_CORRUPT);
    assert_int_equal(parquet_unpack(&unpacker, PARQUET_GZIP, packed.at, packed.len, out.at, text.len + 1, &err),
                     PARQUET_CORRUPT);
    assert_int_equal(parquet_unpack(&unpacker, PARQUET_GZIP, packed.at, packed.len - 1, out.at, text.len, &err),
                     PARQUET_CORRUPT);
    packed.at[packed.len - 5] ^= 1;
    assert_int_equal(parquet_unpack(&unpacker, PARQUET_GZIP, packed.at, packed.len, out.at, text.len, &err),
                     PARQUET_CORRUPT);
    parquet_unpacker_close(&unpacker);
    bytes_free(&text);
    bytes_free(&out);
    bytes_free(&packed);
}

/* "hello hello hello hello\n" in each of the compressions. */
static const struct { int codec; struct slice packed; } hello[] = {
    { PARQUET_PLAIN, { "hello hello hello hello\n", 24 } },
    { PARQUET_SNAPPY, { "\x18\x14hello \x42\x06\0\0\n", 13 } },
    { PARQUET_GZIP, { "\x1F\x8B\x08\x00\x00\x00\x00\x00\x00\x03\xCB\x48\xCD\xC9\xC9\x57\xC8\x40\x27\xB9\x00\x00"
      "\x88\x59\x0B\x18\0\0\0", 29 } },
    { PARQUET_BROTLI, { "\x1B\x17\x00\xF8\x8D\x94\x6E\xDE\x44\x55\x86\xD6\x0A\x20\x6C"
      "\x6F\x4A\x11\x79\xE2\x80\xAE\x16", 23 } },
    { PARQUET_ZSTD, { "\x28\xB5\x2F\xFD\x00\x58\x6D\x00\x00\x38\x68\x65\x6C\x6C\x6F"
      "\x20\x0A\x01\x00\x99\x4B\x11", 22 } },
    { PARQUET_LZ4_RAW, { "\x69hello \x06\0\x50" "ello\n", 15 } },
};

static const char hello_text[] = "hello hello hello hello\n";

static void test_each(void **state)
{
    enum { LEN = sizeof hello_text - 1 };
    struct parquet_unpacker unpacker = { 0 };
    struct bytes            packed = { 0 };
    struct err              err = { 0 };
    char                    out[LEN + 1 + BYTES_PAD], word[32];

    (void)state;
    for (size_t i = 0; i < sizeof hello / sizeof *hello; i++) {
        int codec = hello[i].codec;

        packed.len = 0;
        put(&packed, hello[i].packed.at, hello[i].packed.len);
        assert_int_equal(parquet_codec_known(codec, &err), 0);
        memset(out, 'x', sizeof out);
        if (parquet_unpack(&unpacker, codec, packed.at, packed.len, out, LEN, &err) < 0)
            fail_msg("codec %d: %s", codec, err.text);
        assert_memory_equal(out, hello_text, LEN);
        for (int wrong = -1; wrong <= 1; wrong += 2) {      /* another length than it has */
            err.text[0] = '\0';
            if (parquet_unpack(&unpacker, codec, packed.at, packed.len, out, (size_t)(LEN + wrong), &err) !=
                PARQUET_CORRUPT)
                fail_msg("codec %d: %d byte more", codec, wrong);
            assert_int_equal(strncmp(err.text, "parquet: broken ", 16), 0);
            assert_int_equal(err.code, PARQUET_CORRUPT);
        }
        for (size_t len = 0; len < packed.len; len++)       /* cut off */
            if (parquet_unpack(&unpacker, codec, packed.at, len, out, LEN, &err) != PARQUET_CORRUPT)
                fail_msg("codec %d: %zu of %zu bytes", codec, len, packed.len);
        assert_int_equal(parquet_unpack(&unpacker, codec, packed.at, packed.len, out, LEN, &err), 0);  /* as before */
    }
    parquet_unpacker_close(&unpacker);
    assert_true(!unpacker.zstd && !unpacker.gzip);
    parquet_unpacker_close(&unpacker);
    for (int codec = -1; codec < 10; codec++) {             /* what is not read is told by its name or number */
        bool known = codec >= 0 && codec <= 7 && codec != PARQUET_LZO && codec != PARQUET_LZ4_HADOOP;

        assert_int_equal(parquet_codec_known(codec, &err), known ? 0 : PARQUET_UNKNOWN);
        if (known) continue;
        snprintf(word, sizeof word, "number %d", codec);
        assert_non_null(strstr(err.text, codec == PARQUET_LZO ? "LZO" : codec == PARQUET_LZ4_HADOOP ? "LZ4 in Hadoop"
                                                                                                    : word));
        assert_int_equal(parquet_unpack(&unpacker, codec, "", 0, out, 0, &err), PARQUET_UNKNOWN);
    }
    bytes_free(&packed);
}

/* Check values of the CRC-32 of gzip and zip. */
static void test_crc(void **state)
{
    (void)state;
    assert_int_equal(parquet_crc32("", 0), 0);
    assert_int_equal(parquet_crc32("123456789", 9), 0xCBF43926);
    assert_int_equal(parquet_crc32("The quick brown fox jumps over the lazy dog", 43), 0x414FA339);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_each), cmocka_unit_test(test_codecs),
                                        cmocka_unit_test(test_snappy), cmocka_unit_test(test_crc) };

    random_state = seed_of_run();
    printf("seed=%llu\n", (unsigned long long)random_state);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
