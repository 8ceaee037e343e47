/* corpus/source_lines.c -- batches of whole lines, decoded straight into the batch.
 *
 * What follows the last line feed, or the border of a unit, is carried over to the next batch.  A batch holds complete
 * lines only, so parsing one needs nothing of its neighbours.
 *
 * A unit that nobody wants is passed over, to the first line behind its border, where the numbers of records are known
 * (source_set_starts). */
#include "corpus/line.h"
#include "corpus/source_state.h"

#include <errno.h>
#include <stdio.h>

/* What comes next, into scratch, which is empty: what was carried over, else up to `most` decoded bytes.  How many, or
 * as source_read. */
static ssize_t take_some(struct source *source, struct bytes *scratch, size_t most, struct err *err)
{
    struct bytes carried = source->carry;
    ssize_t      got;

    if (carried.len) {
        source->carry = *scratch;
        source->carry.len = 0;
        *scratch = carried;
        return (ssize_t)carried.len;
    }
    if (bytes_reserve(scratch, most) < 0) return err_memory(err, most, "a batch");
    got = source_read(source, scratch->at, most, err);
    if (got > 0) scratch->len = (size_t)got;
    return got;
}

/* Carries over what scratch holds from byte `at` on, and empties it. */
static int carry_rest(struct source *source, struct bytes *scratch, size_t at, struct err *err)
{
    const size_t rest = scratch->len - at;

    scratch->len = 0;
    return bytes_append(&source->carry, scratch->at + at, rest) < 0 ? err_memory(err, rest, "a batch") : 0;
}

/* Passes over the rest of a line, in pieces, so that it never is in memory as a whole.  0 also at the shard's end and
 * when this call has done enough, <0. */
static int skip_line(struct source *source, struct bytes *scratch, struct err *err)
{
    while (source->skipping && !source_is_tired(source)) {
        ssize_t     got = take_some(source, scratch, SOURCE_BATCH_BYTES, err);
        const char *end;
        size_t      skipped;

        if (got <= 0) return (int)got;
        end = memchr(scratch->at, '\n', (size_t)got);
        skipped = end ? (size_t)(end - scratch->at) : (size_t)got;
        if (skipped) source->skipped_cr = scratch->at[skipped - 1] == '\r';
        skipped += end != NULL;
        source->at += skipped;
        source->skipping = end == NULL;
        if (carry_rest(source, scratch, skipped, err) < 0) return err->code;
    }
    return 0;
}

/* ---- units that are passed over ---- */

static uint32_t last_unit(const struct source *source)
{
    uint64_t unit = source->units;

    while (unit && source->starts[unit - 1].record == source->starts[source->units].record) unit--;
    return (uint32_t)(unit ? unit - 1 : 0);
}

/* The next unit behind that one that a record starts in; there may be one that is longer than a unit between them. */
static uint64_t next_unit(const struct source *source, uint64_t unit)
{
    do unit++;
    while (unit < source->units && source->starts[unit].record == source->starts[unit + 1].record);
    return unit;
}

int source_go_to(struct source *source, const struct source_start *start, uint64_t target, bool follow,
                 struct bytes *scratch, struct err *err)
{
    if (source->at > target) return 1;                      /* behind a byte order mark */
    if (!follow && start->text > source->decoded) {
        codec_enter(&source->codec, start->file, false);
        source->head_at = source->head_len;
        source->carry.len = 0;
        source->decoded = source->at = start->text;
    }
    while (source->at < target && !source_is_tired(source)) {
        const uint64_t left = target - source->at;
        ssize_t        got = take_some(source, scratch, left < SOURCE_BATCH_BYTES ? (size_t)left : SOURCE_BATCH_BYTES,
                                       err);

        if (got < 0) return (int)got;
        if (got == 0) break;
        if ((uint64_t)got > left) got = (ssize_t)left;
        source->at += (uint64_t)got;
        if (carry_rest(source, scratch, (size_t)got, err) < 0) return err->code;
    }
    if (source->at < target && !source_is_drained(source)) return 0;
    source->skipping = true;
    return 1;
}

/* At the first line of a unit: whether somebody wants it.  One without records need not be asked for. */
static int ask_for_unit(struct source *source, struct err *err)
{
    const uint64_t             unit = source->entered = source->at / source->unit_bytes;
    const struct source_start *start;

    if (unit >= source->units) return 1;                    /* the file has grown: nothing of it will be used */
    start = source->starts + unit;
    if (source->record != start[0].record)
        return source_changed(err, "record %llu was number %llu when the lines were counted",
                              (unsigned long long)source->record, (unsigned long long)start[0].record);
    return start[0].record == start[1].record || !source->wants ||
           source->wants(source->wants_context, &(struct stretch){ start[0].record, start[1].record - start[0].record,
                                                                   (uint32_t)unit, (uint32_t)unit });
}

/* 1 when lines are passed over, as far as this call could; 0: what comes next is to be read; <0. */
static int pass_over(struct source *source, struct bytes *scratch, struct err *err)
{
    const bool packed = *source->codec.suffix;
    uint64_t   next, target;
    int        rc;

    if (!source->starts || source->skipping) return 0;
    source->behind = packed ? input_taken(&source->input) : source->at;
    if (!source->passing) {
        if (source->at / source->unit_bytes == source->entered) return 0;
        if ((rc = ask_for_unit(source, err)) != 0) return rc < 0 ? rc : 0;
        source->passing = true;
        source->record = source->starts[source->entered + 1].record;
        source->unit = (uint32_t)source->entered;           /* what is empty is of the last one */
    }
    next = next_unit(source, source->entered);
    target = next * source->unit_bytes - 1;
    if (target > source->starts[source->units].text) target = source->starts[source->units].text;
    /* what is packed is not decoded for the hash: its file is read again for it, which is less */
    rc = source_go_to(source, &source->starts[next], target, !packed && source_is_followed(source, last_unit), scratch,
                      err);
    if (rc > 0) source->passing = false;
    return rc < 0 ? rc : 1;
}

