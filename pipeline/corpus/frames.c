/* corpus/frames.c -- see frames.h. */
#include "corpus/frames.h"

#include "base/bytes.h"
#include "corpus/codec.h"

#include <stdlib.h>
#include <zstd.h>

enum {
    FRAME_MAGIC_BYTES = 4, FRAME_HEAD_MOST = FRAME_MAGIC_BYTES + 1 + 1 + 4 + 8, SKIP_HEAD_BYTES = 8,
    BLOCK_HEAD_BYTES = 3, BLOCK_MOST = 128 << 10, CHECKSUM_BYTES = 4, MEASURE_BYTES = 1 << 20
};
/* Frames, all of them, have so many bytes of the file on average; few are anything.  So have blocks, of which each is
 * asked of the file: empty ones would take longer than to decode them. */
enum { FRAMES_FEW = 4096, FRAME_LEAST = 16 << 10, BLOCKS_FEW = 64 << 10, BLOCK_LEAST = 512 };
/* the frame header's descriptor */
enum { HAS_CHECKSUM = 1 << 2, SINGLE_SEGMENT = 1 << 5, LENGTH_SHIFT = 6, DICTIONARY = 3 };
/* a block's header: whether it is the last one, its type, its size */
enum { BLOCK_LAST = 1, BLOCK_TYPE_SHIFT = 1, BLOCK_TYPE = 3, BLOCK_SIZE_SHIFT = 3, BLOCK_REPEAT = 1, BLOCK_PACKED = 2,
       BLOCK_NONE = 3 };

_Static_assert(FRAME_UNMEASURED == ZSTD_CONTENTSIZE_UNKNOWN, "as libzstd says it");

/* decoded: bytes that what lies before `at` can be at most. */
struct walk { struct input *input; const struct frame_limits *limits; uint64_t at, decoded, blocks; };

static uint64_t number(const unsigned char *at, size_t bytes)
{
    uint64_t n = 0;

    for (size_t i = bytes; i-- > 0; ) n = n << 8 | at[i];
    return n;
}

static bool is_frame(const unsigned char *magic) { return number(magic, FRAME_MAGIC_BYTES) == 0xFD2FB528; }
static bool is_skipped(const unsigned char *magic) { return number(magic, FRAME_MAGIC_BYTES) >> 4 == 0x184D2A5; }

/* How long the header is, and what it says of the decoded length; 0: it wants a dictionary, or is none. */
static size_t head_read(const unsigned char *head, uint64_t *decoded)
{
    static const unsigned char length_bytes[] = { 0, 2, 4, 8 };
    const unsigned char        flags = head[FRAME_MAGIC_BYTES], kind = flags >> LENGTH_SHIFT;
    const bool                 single = flags & SINGLE_SEGMENT;

    *decoded = ZSTD_getFrameContentSize(head, FRAME_HEAD_MOST);
    if (flags & DICTIONARY || *decoded == ZSTD_CONTENTSIZE_ERROR) return 0;
    return (size_t)FRAME_MAGIC_BYTES + 1 + !single + (kind || !single ? length_bytes[kind] : 1);
}

/* From the first block to behind the frame.  1; 0: it does not end in the file, or is beyond the limits; -EIO. */
static int blocks_pass(struct walk *w, bool checksum, struct err *err)
{
    const uint64_t before = w->decoded;

    for (;;) {
        unsigned char  head[BLOCK_HEAD_BYTES];
        const int      rc = input_read_at(w->input, w->at, head, sizeof head, err);
        const uint64_t block = number(head, sizeof head), type = block >> BLOCK_TYPE_SHIFT & BLOCK_TYPE;

        if (rc <= 0) return rc;
        if (++w->blocks > BLOCKS_FEW && w->at / w->blocks < BLOCK_LEAST) return 0;
        w->decoded += type == BLOCK_PACKED ? BLOCK_MOST : block >> BLOCK_SIZE_SHIFT;
        if (type == BLOCK_NONE || w->decoded - before > w->limits->most ||
            (w->decoded > w->limits->free && w->decoded / w->limits->max_ratio > w->at)) return 0;
        w->at += BLOCK_HEAD_BYTES + (type == BLOCK_REPEAT ? 1 : block >> BLOCK_SIZE_SHIFT);
        if (block & BLOCK_LAST) break;
    }
    w->at += checksum ? CHECKSUM_BYTES : 0;
    return w->at <= w->input->size;
}

