/* corpus/parquet_codec.c -- see parquet_codec.h.  Snappy is decoded here; the others are their libraries' work. */
#include "corpus/parquet_codec.h"

#include "corpus/parquet_footer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <brotli/decode.h>
#include <lz4.h>
#include <zstd.h>

#ifdef HAVE_ISAL
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#else
#include <zlib.h>
#endif

static const char *const codec_names[] = { "", "snappy", "gzip", "LZO", "brotli",
                                           "LZ4 in Hadoop's framing (not LZ4_RAW)", "zstd", "lz4" };

int parquet_codec_known(int codec, struct err *err)
{
    if (codec < PARQUET_PLAIN || codec > PARQUET_LZ4_RAW)
        return err_set(err, PARQUET_UNKNOWN, "parquet: compression number %d is not read", codec);
    if (codec == PARQUET_LZO || codec == PARQUET_LZ4_HADOOP)
        return err_set(err, PARQUET_UNKNOWN, "parquet: compression %s is not read", codec_names[codec]);
    return 0;
}

/* ---- snappy ---- */

static inline void copy_16(unsigned char *to, const unsigned char *from)
{
    unsigned char piece[16];                                /* the two may overlap */

    memcpy(piece, from, sizeof piece);
    memcpy(to, piece, sizeof piece);
}

static inline void copy_64(unsigned char *to, const unsigned char *from)
{
    copy_16(to, from);
    copy_16(to + 16, from + 16);
    copy_16(to + 32, from + 32);
    copy_16(to + 48, from + 48);
}

/* Copies 1 to 64 bytes from `offset` bytes back, which may overlap what is written.  Always 64, because a branch that
 * is guessed wrong costs more than bytes written for nothing.  A short pattern is repeated first; when that alone is
 * not enough, `to` has gone on by less than the length, so that never more than 63 bytes behind the end are written,
 * into the pad. */
static inline void copy_back(unsigned char *to, size_t offset, size_t length)
{
    const unsigned char *from = to - offset, *end = to + length;

    if (offset < 16) {
        for (; offset < 16; offset *= 2) {                  /* with each step twice of it is there */
            copy_16(to, from);
            to += offset;
        }
        if (to >= end) return;
    }
    copy_64(to, from);
}

/* A tag's two lowest bits: what it begins.  Of a copy they are also the bytes of its offset that follow, but that the
 * farthest has 4. */
enum { SNAPPY_LITERAL, SNAPPY_NEAR, SNAPPY_FAR, SNAPPY_FARTHEST, SNAPPY_KINDS };

/* What a tag says, packed into 16 bits: the length, the high bits of a near copy's offset where they stand in it (the
 * tag has them, one byte follows), the bytes of the offset that follow.  A literal's long lengths are not in it. */
enum { ENTRY_LENGTH = 0x7F, ENTRY_OFFSET = 0x700, ENTRY_WIDTH_AT = 11 };

enum { SNAPPY_SHORT = 60 };                                 /* longest literal whose length the tag has */

#define TAG_NEAR(t) (((t) >> 2 & 7) + 4) | ((t) >> 5) << 8 | 1 << ENTRY_WIDTH_AT
#define TAG_OTHER(t, kind) (((t) >> 2) + 1) | ((kind) == SNAPPY_FARTHEST ? 4 : (kind)) << ENTRY_WIDTH_AT
#define TAG(t) (uint16_t)((t) % SNAPPY_KINDS == SNAPPY_NEAR ? TAG_NEAR(t) : TAG_OTHER(t, (t) % SNAPPY_KINDS))
#define TAG_4(t) TAG(t), TAG((t) + 1), TAG((t) + 2), TAG((t) + 3)
#define TAG_16(t) TAG_4(t), TAG_4((t) + 4), TAG_4((t) + 8), TAG_4((t) + 12)
#define TAG_64(t) TAG_16(t), TAG_16((t) + 16), TAG_16((t) + 32), TAG_16((t) + 48)
static const uint16_t snappy_tags[256] = { TAG_64(0), TAG_64(64), TAG_64(128), TAG_64(192) };

/* The length of what is packed, then tags: literal bytes, or a copy of bytes before (format_description.txt of snappy).
 * Numbers are loaded as 4 bytes and cut, short literals as 64: the pad makes that legal at the end. */
static bool unpack_snappy(const unsigned char *at, size_t n, unsigned char *out, size_t m)
{
    static const uint32_t cut[5] = { 0, 0xFF, 0xFFFF, 0xFFFFFF, 0xFFFFFFFF };
    const unsigned char  *end = at + n;
    unsigned char        *to = out, *const out_end = out + m;
    uint64_t              told = 0;
    unsigned              shift = 0;

    do {
        if (at == end || shift > 28) return false;
        told |= (uint64_t)(*at & 0x7F) << shift;
        shift += 7;
    } while (*at++ & 0x80);
    if (told != m) return false;
    while (at < end) {
        unsigned tag = *at++, entry = snappy_tags[tag];
        size_t   length = entry & ENTRY_LENGTH, width = entry >> ENTRY_WIDTH_AT, offset;
        uint32_t number;

        memcpy(&number, at, sizeof number);
        if (tag % SNAPPY_KINDS == SNAPPY_LITERAL) {
            if (length > SNAPPY_SHORT) {                    /* then it follows, in so many bytes */
                width = length - SNAPPY_SHORT;
                if ((size_t)(end - at) < width) return false;
                length = (size_t)(number & cut[width]) + 1;
                at += width;
            }
            if (length > (size_t)(end - at) || length > (size_t)(out_end - to)) return false;
            if (length <= 64) copy_64(to, at);
            else memcpy(to, at, length);
            at += length;
            to += length;
            continue;
        }
        if ((size_t)(end - at) < width) return false;
        offset = (number & cut[width]) | (entry & ENTRY_OFFSET);
        at += width;
        /* offset 0: wraps around */
        if (offset - 1 >= (size_t)(to - out) || length > (size_t)(out_end - to)) return false;
        copy_back(to, offset, length);
        to += length;
    }
    return to == out_end;
}

