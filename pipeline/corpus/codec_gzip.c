/* corpus/codec_gzip.c -- .gz streams (RFC 1952): any number of members, each with its CRC-32 and length checked.  See
 * codec.h.
 *
 * The headers and trailers are read here and only the deflate data by a library, ISA-L's igzip (2.7 times zlib's speed)
 * or zlib where that is missing: igzip's own header reader loses the header's checksum when a header is split between
 * two reads. */
#include "corpus/codec.h"

#include <stdbool.h>
#include <stdlib.h>

#ifdef HAVE_ISAL
#include <isa-l/igzip_lib.h>
#else
#include <zlib.h>
#endif

enum { FLAG_HEADER_CRC = 2, FLAG_EXTRA = 4, FLAG_NAME = 8, FLAG_COMMENT = 16, FLAG_RESERVED = 0xE0 };
enum { DEFLATE_ERROR = -1, DEFLATE_MORE = 0, DEFLATE_DONE = 1 };
enum { CALL_BYTES_MAX = 1 << 30 };                          /* the libraries count in 32 bits */

struct gzip_state {
    struct input *input;
    enum { MEMBER_FIRST, MEMBER_NEXT, MEMBER_DATA, MEMBER_TRAILER, MEMBER_BROKEN, MEMBERS_DONE } place;
    uint32_t      header_crc;
    /* bytes after the data that the decoder had already taken in */
    unsigned char spare[8];
    size_t        spare_at, spare_count;
#ifdef HAVE_ISAL
    struct inflate_state inflate;
#else
    z_stream      inflate;
    uint32_t      crc, length;
#endif
};

#ifdef HAVE_ISAL

static int deflate_open(struct gzip_state *gzip)
{
    (void)gzip;
    return 0;
}

static void deflate_close(struct gzip_state *gzip) { (void)gzip; }

static void deflate_start(struct gzip_state *gzip)
{
    isal_inflate_init(&gzip->inflate);
    gzip->inflate.crc_flag = ISAL_GZIP_NO_HDR;              /* a CRC-32 over the output; the trailer stays ours */
}

/* Moves the input and *n, the bytes written. */
static int deflate_run(struct gzip_state *gzip, void *out, size_t *n)
{
    struct inflate_state *inflate = &gzip->inflate;
    struct input         *input = gzip->input;
    int                   rc;

    inflate->next_in = input->buffer + input->at;
    inflate->avail_in = (uint32_t)(input->len - input->at);
    inflate->next_out = out;
    inflate->avail_out = (uint32_t)*n;
    rc = isal_inflate(inflate);
    *n -= inflate->avail_out;
    input->at = input->len - inflate->avail_in;
    if (rc < 0) return DEFLATE_ERROR;
    if (inflate->block_state != ISAL_BLOCK_FINISH) return DEFLATE_MORE;
    /* Its bit buffer may hold whole bytes of what follows, perhaps of an earlier read: they cannot be given back to the
     * input. */
    gzip->spare_at = 0;
    gzip->spare_count = (size_t)inflate->read_in_length / 8;
    for (size_t i = 0; i < gzip->spare_count; i++)
        gzip->spare[i] = (unsigned char)(inflate->read_in >> (inflate->read_in_length % 8 + 8 * (int)i));
    return DEFLATE_DONE;
}

static uint32_t deflate_crc(const struct gzip_state *gzip) { return gzip->inflate.crc; }

static uint32_t deflate_length(const struct gzip_state *gzip) { return gzip->inflate.total_out; }

#else

static int  deflate_open(struct gzip_state *gzip) { return inflateInit2(&gzip->inflate, -MAX_WBITS) == Z_OK ? 0 : -1; }

static void deflate_close(struct gzip_state *gzip) { inflateEnd(&gzip->inflate); }

static void deflate_start(struct gzip_state *gzip)
{
    inflateReset(&gzip->inflate);
    gzip->crc = gzip->length = 0;
}