/* The next frame: 1; 0: there is none, or none that fits; <0.  *out.file: where it begins, also of one that is skipped,
 * which has no bytes. */
static int frame_next(struct walk *w, struct frame *out, struct err *err)
{
    const uint64_t left = w->input->size - w->at, before = w->decoded;
    unsigned char  head[FRAME_HEAD_MOST] = { 0 };
    size_t         bytes;
    int            rc;

    *out = (struct frame){ w->at, 0 };
    if (left < SKIP_HEAD_BYTES) return 0;
    rc = input_read_at(w->input, w->at, head, left < sizeof head ? (size_t)left : sizeof head, err);
    if (rc <= 0) return rc;
    if (is_skipped(head)) {
        const uint64_t skipped = SKIP_HEAD_BYTES + number(head + FRAME_MAGIC_BYTES, 4);

        w->at += skipped;
        return skipped <= left;
    }
    if (!is_frame(head) || (bytes = head_read(head, &out->bytes)) == 0) return 0;
    w->at += bytes;
    rc = blocks_pass(w, head[FRAME_MAGIC_BYTES] & HAS_CHECKSUM, err);
    if (rc <= 0 || out->bytes == FRAME_UNMEASURED) return rc;
    if (out->bytes > w->decoded - before) return 0;         /* its blocks do not hold so much */
    w->decoded = before + out->bytes;
    return 1;
}

int frames_find(struct input *input, const struct frame_limits *limits, struct frame **frame, size_t *frames,
                struct err *err)
{
    struct walk  w = { .input = input, .limits = limits };
    struct frame next;
    size_t       room = 0, seen = 0;
    int          rc = 1;

    *frame = NULL;
    *frames = 0;
    while (rc > 0 && w.at < input->size) {
        if ((rc = frame_next(&w, &next, err)) <= 0) break;
        if (++seen > FRAMES_FEW && w.at / seen < FRAME_LEAST) {             /* a list longer than what it spares */
            rc = 0;
            break;
        }
        if (!next.bytes) continue;
        if (ARRAY_GROW(*frame, room, *frames) < 0) rc = err_memory(err, (*frames + 1) * sizeof next, "frames");
        else (*frame)[(*frames)++] = next;
    }
    if (rc > 0 && *frames) return 1;
    free(*frame);
    *frame = NULL;
    *frames = 0;
    return rc < 0 ? rc : 0;
}

/* 1, 0, <0. */
static int measure(struct codec *codec, struct frame *frame, char *scratch, struct err *err)
{
    ssize_t got;

    codec_enter(codec, frame->file, true);
    frame->bytes = 0;
    while ((got = codec_read(codec, scratch, MEASURE_BYTES, err)) > 0) frame->bytes += (uint64_t)got;
    if (got != CODEC_CORRUPT && got != CODEC_TRUNCATED) return got < 0 ? (int)got : 1;
    *err = (struct err){ 0 };
    return 0;
}

int frames_measure(struct input *input, struct frame *frame, size_t frames, struct err *err)
{
    struct codec codec = { 0 };
    char        *scratch = malloc(MEASURE_BYTES);
    int          rc = scratch ? codec_open(&codec, input, err) : err_memory(err, MEASURE_BYTES, "decoding frames");

    if (rc == 0) rc = *codec.suffix && codec_can_enter(&codec);
    for (size_t i = 0; i < frames && rc > 0; i++) rc = measure(&codec, &frame[i], scratch, err);
    codec_close(&codec);
    free(scratch);
    return rc;
}
