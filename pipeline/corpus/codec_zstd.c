/* corpus/codec_zstd.c -- .zst streams with libzstd: any number of frames, skippable ones too.  See codec.h. */
#include "corpus/codec.h"

#include <stdbool.h>
#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

/* The library's own cap is 27 (128 MB), but corpora are packed with `zstd --long=31`.  Allowing it is safe: the window
 * is reserved, but a page of it costs memory only when decoded bytes fill it, so a lying header costs address space
 * alone. */
enum { WINDOW_LOG_MAX = 31 };

/* libzstd takes back all that one call has decoded when that call meets damage, so a call is given room for one block.
 */
enum { OUTPUT_STEP = 128 << 10 };

struct zstd_state {
    struct input *input;
    ZSTD_DCtx    *context;
    bool          in_frame;                                 /* the end of a frame has not been seen yet */
    bool          ended;
    /* libzstd's, told once all bytes decoded before it are out */
    size_t        error;
};

static void close_zstd(void *state)
{
    struct zstd_state *zstd = state;

    if (!zstd) return;
    ZSTD_freeDCtx(zstd->context);
    free(zstd);
}

static int open_zstd(void **state, struct input *input, struct err *err)
{
    struct zstd_state *zstd = calloc(1, sizeof *zstd);

    *state = zstd;
    if (zstd) zstd->context = ZSTD_createDCtx();
    if (!zstd || !zstd->context) return err_memory(err, sizeof *zstd, "decoding zstd");
    zstd->input = input;
    zstd->in_frame = true;                                  /* the codec was chosen because a frame begins */
    ZSTD_DCtx_setParameter(zstd->context, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
    return 0;
}

static ssize_t fail(struct zstd_state *zstd, struct err *err)
{
    unsigned long long at = input_taken(zstd->input);

    zstd->ended = true;
    if (!zstd->error)
        return err_set(err, CODEC_TRUNCATED, "zstd: the file ends inside a frame at compressed byte %llu", at);
    if (ZSTD_getErrorCode(zstd->error) == ZSTD_error_memory_allocation)
        return err_memory(err, 1ull << WINDOW_LOG_MAX, "a zstd window");
    return err_set(err, CODEC_CORRUPT, "zstd: %s after compressed byte %llu", ZSTD_getErrorName(zstd->error), at);
}

static ssize_t read_zstd(void *state, void *out, size_t n, struct err *err)
{
    struct zstd_state *zstd = state;
    struct input      *input = zstd->input;
    ZSTD_outBuffer     to = { out, 0, 0 };
    bool               broken = zstd->error && !zstd->ended;        /* not told yet */

    while (to.pos < n && !zstd->ended && !broken) {
        size_t        before = to.pos, result;
        int           filled = input_fill(input, err);
        ZSTD_inBuffer from = { input->buffer, input->len, input->at };

        to.size = n - to.pos < OUTPUT_STEP ? n : to.pos + OUTPUT_STEP;
        if (filled < 0) return filled;
        if (!filled && !zstd->in_frame) {
            zstd->ended = true;
            break;
        }
        result = ZSTD_decompressStream(zstd->context, &to, &from);
        input->at = from.pos;
        zstd->in_frame = result != 0;
        if (ZSTD_isError(result)) zstd->error = result;
        broken = zstd->error || (!filled && to.pos == before && zstd->in_frame);
    }
    return to.pos || !broken ? (ssize_t)to.pos : fail(zstd, err);
}

const struct codec_kind codec_zstd = { open_zstd, read_zstd, close_zstd };