/* ---- what is read ---- */

/* Appends decoded bytes to raw until it holds a batch and at least one whole line.  *whole: length of its whole lines;
 * 0 when a line is longer than a record may be, or when nothing but damage is left. */
static int read_lines(struct source *source, struct bytes *raw, size_t *whole, struct err *err)
{
    const char *feed = raw->len ? memrchr(raw->at, '\n', raw->len) : NULL;
    size_t      want;
    ssize_t     got;

    *whole = feed ? (size_t)(feed - raw->at) + 1 : 0;
    for (;;) {
        if (raw->len >= SOURCE_BATCH_BYTES && *whole) return 0;
        if (!*whole && raw->len > source->max_record + 2) return 0;     /* 2: a CR LF may be still to come */
        want = raw->len < SOURCE_BATCH_BYTES ? SOURCE_BATCH_BYTES - raw->len : SOURCE_BATCH_BYTES;
        if (bytes_reserve(raw, raw->len + want) < 0) return err_memory(err, raw->len + want, "a batch");
        got = source_read(source, raw->at + raw->len, want, err);
        if (got < 0) return (int)got;
        if (got == 0) {
            if (!source->damage.there) *whole = raw->len;   /* the last line needs no line feed */
            return 0;
        }
        feed = memrchr(raw->at + raw->len, '\n', (size_t)got);
        if (feed) *whole = (size_t)(feed - raw->at) + 1;
        raw->len += (size_t)got;
    }
}

/* Shortens whole lines to those that start in the batch's unit. */
static size_t cut_at_unit(const struct source *source, const struct bytes *raw, size_t whole)
{
    uint64_t    border = (source->at / source->unit_bytes + 1) * source->unit_bytes;
    const char *feed;

    if (source->at + whole <= border) return whole;
    feed = memchr(raw->at + (border - source->at - 1), '\n', whole - (size_t)(border - source->at - 1));
    return feed ? (size_t)(feed - raw->at) + 1 : whole;
}

static uint64_t count_records(const struct batch *batch, uint64_t max_record)
{
    struct slice line;
    uint64_t     count = 0;

    for (size_t at = 0; line_next(bytes_slice(&batch->raw), &at, &line); )
        count += batch->kind == BATCH_LINES || line_is_record(line, max_record);
    return count;
}

/* The line that is too long is over, or the shard is: its length is known now.  It is of the unit that it began in. */
static int reject_long(struct source *source, struct batch *batch, struct err *err)
{
    const uint64_t    from = source->skipped_from, feed = !source->skipping;
    const struct loss loss = { source->at - from - feed - (feed && source->skipped_cr), 0 };
    char              why[64];

    snprintf(why, sizeof why, "longer than %llu bytes", (unsigned long long)source->max_record);
    batch->raw.len = 0;
    batch->byte = from;
    batch->unit = (uint32_t)(from / source->unit_bytes);
    source->skipping = source->skips = false;
    return source_reject(source, batch, from, loss, REJECT_TOO_LONG, why, err) < 0 ? -ENOMEM : 1;
}

/* No whole line could be read: the data end in it, or all is done. */
static int end_or_reject(struct source *source, struct batch *batch, struct err *err)
{
    size_t left = batch->raw.len;

    batch->raw.len = 0;
    if (!source->damage.there || source->finished) return 0;
    source->finished = true;
    return source_reject(source, batch, source->at + left, source->damage.loss, source->damage.reason,
                         source->damage.detail, err) < 0 ? -ENOMEM : 1;
}

/* Notes a last line without a line feed, which is the record that a cut file ends with. */
static void note_open_end(const struct source *source, struct batch *batch)
{
    batch->open_end = batch->kind == BATCH_JSON_LINES && batch->raw.at[batch->raw.len - 1] != '\n';
    batch->stored = codec_place(&source->codec).taken;
    batch->decoded = source->decoded;
}

int source_fill_lines(struct source *source, struct batch *batch, struct err *err)
{
    struct bytes *raw = &batch->raw;
    size_t        whole;
    int           rc;

    do {
        raw->len = 0;
        if (source->skipping && (rc = skip_line(source, raw, err)) < 0) return rc;
        if (source->skipping && source_is_tired(source)) return 1;
        if (source->skips) return reject_long(source, batch, err);
        if ((rc = pass_over(source, raw, err)) != 0) return rc;
        batch->byte = source->at;
        batch->unit = (uint32_t)(source->at / source->unit_bytes);
        if (bytes_append_slice(raw, bytes_slice(&source->carry)) < 0)
            return err_memory(err, source->carry.len, "a batch");
        source->carry.len = 0;
        if ((rc = read_lines(source, raw, &whole, err)) < 0) return rc;
        if (!whole && raw->len > source->max_record + 2) {
            source->skipped_from = source->at;
            source->at += raw->len;
            source->skipping = source->skips = true;
            source->skipped_cr = raw->at[raw->len - 1] == '\r';
            continue;
        }
        if (!whole) return end_or_reject(source, batch, err);
        whole = cut_at_unit(source, raw, whole);
        if (bytes_append(&source->carry, raw->at + whole, raw->len - whole) < 0)
            return err_memory(err, raw->len - whole, "a batch");
        raw->len = whole;
        source->at += whole;
        batch->record_count = count_records(batch, source->max_record);
        note_open_end(source, batch);
    } while (batch->record_count == 0 && (source->skips || !source_is_tired(source)));  /* blank lines only */
    source->record += batch->record_count;
    return 1;
}