static int deflate_run(struct gzip_state *gzip, void *out, size_t *n)
{
    z_stream     *stream = &gzip->inflate;
    struct input *input = gzip->input;
    int           rc;

    stream->next_in = input->buffer + input->at;
    stream->avail_in = (uInt)(input->len - input->at);
    stream->next_out = out;
    stream->avail_out = (uInt)*n;
    rc = inflate(stream, Z_NO_FLUSH);
    *n -= stream->avail_out;
    input->at = input->len - stream->avail_in;
    gzip->crc = (uint32_t)crc32_z(gzip->crc, out, *n);
    gzip->length += (uint32_t)*n;
    if (rc == Z_STREAM_END) return DEFLATE_DONE;
    return rc == Z_OK || rc == Z_BUF_ERROR ? DEFLATE_MORE : DEFLATE_ERROR;
}

static uint32_t deflate_crc(const struct gzip_state *gzip) { return gzip->crc; }

static uint32_t deflate_length(const struct gzip_state *gzip) { return gzip->length; }

#endif

static int damage(struct gzip_state *gzip, int code, const char *what, struct err *err)
{
    gzip->place = MEMBERS_DONE;
    return err_set(err, code, "gzip: %s at compressed byte %llu", what, (unsigned long long)input_taken(gzip->input));
}

static uint32_t crc_step(uint32_t crc, unsigned char byte)
{
    crc ^= byte;
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    return crc;
}

/* The next byte of a header or trailer into *byte: 1, 0 at the end of the file, -EIO. */
static int next_byte(struct gzip_state *gzip, unsigned char *byte, struct err *err)
{
    int rc = 1;

    if (gzip->spare_at < gzip->spare_count) *byte = gzip->spare[gzip->spare_at++];
    else if ((rc = input_fill(gzip->input, err)) > 0) *byte = gzip->input->buffer[gzip->input->at++];
    if (rc > 0) gzip->header_crc = crc_step(gzip->header_crc, *byte);
    return rc;
}

/* n bytes into out (NULL: passed over).  0, -EIO or CODEC_TRUNCATED. */
static int next_bytes(struct gzip_state *gzip, unsigned char *out, size_t n, struct err *err)
{
    unsigned char byte;

    for (size_t i = 0; i < n; i++) {
        int rc = next_byte(gzip, &byte, err);

        if (rc < 0) return rc;
        if (!rc) return damage(gzip, CODEC_TRUNCATED, "the file ends inside a member", err);
        if (out) out[i] = byte;
    }
    return 0;
}

static int skip_string(struct gzip_state *gzip, struct err *err)
{
    unsigned char byte;
    int           rc;

    do rc = next_bytes(gzip, &byte, 1, err);
    while (rc == 0 && byte);
    return rc;
}

/* The header's rest after its first byte. */
static int read_header(struct gzip_state *gzip, struct err *err)
{
    /* magic 2, method, flags, time (4), extra flags, system */
    unsigned char head[9], two[2] = { 0 };
    uint32_t      crc;
    int           rc = next_bytes(gzip, head, 9, err);

    if (rc < 0) return rc;
    if (head[0] != 0x8B || head[1] != 8 || head[2] & FLAG_RESERVED)
        return damage(gzip, CODEC_CORRUPT, "no gzip member", err);
    if (head[2] & FLAG_EXTRA) {
        if ((rc = next_bytes(gzip, two, 2, err)) < 0) return rc;
        if ((rc = next_bytes(gzip, NULL, (size_t)two[0] | (size_t)two[1] << 8, err)) < 0) return rc;
    }
    if (head[2] & FLAG_NAME && (rc = skip_string(gzip, err)) < 0) return rc;
    if (head[2] & FLAG_COMMENT && (rc = skip_string(gzip, err)) < 0) return rc;
    crc = ~gzip->header_crc & 0xFFFF;
    if (head[2] & FLAG_HEADER_CRC) {
        if ((rc = next_bytes(gzip, two, 2, err)) < 0) return rc;
        if (crc != ((uint32_t)two[0] | (uint32_t)two[1] << 8))
            return damage(gzip, CODEC_CORRUPT, "a header's checksum is wrong", err);
    }
    deflate_start(gzip);
    gzip->place = MEMBER_DATA;
    return 0;
}

