/* corpus/codec_filter.c -- .lz, .lz4 and .Z streams through libarchive's filters.  See codec.h.
 *
 * Only filters that decode in this process are asked for: libarchive would start a program for some others. */
#include "corpus/codec.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LZIP_TAIL = 20, HEADER_LEAST = 11 };                 /* what libarchive wants to see of a stream of lz4 */

struct filter_state {
    struct input   *input;
    struct archive *archive;
    bool            started, ended;
    bool            hit_end;                                /* the decoder asked for more than the file has */
    bool            failed;
    const char     *block;                                  /* [have] decoded, in libarchive's hands */
    size_t          have;
    uint64_t        skipped;                                /* of the file, before what libarchive is given */
    uint64_t        used;                                   /* of the file, for the blocks that were given */
    struct err      io;                                     /* why the file could not be read */
};

static la_ssize_t give_input(struct archive *archive, void *state, const void **out)
{
    struct filter_state *filter = state;
    struct input        *input = filter->input;
    int                  rc = input_fill(input, &filter->io);
    size_t               n = input->len - input->at;

    if (rc < 0) {
        archive_set_error(archive, EIO, "%s", filter->io.text);
        return -1;
    }
    *out = input->buffer + input->at;
    input->at = input->len;
    filter->hit_end |= n == 0;
    return (la_ssize_t)n;
}

/* A decoder of its own for what begins here.  0, -ENOMEM. */
static int make_decoder(struct filter_state *filter, struct err *err)
{
    filter->archive = archive_read_new();
    if (!filter->archive) return err_memory(err, sizeof *filter, "a decoder");
    archive_read_support_filter_lzip(filter->archive);
    archive_read_support_filter_lz4(filter->archive);
    archive_read_support_filter_compress(filter->archive);
    archive_read_support_format_raw(filter->archive);
    archive_read_support_format_empty(filter->archive);
    return 0;
}

static int open_filter(void **state, struct input *input, struct err *err)
{
    struct filter_state *filter = calloc(1, sizeof *filter);

    *state = filter;
    if (!filter) return err_memory(err, sizeof *filter, "a decoder");
    filter->input = input;
    return make_decoder(filter, err);
}

/* What the decoder has used; -1 where there is none. */
static void note_used(struct filter_state *filter)
{
    la_int64_t used = archive_filter_bytes(filter->archive, -1);

    filter->used = filter->skipped + (used < 0 ? 0 : (uint64_t)used);
}

static ssize_t fail(struct filter_state *filter, struct err *err)
{
    const char *why = archive_error_string(filter->archive);
    int         code = filter->hit_end ? CODEC_TRUNCATED : CODEC_CORRUPT;

    filter->ended = filter->failed = true;
    if (archive_filter_code(filter->archive, 0) == ARCHIVE_FILTER_LZ4) note_used(filter);   /* which counts behind */
    if (filter->io.code < 0) {
        *err = filter->io;
        return err->code;
    }
    if (archive_errno(filter->archive) == ENOMEM) return err_memory(err, 0, "decoding");
    return err_set(err, code, "%s at compressed byte %llu", why ? why : "broken data",
                   (unsigned long long)input_taken(filter->input));
}

/* Block by block: a read of several would lose those before the one that is broken.  What the decoder has used is noted
 * when it has given something for it. */
static int next_block(struct filter_state *filter)
{
    const void *block;
    la_int64_t  offset;
    int         rc;

    do rc = archive_read_data_block(filter->archive, &block, &filter->have, &offset);
    while (rc == ARCHIVE_OK && !filter->have);
    if (rc != ARCHIVE_OK) {
        filter->have = 0;
        return rc;
    }
    filter->block = block;
    note_used(filter);
    return rc;
}

/* Whether a stream of the same kind begins at byte `used`, or frames that lz4 skips: 1, 0, -EIO.  Of a stream of lzip
 * that gave nothing the trailer, which has zeros for its checksum and length, is still to be passed. */
static int begins_stream(struct filter_state *filter, struct err *err)
{
    static const char zeros[12] = { 0 };
    const int         code = archive_filter_code(filter->archive, 0);
    char              head[LZIP_TAIL];
    int               rc = 0;

    if (code == ARCHIVE_FILTER_LZIP) {
        rc = input_read_at(filter->input, filter->used, head, sizeof head, err);
        if (rc > 0 && !memcmp(head, zeros, sizeof zeros)) filter->used += LZIP_TAIL;
        if (rc >= 0) rc = input_read_at(filter->input, filter->used, head, 5, err);
        return rc <= 0 ? rc : !memcmp(head, "LZIP\1", 5);
    }
    if (code == ARCHIVE_FILTER_LZ4) rc = input_read_at(filter->input, filter->used, head, 4, err);
    return rc <= 0 ? rc : !memcmp(head, "\x04\x22\x4D\x18", 4) || !memcmp(head, "\x02\x21\x4C\x18", 4) ||
        ((head[0] & 0xF0) == 0x50 && !memcmp(head + 1, "\x2A\x4D\x18", 3));
}

