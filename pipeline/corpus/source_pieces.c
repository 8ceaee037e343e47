/* corpus/source_pieces.c -- batches of records that a splitter finds in the decoded text: elements of JSON, rows of
 * CSV.
 *
 * The splitter goes through the text step by step and says what it met; where it says that more is needed, more is
 * read.  What it has not passed when a batch is full is carried over to the next.  Nothing depends on where reads
 * end. */
#include "corpus/source_state.h"

#include <errno.h>
#include <stdio.h>

/* Reads on behind what is there.  What the splitter has passed without a record is let go first. */
static int read_on(struct source *source, struct batch *batch, size_t *at, struct err *err)
{
    struct bytes *raw = &batch->raw;
    size_t        want, left = raw->len - *at;
    ssize_t       got;

    if (!batch->record_count && *at) {
        memmove(raw->at, raw->at + *at, left);
        raw->len = left;
        batch->byte += *at;
        *at = 0;
    }
    want = raw->len < source->batch_bytes ? source->batch_bytes - raw->len : source->batch_bytes;
    if (want < left) want = left;                           /* twice as much: a long record is looked through twice */
    if (bytes_reserve(raw, raw->len + want) < 0) return err_memory(err, raw->len + want, "a batch");
    got = source_read(source, raw->at + raw->len, want, err);
    if (got < 0) return (int)got;
    raw->len += (size_t)got;
    source->ended |= got == 0;
    return 0;
}

bool source_batch_takes(const struct source *source, struct batch *batch, size_t at)
{
    const uint32_t unit = (uint32_t)((batch->byte + at) / source->unit_bytes);

    if (batch->record_count == 0) batch->unit = unit;
    return batch->record_count == 0 || (at < source->batch_bytes && batch->unit == unit);
}

int source_add_piece(struct source *source, struct batch *batch, size_t at, size_t len, struct err *err)
{
    source->at = batch->byte + at;
    return source_add_item(source, batch, len, 0, 0, err);
}

int source_reject_later(struct source *source, uint64_t from, uint64_t byte, enum reject_reason reason,
                        const char *why)
{
    source->late = (struct late_reject){ .there = true, .from = from, .byte = byte, .reason = reason };
    snprintf(source->late.why, sizeof source->late.why, "%.*s", (int)sizeof source->late.why - 1, why);
    return PIECE_TAKEN;
}

int source_reject_late(struct source *source, struct batch *batch, size_t at, struct err *err)
{
    const struct late_reject *late = &source->late;
    const struct loss         loss = { batch->byte + at - late->from, 0 };

    source->late.there = false;
    batch->unit = (uint32_t)(late->from / source->unit_bytes);
    return source_reject(source, batch, late->byte, loss, late->reason, late->why, err) < 0 ? -ENOMEM : PIECE_FULL;
}

int source_fill_pieces(struct source *source, struct batch *batch, source_step *step, struct err *err)
{
    struct bytes *raw = &batch->raw, spare = source->carry;
    size_t        at = 0;
    int           rc = PIECE_TAKEN;

    if (source->finished) return 0;
    source->carry = *raw;                                   /* its buffer is used again */
    *raw = spare;
    source->carry.len = 0;
    while (rc == PIECE_TAKEN) {
        rc = step(source, batch, &at, err);
        if (rc != PIECE_MORE) continue;
        if (batch->record_count && raw->len >= source->batch_bytes) break;
        if (!batch->record_count && source_is_tired(source)) break;
        rc = read_on(source, batch, &at, err) < 0 ? err->code : PIECE_TAKEN;
    }
    if (rc < 0) return rc;
    source->finished |= rc == PIECE_END;
    if (bytes_append(&source->carry, raw->at + at, raw->len - at) < 0)
        return err_memory(err, raw->len - at, "a batch");
    raw->len = at;
    source->at = batch->byte + at;
    return batch->record_count > 0 || !source->finished;
}