/* Between members.  Zero bytes up to the end are padding (tapes, blocked writers) if they are no more than a block of
 * these may be; anything else must be a member. */
static int start_member(struct gzip_state *gzip, struct err *err)
{
    unsigned char byte = 0;
    uint64_t      padding = 0;
    int           rc;

    gzip->header_crc = ~0u;
    while ((rc = next_byte(gzip, &byte, err)) > 0 && byte == 0 && gzip->place == MEMBER_NEXT)
        if (++padding > CODEC_PADDING_MAX) return damage(gzip, CODEC_CORRUPT, "zeros instead of a member", err);
    if (rc < 0) return rc;
    if (!rc && gzip->place == MEMBER_FIRST) return damage(gzip, CODEC_TRUNCATED, "the file ends before a member", err);
    if (!rc) {
        gzip->place = MEMBERS_DONE;
        return 0;
    }
    if (byte != 0x1F || padding) return damage(gzip, CODEC_CORRUPT, "bytes that are no gzip member", err);
    return read_header(gzip, err);
}

static int check_trailer(struct gzip_state *gzip, struct err *err)
{
    unsigned char t[8];
    int           rc = next_bytes(gzip, t, 8, err);

    if (rc < 0) return rc;
    if (((uint32_t)t[0] | (uint32_t)t[1] << 8 | (uint32_t)t[2] << 16 | (uint32_t)t[3] << 24) != deflate_crc(gzip))
        return damage(gzip, CODEC_CORRUPT, "a member's checksum is wrong", err);
    if (((uint32_t)t[4] | (uint32_t)t[5] << 8 | (uint32_t)t[6] << 16 | (uint32_t)t[7] << 24) != deflate_length(gzip))
        return damage(gzip, CODEC_CORRUPT, "a member's length is wrong", err);
    gzip->place = MEMBER_NEXT;
    return 0;
}

/* A step through a member's data: bytes written, 0 when there were none, <0 on damage.  A broken block and a wrong
 * trailer are told at the next step, so that they do not swallow the bytes decoded before. */
static ssize_t read_data(struct gzip_state *gzip, void *out, size_t n, struct err *err)
{
    int filled = input_fill(gzip->input, err), state;

    if (filled < 0) return filled;
    if (n > CALL_BYTES_MAX) n = CALL_BYTES_MAX;
    state = deflate_run(gzip, out, &n);
    if (state == DEFLATE_ERROR) gzip->place = MEMBER_BROKEN;
    else if (state == DEFLATE_DONE) gzip->place = MEMBER_TRAILER;
    else if (!filled && !n) return damage(gzip, CODEC_TRUNCATED, "the file ends inside a member", err);
    return (ssize_t)n;
}

static ssize_t read_gzip(void *state, void *out, size_t n, struct err *err)
{
    struct gzip_state *gzip = state;

    for (;;) {
        ssize_t rc = 0;

        switch (gzip->place) {
        case MEMBER_FIRST:
        case MEMBER_NEXT:    rc = start_member(gzip, err); break;
        case MEMBER_DATA:    rc = read_data(gzip, out, n, err); break;
        case MEMBER_TRAILER: rc = check_trailer(gzip, err); break;
        case MEMBER_BROKEN:  return damage(gzip, CODEC_CORRUPT, "broken deflate data", err);
        case MEMBERS_DONE:   return 0;
        }
        if (rc) return rc;
    }
}

static int open_gzip(void **state, struct input *input, struct err *err)
{
    struct gzip_state *gzip = calloc(1, sizeof *gzip);

    if (!gzip || deflate_open(gzip) < 0) {
        free(gzip);
        return err_memory(err, sizeof *gzip, "decoding gzip");
    }
    gzip->input = input;
    *state = gzip;
    return 0;
}

static struct codec_place place_gzip(void *state)
{
    return (struct codec_place){ input_taken(((struct gzip_state *)state)->input), 0, false };
}

static void close_gzip(void *state)
{
    if (state) deflate_close(state);
    free(state);
}

const struct codec_kind codec_gzip = { open_gzip, read_gzip, place_gzip, close_gzip, NULL };