/* The decoder says that it is done: 0, or what codec_read returns.  libarchive ends in silence where what follows does
 * not look like another stream, and where one gives nothing, but tells how much of the file it has used: at a whole
 * file's end all of it, else another decoder goes on where a stream begins. */
static ssize_t end_filter(struct filter_state *filter, struct err *err)
{
    const uint64_t size = filter->input->size, from = filter->skipped;
    int            rc;

    note_used(filter);
    rc = filter->used < size ? begins_stream(filter, err) : 0;
    filter->ended = rc <= 0 || filter->used <= from;
    filter->failed = filter->ended && (rc < 0 || filter->used < size);
    if (!filter->ended) {
        archive_read_free(filter->archive);
        filter->started = filter->hit_end = false;
        input_seek(filter->input, filter->used);
        return make_decoder(filter, err);
    }
    if (rc < 0 || !filter->failed) return rc;
    return err_set(err, CODEC_CORRUPT, "%llu bytes behind the end of the stream at compressed byte %llu",
                   (unsigned long long)(size - filter->used), (unsigned long long)filter->used);
}

/* Takes the frames that lz4 skips, which libarchive does not know at the beginning of a file.  0, or what codec_read
 * returns. */
static int skip_frames(struct filter_state *filter, struct err *err)
{
    struct input *input = filter->input;
    unsigned char head[8];
    int           rc;

    while ((rc = input_fill(input, err)) > 0 && (input->buffer[input->at] & 0xF0) == 0x50 &&
           (rc = input_read_at(input, input_taken(input), head, sizeof head, err)) > 0 &&
           !memcmp(head + 1, "\x2A\x4D\x18", 3)) {
        uint64_t left = sizeof head + ((uint64_t)head[4] | (uint64_t)head[5] << 8 | (uint64_t)head[6] << 16 |
                                       (uint64_t)head[7] << 24);

        for (; left && (rc = input_fill(input, err)) > 0; ) {
            const uint64_t have = input->len - input->at, n = have < left ? have : left;

            input->at += (size_t)n;
            left -= n;
        }
        if (rc < 0) break;
        if (left) {
            filter->ended = filter->failed = true;
            return err_set(err, CODEC_TRUNCATED, "the file ends inside a frame that is skipped");
        }
    }
    filter->skipped = input_taken(input);
    return rc < 0 ? rc : 0;
}

/* Opens what begins here.  1; 0: there is nothing in it; or what codec_read returns. */
static ssize_t start_stream(struct filter_state *filter, struct err *err)
{
    struct archive_entry *entry;
    int                   rc;

    filter->started = true;
    if ((rc = skip_frames(filter, err)) < 0) return rc;
    if (archive_read_open(filter->archive, filter, NULL, give_input, NULL) != ARCHIVE_OK) return fail(filter, err);
    if (archive_filter_count(filter->archive) < 2) {        /* no decoder knows it: the magic is there in part */
        const uint64_t left = filter->input->size - filter->skipped;

        if (!left && filter->skipped) return 0;             /* frames that are skipped have been the last */
        filter->ended = filter->failed = true;
        return left < HEADER_LEAST ? err_set(err, CODEC_TRUNCATED, "the file ends inside its first header")
            : err_set(err, CODEC_CORRUPT, "a broken header at compressed byte %llu",
                      (unsigned long long)filter->skipped);
    }
    rc = archive_read_next_header(filter->archive, &entry);
    return rc == ARCHIVE_OK ? 1 : rc == ARCHIVE_EOF ? 0 : fail(filter, err);
}

static ssize_t read_filter(void *state, void *out, size_t n, struct err *err)
{
    struct filter_state *filter = state;

    while (!filter->have) {
        ssize_t rc = 1;

        if (filter->ended) return 0;
        if (!filter->started && (rc = start_stream(filter, err)) < 0) return rc;
        if (rc > 0) rc = next_block(filter);
        if (rc == ARCHIVE_OK && filter->have) break;
        if (rc < 0) return fail(filter, err);
        if ((rc = end_filter(filter, err)) < 0) return rc;
    }
    if (n > filter->have) n = filter->have;
    memcpy(out, filter->block, n);
    filter->block += n;
    filter->have -= n;
    return (ssize_t)n;
}

static struct codec_place place_filter(void *state)
{
    const struct filter_state *filter = state;

    return (struct codec_place){ filter->ended && !filter->failed ? input_taken(filter->input) : filter->used, 0,
                                 false };
}

static void close_filter(void *state)
{
    struct filter_state *filter = state;

    if (filter) archive_read_free(filter->archive);
    free(filter);
}

const struct codec_kind codec_filter = { open_filter, read_filter, place_filter, close_filter, NULL };
