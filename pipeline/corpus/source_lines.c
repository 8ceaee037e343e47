/* corpus/source_lines.c -- batches of whole lines, decoded straight into the batch.
 *
 * What follows the last line feed, or the border of a unit, is carried over to the next batch.  A batch holds complete
 * lines only, so parsing one needs nothing of its neighbours. */
#include "corpus/line.h"
#include "corpus/source_state.h"

#include <errno.h>
#include <stdio.h>

/* Passes over the rest of a line that is too long, in pieces, so that it never is in memory as a whole.  1 when its end
 * was found (what follows is in carry), 0 at the shard's end or when this call has done enough, <0. */
static int skip_line(struct source *source, struct bytes *scratch, struct err *err)
{
    if (bytes_reserve(scratch, SOURCE_BATCH_BYTES) < 0) return err_memory(err, SOURCE_BATCH_BYTES, "a batch");
    while (source->skipping && !source_is_tired(source)) {
        ssize_t     got = source_read(source, scratch->at, SOURCE_BATCH_BYTES, err);
        const char *end;
        size_t      skipped;

        if (got <= 0) return (int)got;
        end = memchr(scratch->at, '\n', (size_t)got);
        skipped = end ? (size_t)(end - scratch->at) + 1 : (size_t)got;
        source->at += skipped;
        source->skipping = end == NULL;
        if (bytes_append(&source->carry, scratch->at + skipped, (size_t)got - skipped) < 0)
            return err_memory(err, (size_t)got, "a batch");
    }
    return !source->skipping;
}

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

static uint64_t count_records(const struct batch *batch)
{
    struct slice line;
    uint64_t     count = 0;

    for (size_t at = 0; line_next(bytes_slice(&batch->raw), &at, &line); )
        count += batch->kind == BATCH_LINES || !line_is_blank(line);
    return count;
}

/* The line that is too long is over, or the shard is: its length is known now.  It is of the unit that it began in. */
static int reject_long(struct source *source, struct batch *batch, struct err *err)
{
    const uint64_t    from = source->skipped_from, feed = !source->skipping;
    const struct loss loss = { source->at - from - feed, 0 };
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
            continue;
        }
        if (!whole) return end_or_reject(source, batch, err);
        whole = cut_at_unit(source, raw, whole);
        if (bytes_append(&source->carry, raw->at + whole, raw->len - whole) < 0)
            return err_memory(err, raw->len - whole, "a batch");
        raw->len = whole;
        source->at += whole;
        batch->record_count = count_records(batch);
        note_open_end(source, batch);
    } while (batch->record_count == 0 && (source->skips || !source_is_tired(source)));  /* blank lines only */
    source->record += batch->record_count;
    return 1;
}
