/* corpus/codec_xz.c -- .xz streams, any number with padding between them, and the older .lzma, through liblzma.  See
 * codec.h.
 *
 * Not through libarchive, which decodes 64 KB before it gives any of them, and so loses what a damaged or cut file has
 * before the damage. */
#include "corpus/codec.h"

#include <lzma.h>
#include <stdbool.h>
#include <stdlib.h>

/* What a header may ask for: xz -9 needs 65 MB. */
static const uint64_t memory_most = 1ull << 30;

enum xz_place { XZ_FIRST, XZ_BETWEEN, XZ_STREAM, XZ_DONE };

struct xz_state {
    struct input *input;
    lzma_stream   stream;
    enum xz_place place;
    bool          alone;                                    /* .lzma, whose streams stand alone */
    bool          behind;                                   /* what follows a stream is none, */
    uint64_t      start;                                    /* and begins there */
    lzma_ret      failed;                                   /* told when what was decoded before is given */
};

static int open_xz(void **state, struct input *input, struct err *err)
{
    struct xz_state *xz = calloc(1, sizeof *xz);

    *state = xz;
    if (!xz) return err_memory(err, sizeof *xz, "decoding xz");
    xz->input = input;
    xz->stream = (lzma_stream)LZMA_STREAM_INIT;
    return 0;
}

static ssize_t damage(struct xz_state *xz, struct err *err)
{
    const uint64_t size = xz->input->size;
    const char    *why = "broken data";
    int            code = CODEC_CORRUPT;

    xz->place = XZ_DONE;
    if (xz->behind)
        return err_set(err, code, "xz: %llu bytes behind the end of the stream at compressed byte %llu",
                       (unsigned long long)(size > xz->start ? size - xz->start : 0), (unsigned long long)xz->start);
    switch (xz->failed) {
    case LZMA_MEM_ERROR:      return err_memory(err, 0, "decoding xz");
    case LZMA_BUF_ERROR:      code = CODEC_TRUNCATED; why = "the file ends inside a stream"; break;
    case LZMA_MEMLIMIT_ERROR: why = "its header asks for more than 1 GB of memory"; break;
    case LZMA_OPTIONS_ERROR:  why = "options that liblzma does not know"; break;
    default:                  break;
    }
    return err_set(err, code, "xz: %s at compressed byte %llu", why, (unsigned long long)input_taken(xz->input));
}

/* Behind a stream of .xz there may be zeros in fours, but not without end.  LZMA_OK: the buffer begins with what may be
 * a stream; LZMA_STREAM_END: with nothing; LZMA_DATA_ERROR; -EIO with err set. */
static int pass_padding(struct xz_state *xz, struct err *err)
{
    struct input  *input = xz->input;
    const uint64_t from = input_taken(input);
    uint64_t       zeros = 0;
    int            rc;

    while ((rc = input_fill(input, err)) > 0 && !xz->alone && !input->buffer[input->at] && zeros <= CODEC_PADDING_MAX) {
        input->at++;
        zeros++;
    }
    if (rc < 0) return rc;
    xz->start = from + zeros;
    if (!rc && zeros % 4 == 0) return LZMA_STREAM_END;
    if (rc && zeros % 4 == 0 && zeros <= CODEC_PADDING_MAX && !xz->alone && input->buffer[input->at] == 0xFD)
        return LZMA_OK;
    xz->behind = true;
    if (zeros % 4 || zeros > CODEC_PADDING_MAX) xz->start = from;
    return LZMA_DATA_ERROR;
}

/* The first bytes of the file, which are in the buffer, tell which of the two it is. */
static int start(struct xz_state *xz)
{
    const struct input *input = xz->input;

    if (xz->place == XZ_FIRST) xz->alone = input->len > input->at && input->buffer[input->at] != 0xFD;
    xz->place = XZ_STREAM;
    return (int)(xz->alone ? lzma_alone_decoder(&xz->stream, memory_most)
                           : lzma_stream_decoder(&xz->stream, memory_most, 0));
}

/* One call of the decoder: LZMA_OK, also behind a stream; LZMA_STREAM_END at the end of everything; another lzma_ret;
 * -EIO with err set. */
static int step(struct xz_state *xz, struct err *err)
{
    struct input *input = xz->input;
    int           rc, filled;

    if (xz->place == XZ_BETWEEN && (rc = pass_padding(xz, err)) != LZMA_OK) return rc;
    if ((filled = input_fill(input, err)) < 0) return filled;
    if (xz->place != XZ_STREAM && (rc = start(xz)) != LZMA_OK) return rc;
    xz->stream.next_in = input->buffer + input->at;
    xz->stream.avail_in = input->len - input->at;
    rc = (int)lzma_code(&xz->stream, filled ? LZMA_RUN : LZMA_FINISH);
    input->at = input->len - xz->stream.avail_in;
    if (rc != LZMA_STREAM_END) return rc;
    xz->place = XZ_BETWEEN;
    return LZMA_OK;
}

static ssize_t read_xz(void *state, void *out, size_t n, struct err *err)
{
    struct xz_state *xz = state;
    uint8_t         *next = out;
    int              rc = LZMA_OK;

    if (xz->place == XZ_DONE) return 0;
    if (xz->failed != LZMA_OK) return damage(xz, err);
    while (rc == LZMA_OK && next == out) {
        xz->stream.next_out = out;
        xz->stream.avail_out = n;
        rc = step(xz, err);
        next = xz->stream.next_out;
    }
    if (rc < 0) return rc;
    if (rc != LZMA_OK && rc != LZMA_STREAM_END) xz->failed = (lzma_ret)rc;
    if (next != out) return next - (uint8_t *)out;
    if (rc != LZMA_STREAM_END) return damage(xz, err);
    xz->place = XZ_DONE;
    return 0;
}

static struct codec_place place_xz(void *state)
{
    const struct xz_state *xz = state;

    return (struct codec_place){ xz->behind ? xz->start : input_taken(xz->input), 0, false };
}

static void close_xz(void *state)
{
    struct xz_state *xz = state;

    if (xz) lzma_end(&xz->stream);
    free(xz);
}

const struct codec_kind codec_xz = { open_xz, read_xz, place_xz, close_xz, NULL };
