/* corpus/codec.c -- which codec a file has, and the one that does nothing.  See codec.h. */
#include "corpus/codec.h"
#include "base/slice.h"

#include <errno.h>
#include <string.h>

_Static_assert(CODEC_CORRUPT == -EBADMSG && CODEC_TRUNCATED == -ENODATA, "codes are errno values");

static int open_plain(void **state, struct input *input, struct err *err)
{
    (void)err;
    *state = input;
    return 0;
}

static ssize_t read_plain(void *state, void *out, size_t n, struct err *err) { return input_read(state, out, n, err); }

static struct codec_place place_plain(void *state) { return (struct codec_place){ input_taken(state), 0, false }; }

static void close_plain(void *state) { (void)state; }

static void enter_plain(void *state, uint64_t at, bool alone)
{
    (void)alone;
    input_seek(state, at);
}

static const struct codec_kind codec_plain = { open_plain, read_plain, place_plain, close_plain, enter_plain };

enum { SKIPPABLE };                                         /* place among the magics */

/* The first bytes that give a codec away; `any` bits of the first one are not looked at. */
static const struct magic {
    const struct codec_kind *kind;
    const char              *suffix;
    unsigned char            any, len, bytes[6];
} magics[] = {
    /* a skippable frame first, as pzstd writes, or lz4's own */
    [SKIPPABLE] = { &codec_zstd, ".zst", 0x0F, 4, { 0x50, 0x2A, 0x4D, 0x18 } },
    { &codec_zstd,   ".zst", 0x00, 4, { 0x28, 0xB5, 0x2F, 0xFD } },
    { &codec_gzip,   ".gz",  0x00, 3, { 0x1F, 0x8B, 0x08 } },
    { &codec_xz,     ".xz",  0x00, 6, { 0xFD, '7', 'z', 'X', 'Z', 0x00 } },
    { &codec_filter, ".lz",  0x00, 5, { 'L', 'Z', 'I', 'P', 0x01 } },
    { &codec_filter, ".lz4", 0x00, 4, { 0x04, 0x22, 0x4D, 0x18 } },
    { &codec_filter, ".lz4", 0x00, 4, { 0x02, 0x21, 0x4C, 0x18 } },             /* its old frames */
    { &codec_filter, ".Z",   0x00, 2, { 0x1F, 0x9D } },
};

static bool has_magic(const struct magic *magic, const unsigned char *at, size_t n)
{
    return n >= magic->len && !((at[0] ^ magic->bytes[0]) & ~magic->any) &&
        !memcmp(at + 1, magic->bytes + 1, magic->len - 1u);
}

/* "BZh" alone could begin a text: the level and the first block's (or the empty stream's end) mark are wanted too. */
static bool is_bzip2(const unsigned char *at, size_t n)
{
    return n >= 10 && !memcmp(at, "BZh", 3) && at[3] >= '1' && at[3] <= '9'
        && (!memcmp(at + 4, "\x31\x41\x59\x26\x53\x59", 6) || !memcmp(at + 4, "\x17\x72\x45\x38\x50\x90", 6));
}

/* Properties that are possible, and a dictionary of 2^n or 2^n + 2^(n-1) bytes, as all programs write it. */
static bool is_lzma(const unsigned char *at, size_t n)
{
    const uint32_t dictionary = n < 13 ? 0 : (uint32_t)at[1] | (uint32_t)at[2] << 8 | (uint32_t)at[3] << 16 |
        (uint32_t)at[4] << 24, rest = dictionary & (dictionary - 1);

    return n >= 13 && at[0] < 225 && dictionary >= 4096 &&
        (!rest || rest + rest / 2 == dictionary || dictionary == UINT32_MAX);
}

/* Frames to be skipped, which zstd and lz4 write alike: 1: the frame behind them is one of lz4's; 0; -EIO. */
static int skips_to_lz4(struct input *input, struct err *err)
{
    unsigned char head[8];
    uint64_t      at = 0;
    int           rc;

    if (!has_magic(&magics[SKIPPABLE], input->buffer, input->len)) return 0;
    while ((rc = input_read_at(input, at, head, sizeof head, err)) > 0 && has_magic(&magics[SKIPPABLE], head, 4))
        at += sizeof head + ((uint64_t)head[4] | (uint64_t)head[5] << 8 | (uint64_t)head[6] << 16 |
                             (uint64_t)head[7] << 24);
    if (rc == 0) rc = input_read_at(input, at, head, 4, err);
    return rc <= 0 ? rc : head[0] == 0x04 && !memcmp(head + 1, "\x22\x4D\x18", 3);
}

/* A file cut so short that its magic is incomplete: only its name tells that it is no tiny text. */
static bool is_stump(const struct magic *magic, const struct input *input)
{
    return input->len < magic->len && slice_ends_in(slice_of(input->path), magic->suffix) &&
        !memcmp(input->buffer, magic->bytes, input->len);
}

int codec_open(struct codec *out, struct input *input, struct err *err)
{
    const unsigned char *at = input->buffer;
    int                  rc = input_fill(input, err);

    *out = (struct codec){ .kind = &codec_plain, .suffix = "" };
    if (rc < 0) return rc;
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (has_magic(&magics[i], at, input->len) || is_stump(&magics[i], input)) {
            out->kind = magics[i].kind;
            out->suffix = magics[i].suffix;
        }
    if (is_bzip2(at, input->len) || (input->len < 10 && slice_ends_in(slice_of(input->path), ".bz2") &&
                                     !memcmp(at, "BZh", input->len < 3 ? input->len : 3))) {
        out->kind = &codec_bzip2;
        out->suffix = ".bz2";
    }
    if (is_lzma(at, input->len) && slice_ends_in(slice_of(input->path), ".lzma")) {
        out->kind = &codec_xz;
        out->suffix = ".lzma";
    }
    if (out->kind == &codec_zstd && (rc = skips_to_lz4(input, err)) != 0) {
        if (rc < 0) return rc;
        out->kind = &codec_filter;
        out->suffix = ".lz4";
    }
    return out->kind->open(&out->state, input, err);
}

ssize_t codec_read(struct codec *codec, void *out, size_t n,
                   struct err *err) { return codec->kind->read(codec->state, out, n, err); }

struct codec_place codec_place(const struct codec *codec) { return codec->kind->place(codec->state); }

bool codec_can_enter(const struct codec *codec) { return codec->kind->enter != NULL; }

void codec_enter(struct codec *codec, uint64_t at, bool alone) { codec->kind->enter(codec->state, at, alone); }

void codec_close(struct codec *codec)
{
    if (codec->kind) codec->kind->close(codec->state);
    *codec = (struct codec){ 0 };
}
