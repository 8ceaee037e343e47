/* corpus/codec_zstd.c -- .zst streams with libzstd: any number of frames, skippable ones too.  See codec.h. */
#include "corpus/codec.h"
#include "base/ratio.h"

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

enum { FRAME_HEAD_BYTES = 18 };

/* A header that lies is not believed beyond this, so that sums of such lies fit. */
static const uint64_t missing_max = 1ull << 46;

struct zstd_state {
    struct input *input;
    ZSTD_DCtx    *context;
    bool          in_frame;                                 /* the end of a frame has not been seen yet */
    bool          alone, ended;                             /* alone: its end is the end */
    uint64_t      frame_at, frame_out;                      /* where it begins in the file; bytes decoded of it */
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
        zstd->frame_out += to.pos - before;
        zstd->in_frame = result != 0;
        if (!zstd->in_frame) {
            zstd->frame_at = input_taken(input);
            zstd->frame_out = 0;
            zstd->ended = zstd->alone;
        }
        if (ZSTD_isError(result)) zstd->error = result;
        broken = zstd->error || (!filled && to.pos == before && zstd->in_frame);
    }
    return to.pos || !broken ? (ssize_t)to.pos : fail(zstd, err);
}

/* What the frame at hand says of its decoded length, taken back to the file by how it has packed so far; where nothing
 * of it was decoded, as if it did not pack. */
static struct codec_place place_zstd(void *state)
{
    struct zstd_state *zstd = state;
    struct codec_place place = { input_taken(zstd->input), 0, zstd->error && !zstd->ended };
    unsigned char      head[FRAME_HEAD_BYTES];
    struct err         ignored = { 0 };
    uint64_t           there = place.taken - zstd->frame_at, told;
    size_t             n = there < sizeof head ? (size_t)there : sizeof head;

    if (zstd->error || !zstd->in_frame || input_read_at(zstd->input, zstd->frame_at, head, n, &ignored) <= 0)
        return place;
    told = ZSTD_getFrameContentSize(head, n);               /* unknown is the most */
    place.unsound = told < zstd->frame_out;
    if (told == ZSTD_CONTENTSIZE_UNKNOWN || told == ZSTD_CONTENTSIZE_ERROR || told <= zstd->frame_out) return place;
    told = told < missing_max ? told : missing_max;
    if (told > zstd->frame_out)
        place.missing = zstd->frame_out ? ratio_share(told - zstd->frame_out, there, zstd->frame_out) : told;
    if (place.missing > missing_max) place.missing = missing_max;
    return place;
}

static void enter_zstd(void *state, uint64_t at, bool alone)
{
    struct zstd_state *zstd = state;

    input_go(zstd->input, at);
    ZSTD_DCtx_reset(zstd->context, ZSTD_reset_session_only);
    zstd->in_frame = at < zstd->input->size;
    zstd->alone = alone;
    zstd->ended = false;
    zstd->error = 0;
    zstd->frame_at = at;
    zstd->frame_out = 0;
}

const struct codec_kind codec_zstd = { open_zstd, read_zstd, place_zstd, close_zstd, enter_zstd };
