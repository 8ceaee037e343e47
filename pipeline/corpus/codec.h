/* corpus/codec.h -- decoded bytes pulled from a file, whatever it is compressed with.
 *
 * The codec is told by the file's first bytes: zstd, gzip, xz, bzip2 (each: any number of frames, members or streams
 * one after the other), and through libarchive lzip, lz4 and compress; .lzma, which has no magic, by its name too; else
 * the bytes are taken as they are. */
#ifndef LEAKGRAPH_CORPUS_CODEC_H
#define LEAKGRAPH_CORPUS_CODEC_H

#include "corpus/input.h"

#include <stdbool.h>

/* What codec_read returns below zero besides -EIO (the file cannot be read) and -ENOMEM: damage in the data. */
enum { CODEC_CORRUPT = -74, CODEC_TRUNCATED = -61 };        /* -EBADMSG, -ENODATA: asserted in codec.c */

/* Zeros behind the end that are padding where a format or its tools have such: the largest block of a tape.  More of
 * them are a hole where something has been. */
enum { CODEC_PADDING_MAX = 1 << 20 };

/* How far a decoder got.  taken: bytes of the file that it has used.  missing: bytes that the file should have behind
 * its end, as the stream's header tells and the ratio so far estimates; 0: it does not tell.  unsound: the frame at
 * hand has given more than its header says, which its end will show to be damage, or damage was met that is not told
 * yet. */
struct codec_place { uint64_t taken, missing; bool unsound; };

/* One way to decode.  open: 0 or -ENOMEM.  read: as codec_read.  place: as codec_place.  close: accepts what open left.
 * enter: as codec_enter; NULL where it cannot be done. */
struct codec_kind {
    int       (*open)(void **state, struct input *input, struct err *err);
    ssize_t   (*read)(void *state, void *out, size_t n, struct err *err);
    struct codec_place (*place)(void *state);
    void      (*close)(void *state);
    void      (*enter)(void *state, uint64_t at, bool alone);
};
extern const struct codec_kind codec_zstd, codec_gzip, codec_xz, codec_bzip2, codec_filter;

struct codec {
    const struct codec_kind *kind;
    void                    *state;
    /* what such a file is called at its end: ".zst"; "" for plain files */
    const char              *suffix;
};

/* Looks at the first bytes of the input, which stay in it, and opens what they ask for.  input is borrowed until close.
 * 0; -EIO, -ENOMEM. */
int     codec_open(struct codec *out, struct input *input, struct err *err);

/* Up to n > 0 decoded bytes into out: their number, 0 at the end, or <0 with err set.  Bytes decoded before some damage
 * are delivered before it is told (zstd: whole blocks of 128 KB at most; bzip2: of 900 KB; libarchive's
 * codecs: of 64 KB, lz4's of 4 MB); it is told once, and nothing can be read after it. */
ssize_t codec_read(struct codec *codec, void *out, size_t n, struct err *err);
/* Where it is, after damage: what was decoded but not given yet counts as used. */
struct codec_place codec_place(const struct codec *codec);
/* Whether decoding may begin in the middle; and goes on with byte `at` of the file, where a frame begins, or the file
 * ends, or with any of a plain file.  alone: to the end of that frame. */
bool    codec_can_enter(const struct codec *codec);
void    codec_enter(struct codec *codec, uint64_t at, bool alone);
void    codec_close(struct codec *codec);                   /* a zeroed or closed codec may be closed */

#endif