/* ---- gzip: any number of members ---- */

#ifdef HAVE_ISAL

static int unpack_gzip(struct parquet_unpacker *unpacker, const void *in, size_t n, void *out, size_t m)
{
    struct inflate_state *state = unpacker->gzip ? unpacker->gzip : malloc(sizeof *state);
    uint32_t              before;

    unpacker->gzip = state;
    if (!state) return -ENOMEM;
    isal_inflate_init(state);
    state->next_in = (uint8_t *)(uintptr_t)in;
    state->avail_in = (uint32_t)n;
    state->next_out = out;
    state->avail_out = (uint32_t)m;
    do {
        before = state->avail_in;
        isal_inflate_reset(state);
        state->crc_flag = ISAL_GZIP;
        if (isal_inflate(state) != ISAL_DECOMP_OK || state->block_state != ISAL_BLOCK_FINISH) return -EBADMSG;
    } while (state->avail_in && state->avail_in < before);
    return state->avail_in || state->avail_out ? -EBADMSG : 0;
}

static void close_gzip(void *state) { free(state); }

uint32_t parquet_crc32(const void *at, size_t n) { return crc32_gzip_refl(0, at, n); }

#else

static int unpack_gzip(struct parquet_unpacker *unpacker, const void *in, size_t n, void *out, size_t m)
{
    z_stream *stream = unpacker->gzip;

    if (!stream) {
        stream = unpacker->gzip = calloc(1, sizeof *stream);
        if (!stream) return -ENOMEM;
        if (inflateInit2(stream, MAX_WBITS + 16) != Z_OK) {
            free(stream);
            unpacker->gzip = NULL;
            return -ENOMEM;
        }
    }
    stream->next_in = (Bytef *)(uintptr_t)in;
    stream->avail_in = (uInt)n;
    stream->next_out = out;
    stream->avail_out = (uInt)m;
    do {
        inflateReset(stream);
        if (inflate(stream, Z_FINISH) != Z_STREAM_END) return -EBADMSG;
    } while (stream->avail_in);
    return stream->avail_out ? -EBADMSG : 0;
}

static void close_gzip(void *state)
{
    if (state) inflateEnd(state);
    free(state);
}

uint32_t parquet_crc32(const void *at, size_t n) { return (uint32_t)crc32_z(0, at, n); }

#endif

/* ---- the whole ---- */

static int unpack_zstd(struct parquet_unpacker *unpacker, const void *in, size_t n, void *out, size_t m)
{
    if (!unpacker->zstd) unpacker->zstd = ZSTD_createDCtx();
    if (!unpacker->zstd) return -ENOMEM;
    return ZSTD_decompressDCtx(unpacker->zstd, out, m, in, n) == m ? 0 : -EBADMSG;
}

static int unpack_brotli(const void *in, size_t n, void *out, size_t m)
{
    size_t got = m;

    return BrotliDecoderDecompress(n, in, &got, out) == BROTLI_DECODER_RESULT_SUCCESS && got == m ? 0 : -EBADMSG;
}

int parquet_unpack(struct parquet_unpacker *unpacker, int codec, const void *in, size_t n, void *out, size_t m,
                   struct err *err)
{
    int rc = parquet_codec_known(codec, err);

    if (rc < 0) return rc;
    switch ((enum parquet_codec)codec) {
    case PARQUET_SNAPPY:  rc = unpack_snappy(in, n, out, m) ? 0 : -EBADMSG; break;
    case PARQUET_GZIP:    rc = unpack_gzip(unpacker, in, n, out, m); break;
    case PARQUET_BROTLI:  rc = unpack_brotli(in, n, out, m); break;
    case PARQUET_ZSTD:    rc = unpack_zstd(unpacker, in, n, out, m); break;
    case PARQUET_LZ4_RAW: rc = LZ4_decompress_safe(in, out, (int)n, (int)m) == (int)m ? 0 : -EBADMSG; break;
    default:              rc = n == m ? (memcpy(out, in, n), 0) : -EBADMSG;
    }
    if (rc == -ENOMEM) return err_memory(err, m, "unpacking a page");
    return rc < 0 ? err_set(err, PARQUET_CORRUPT, "parquet: broken %s data", codec == PARQUET_PLAIN ? "page"
                            : codec_names[codec]) : 0;
}

void parquet_unpacker_close(struct parquet_unpacker *unpacker)
{
    ZSTD_freeDCtx(unpacker->zstd);
    close_gzip(unpacker->gzip);
    *unpacker = (struct parquet_unpacker){ 0 };
}
