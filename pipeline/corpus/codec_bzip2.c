/* corpus/codec_bzip2.c -- .bz2 streams, any number one after the other, through libbz2.  See codec.h.
 *
 * Not through libarchive, which decodes 64 KB before it gives any of them, and ends in silence where what follows a
 * stream is none. */
#include "corpus/codec.h"

#include <bzlib.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

struct bzip2_state {
    struct input *input;
    bz_stream     stream;
    bool          open, later, ended;                       /* open: inside a stream; later: it is not the first */
    int           failed;                                   /* told when what was decoded before is given; 0: none */
    uint64_t      start;                                    /* where the stream begins in the file */
};

/* No code of libbz2's. */
enum { FAILED_AT_END = -100 };

static int open_bzip2(void **state, struct input *input, struct err *err)
{
    struct bzip2_state *bzip2 = calloc(1, sizeof *bzip2);

    *state = bzip2;
    if (!bzip2) return err_memory(err, sizeof *bzip2, "decoding bzip2");
    bzip2->input = input;
    return 0;
}

static ssize_t damage(struct bzip2_state *bzip2, struct err *err)
{
    const uint64_t at = input_taken(bzip2->input), size = bzip2->input->size;

    bzip2->ended = true;
    if (bzip2->failed == BZ_MEM_ERROR) return err_memory(err, 0, "decoding bzip2");
    if (bzip2->failed == FAILED_AT_END)
        return err_set(err, CODEC_TRUNCATED, "bzip2: the file ends inside a stream at compressed byte %llu",
                       (unsigned long long)at);
    if (bzip2->failed == BZ_DATA_ERROR_MAGIC && bzip2->later)
        return err_set(err, CODEC_CORRUPT, "bzip2: %llu bytes behind the end of the stream at compressed byte %llu",
                       (unsigned long long)(size > bzip2->start ? size - bzip2->start : 0),
                       (unsigned long long)bzip2->start);
    return err_set(err, CODEC_CORRUPT, "bzip2: broken data at compressed byte %llu", (unsigned long long)at);
}

/* One call of the decoder: BZ_OK, also behind a stream; BZ_STREAM_END at the end of everything; or why not. */
static int step(struct bzip2_state *bzip2, bool filled)
{
    struct input *input = bzip2->input;
    unsigned      before = bzip2->stream.avail_out;
    int           rc;

    if (!bzip2->open) {
        const bz_stream fresh = { .next_out = bzip2->stream.next_out, .avail_out = before };

        if (!filled) return bzip2->later ? BZ_STREAM_END : FAILED_AT_END;
        bzip2->stream = fresh;
        bzip2->start = input_taken(input);
        if ((rc = BZ2_bzDecompressInit(&bzip2->stream, 0, 0)) != BZ_OK) return rc;
        bzip2->open = true;
    }
    bzip2->stream.next_in = (char *)input->buffer + input->at;
    bzip2->stream.avail_in = (unsigned)(input->len - input->at);
    rc = BZ2_bzDecompress(&bzip2->stream);
    input->at = input->len - bzip2->stream.avail_in;
    if (rc == BZ_STREAM_END) {
        BZ2_bzDecompressEnd(&bzip2->stream);
        bzip2->open = false;
        bzip2->later = true;
        return BZ_OK;
    }
    return rc == BZ_OK && !filled && bzip2->stream.avail_out == before ? FAILED_AT_END : rc;
}

static ssize_t read_bzip2(void *state, void *out, size_t n, struct err *err)
{
    struct bzip2_state *bzip2 = state;
    int                 filled, rc = BZ_OK;

    if (bzip2->ended) return 0;
    if (bzip2->failed) return damage(bzip2, err);
    if (n > INT_MAX) n = INT_MAX;
    bzip2->stream.next_out = out;
    bzip2->stream.avail_out = (unsigned)n;
    while (rc == BZ_OK && bzip2->stream.avail_out == n) {
        if ((filled = input_fill(bzip2->input, err)) < 0) return filled;
        rc = step(bzip2, filled);
    }
    if (rc != BZ_OK && rc != BZ_STREAM_END) bzip2->failed = rc;
    if (bzip2->stream.avail_out < n) return (ssize_t)(n - bzip2->stream.avail_out);
    bzip2->ended = true;
    return rc == BZ_STREAM_END ? 0 : damage(bzip2, err);
}

/* Behind a stream that is none, all of it is left. */
static struct codec_place place_bzip2(void *state)
{
    const struct bzip2_state *bzip2 = state;
    const bool                none = bzip2->failed == BZ_DATA_ERROR_MAGIC && bzip2->later;

    return (struct codec_place){ none ? bzip2->start : input_taken(bzip2->input), 0, false };
}

static void close_bzip2(void *state)
{
    struct bzip2_state *bzip2 = state;

    if (bzip2 && bzip2->open) BZ2_bzDecompressEnd(&bzip2->stream);
    free(bzip2);
}

const struct codec_kind codec_bzip2 = { open_bzip2, read_bzip2, place_bzip2, close_bzip2, NULL };
