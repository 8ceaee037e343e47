/* corpus/writer.c -- see writer.h. */
#include "corpus/writer.h"

#include "base/utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

/* ---- frames ---- */

struct packer {
    ZSTD_CCtx   *context;
    /* a frame at its largest: kept apart, so that what is kept is no larger than it must be */
    struct bytes scratch;
};

int packer_open(struct packer **out, int level, struct err *err)
{
    struct packer *packer = calloc(1, sizeof *packer);

    *out = packer;
    if (packer) packer->context = ZSTD_createCCtx();
    if (!packer || !packer->context) {
        packer_close(packer);
        *out = NULL;
        return err_memory(err, sizeof *packer, "packing zstd");
    }
    if (level < 1) level = 1;
    ZSTD_CCtx_setParameter(packer->context, ZSTD_c_compressionLevel, level < ZSTD_maxCLevel() ? level
                           : ZSTD_maxCLevel());
    ZSTD_CCtx_setParameter(packer->context, ZSTD_c_checksumFlag, 1);
    return 0;
}

void packer_close(struct packer *packer)
{
    if (!packer) return;
    ZSTD_freeCCtx(packer->context);
    bytes_free(&packer->scratch);
    free(packer);
}

int packer_frame(struct packer *packer, struct slice text, struct bytes *out, struct err *err)
{
    size_t bound = ZSTD_compressBound(text.len), len;

    if (bytes_reserve(&packer->scratch, bound) < 0) return err_memory(err, bound, "packing zstd");
    len = ZSTD_compress2(packer->context, packer->scratch.at, bound, text.at, text.len);
    /* There is room for the largest result, so memory is all that can be missing. */
    if (ZSTD_isError(len)) return err_memory(err, text.len, "packing zstd");
    return bytes_append(out, packer->scratch.at, len) < 0 ? err_memory(err, len, "packing zstd") : 0;
}

unsigned packer_version(void) { return ZSTD_versionNumber(); }

/* ---- files ---- */

/* Frames with less text are joined, to frames of no more than that. */
enum { JOIN_BELOW = 256 << 10, JOINED = 1 << 20 };

struct writer {
    char              *root;
    char               place[FILE_NAME_MAX];                /* what it will be called */
    struct inside_file file;
    bool               begun;                               /* it has a frame, and is there */
    struct packer     *packer;                              /* of joined frames; NULL: none are */
    struct bytes       text, frame;                         /* what waits to be one, and what it becomes */
};

int writer_open(struct writer **out, const char *root, const char *place, struct err *err)
{
    struct writer *writer = calloc(1, sizeof *writer);

    *out = NULL;
    if (!writer) return err_memory(err, sizeof *writer, "a file");
    if (strlen(place) >= sizeof writer->place) {
        free(writer);
        return err_set(err, -ENAMETOOLONG, "%.80s...: name too long", place);
    }
    strcpy(writer->place, place);
    writer->root = strdup(root);
    if (!writer->root) {
        free(writer);
        return err_memory(err, strlen(root), "a path");
    }
    *out = writer;
    return 0;
}

static int writer_create(struct writer *writer, struct err *err)
{
    int rc = inside_create(&writer->file, writer->root, writer->place, err);

    writer->begun = rc == 0;
    return rc;
}

int writer_join(struct writer *writer, int level, struct err *err) { return packer_open(&writer->packer, level, err); }

static int lay(struct writer *writer, struct slice frames, struct err *err)
{
    if (!writer->begun && writer_create(writer, err) < 0) return err->code;
    return inside_append(&writer->file, frames.at, frames.len, err);
}

static int lay_joined(struct writer *writer, struct err *err)
{
    int rc = 0;

    if (!writer->text.len) return 0;
    writer->frame.len = 0;
    rc = packer_frame(writer->packer, bytes_slice(&writer->text), &writer->frame, err);
    writer->text.len = 0;
    return rc < 0 ? rc : lay(writer, bytes_slice(&writer->frame), err);
}

static int join(struct writer *writer, struct slice frame, size_t text, struct err *err)
{
    struct bytes *all = &writer->text;

    if (all->len + text > JOINED && lay_joined(writer, err) < 0) return err->code;
    if (bytes_reserve(all, all->len + text) < 0) return err_memory(err, text, "packing zstd");
    if (ZSTD_decompress(all->at + all->len, text, frame.at, frame.len) != text)
        return err_set(err, -EBADMSG, "%s: a frame that is to go there is damaged", writer->place);
    all->len += text;
    return 0;
}

int writer_append(struct writer *writer, struct slice frames, struct err *err)
{
    int rc = 0;

    if (!writer->packer) return frames.len ? lay(writer, frames, err) : 0;
    while (frames.len && rc == 0) {
        struct slice       frame = { frames.at, ZSTD_findFrameCompressedSize(frames.at, frames.len) };
        unsigned long long text = ZSTD_getFrameContentSize(frames.at, frames.len);      /* errors are the largest */

        if (ZSTD_isError(frame.len)) frame.len = frames.len;
        if (text < JOIN_BELOW) rc = join(writer, frame, (size_t)text, err);
        else {
            rc = lay_joined(writer, err);
            if (rc == 0) rc = lay(writer, frame, err);
        }
        frames = (struct slice){ frames.at + frame.len, frames.len - frame.len };
    }
    return rc;
}

int writer_commit(struct writer *writer, struct file_sum *sum, struct err *err)
{
    int rc = lay_joined(writer, err);

    if (rc == 0 && writer->begun) {
        writer->begun = false;
        rc = inside_commit(&writer->file, sum, err) < 0 ? err->code : 1;
    }
    writer_abandon(writer);
    return rc;
}

void writer_abandon(struct writer *writer)
{
    if (!writer) return;
    if (writer->begun) inside_abandon(&writer->file);
    free(writer->root);
    packer_close(writer->packer);
    bytes_free(&writer->text);
    bytes_free(&writer->frame);
    free(writer);
}

/* ---- strings ---- */

static int append_escaped(struct bytes *out, unsigned char c)
{
    static const char plain[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
    const char       *found = c ? strchr(plain, c) : NULL;

    return found ? bytes_append(out, (char[]){ '\\', letter[found - plain] }, 2) : bytes_printf(out, "\\u%04x", c);
}

static int append_valid(struct bytes *out, struct slice text)
{
    int rc = 0;

    for (size_t i = 0, plain = 0; i <= text.len && rc == 0; i++) {
        unsigned char c = i < text.len ? (unsigned char)text.at[i] : 0;

        if (i < text.len && c >= 0x20 && c != '"' && c != '\\') continue;
        rc = bytes_append(out, text.at + plain, i - plain);
        if (rc == 0 && i < text.len) rc = append_escaped(out, c);
        plain = i + 1;
    }
    return rc;
}

int json_append_string(struct bytes *out, struct slice text)
{
    struct bytes repaired = { 0 };
    int          rc = bytes_append(out, "\"", 1);

    if (rc == 0 && utf8_valid_length(text) < text.len) {
        rc = utf8_repair(&repaired, text);
        if (rc == 0) rc = append_valid(out, bytes_slice(&repaired));
        bytes_free(&repaired);
    } else if (rc == 0) rc = append_valid(out, text);
    return rc < 0 ? rc : bytes_append(out, "\"", 1);
}
