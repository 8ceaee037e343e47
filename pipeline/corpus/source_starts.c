/* corpus/source_starts.c -- of a file of lines, where its units begin and how many records each has, found by many
 * readers together before any of them passes over what is not its own: see source.h. */
#include "corpus/frames.h"
#include "corpus/source_state.h"

#include <stdlib.h>

/* A frame that is longer is decoded from its beginning for too much that is not wanted. */
enum { FRAME_MOST = 64 << 20 };

bool source_has_starts(const struct source *source)
{
    return source->fill == source_fill_lines && codec_can_enter(&source->codec);
}

int source_frames(struct frame **frame, size_t *frames, const struct dataset *dataset, const struct shard *shard,
                  struct err *err)
{
    const struct frame_limits limits = { FRAME_MOST, SOURCE_RATIO_FREE, dataset_max_ratio(dataset) };
    struct source            *source;
    int                       rc = source_open(&source, dataset, shard, err);

    *frame = NULL;
    *frames = 0;
    if (rc < 0) return rc;
    rc = source_has_starts(source);
    if (rc > 0 && *source->codec.suffix) rc = frames_find(&source->input, &limits, frame, frames, err);
    source_close(source);
    return rc;
}

int source_measure(struct frame *frame, size_t frames, const struct shard *shard, struct err *err)
{
    struct input input;
    int          rc = input_open(&input, shard->path, err);

    if (rc < 0) return rc;
    rc = frames_measure(&input, frame, frames, err);
    input_close(&input);
    return rc;
}

/* The byte before a unit's first is the last whose line is another unit's. */
static uint64_t entry_of(uint64_t unit, uint64_t unit_bytes) { return unit ? unit * unit_bytes - 1 : 0; }

int source_starts(struct source_start **start, uint64_t *units, const struct frame *frame, size_t frames,
                  uint64_t file_bytes, uint64_t unit_bytes, struct err *err)
{
    uint64_t text = 0, all = frames ? 0 : file_bytes, unit = 0;

    for (size_t f = 0; f < frames; f++) all += frame[f].bytes;
    *units = all / unit_bytes + 1;
    *start = calloc(*units + 1, sizeof **start);
    if (!*start) return err_memory(err, *units * sizeof **start, "units");
    for (size_t f = 0; f < frames; text += frame[f++].bytes)
        for (; unit < *units && entry_of(unit, unit_bytes) < text + frame[f].bytes; unit++)
            (*start)[unit] = (struct source_start){ 0, frame[f].file, text };
    for (; unit < *units; unit++)
        (*start)[unit] = (struct source_start){ 0, entry_of(unit, unit_bytes), entry_of(unit, unit_bytes) };
    (*start)[unit] = (struct source_start){ 0, file_bytes, all };
    return 0;
}

int source_count_unit(uint64_t *records, const struct dataset *dataset, const struct shard *shard,
                      uint64_t unit_bytes, uint64_t unit, const struct source_start *start, struct err *err)
{
    struct source *source;
    struct batch   batch = { 0 };
    bool           sound;
    int            rc = source_open(&source, dataset, shard, err);

    *records = 0;
    if (rc < 0) return rc;
    if (!source_has_starts(source)) {
        source_close(source);
        return source_changed(err, "it is no file of lines any more");
    }
    batch.kind = source->kind;
    source_set_unit_bytes(source, unit_bytes);
    for (rc = !unit; rc == 0 && !source->damage.there; source->worked = 0)
        rc = source_go_to(source, start, unit * unit_bytes - 1, false, &batch.raw, err);
    while (rc > 0 && source->at / unit_bytes <= unit) {
        batch.record_count = 0;
        reject_list_clear(&batch.rejects);
        source->worked = 0;
        rc = source_fill_lines(source, &batch, err);
        if (rc > 0 && batch.unit == unit) *records += batch.record_count;
    }
    *records += source->skips && source->skipped_from / unit_bytes == unit;     /* where its end lies does not matter */
    /* a frame that gives more than it says: whoever enters behind it would not see that */
    sound = !source->damage.there && !codec_place(&source->codec).unsound;
    batch_free(&batch);
    source_close(source);
    return rc < 0 ? rc : sound;
}

void source_set_starts(struct source *source, const struct source_start *start, uint64_t units)
{
    if (!source_has_starts(source)) return;
    source->starts = start;
    source->units = units;
    source->entered = UINT64_MAX;
}
