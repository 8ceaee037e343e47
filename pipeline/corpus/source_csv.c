/* corpus/source_csv.c -- CSV and TSV: a line of names, then rows.  Here rows are found; threads take them apart
 * (batch.c).
 *
 * Told by name, as bytes cannot.  A row longer than a record may be is a reject, and so is one in which something
 * follows a closing quote.  Reading goes on with the line in which that was met, as the quote that was never closed
 * is in one before; behind a row that is too long, at its end, or, where that is not met in as many bytes again, with
 * a line.  So no quote swallows the rest of the file, in memory or out of it, and every byte is looked at twice at
 * most. */
#include "corpus/csv.h"
#include "corpus/json_record.h"
#include "corpus/line.h"
#include "corpus/shared.h"
#include "corpus/source_state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { HEADER_MOST = 1 << 20 };
/* behind a bad row: the rest of a row that is too long is passed over; a line end is looked for */
enum csv_skip { SKIP_NOTHING, SKIP_ROW, SKIP_LINE };

struct csv_source {
    char            separator;
    struct shared  *columns;                                /* what batches hold (struct batch) */
    enum csv_place  place;                                  /* in the row at hand, */
    size_t          scanned;                                /* after so many bytes of it */
    enum csv_skip   skip;
    uint64_t        skipped;                                /* SKIP_ROW: so far */
    bool            unclosed;                               /* the data have ended in quotes once */
};

/* ---- the line of names ---- */

static uint32_t column_fields(const struct source *source, const struct field_map *map, struct slice name,
                              unsigned *text_rank)
{
    uint32_t fields = 0;

    for (size_t i = 0; i < map->count; i++) {
        if (!slice_equal(map->at[i].name, name)) continue;
        if (map->at[i].fields & 1u << FIELD_TEXT) *text_rank = map->at[i].rank;
        fields |= map->at[i].fields;
    }
    for (uint32_t e = 0; e < DATASET_EXTRA; e++)
        if (source->dataset->extra[e] && slice_equal(slice_of(source->dataset->extra[e]), name))
            fields |= 1u << (FIELD_COUNT + e);
    return fields;
}

_Static_assert(FIELD_COUNT + DATASET_EXTRA <= 32, "the fields of a column are bits");

/* Every field is of the first column that is called so, the text of the best name. */
static int columns_make(struct source *source, char *names, size_t len, struct err *err)
{
    struct bytes    *out = &source->csv->columns->bytes;
    struct field_map map;
    struct slice     name;
    uint32_t         taken = 0, fields;
    unsigned         best = UINT32_MAX, rank;
    size_t           at = 0, text = SIZE_MAX;
    bool             quoted;

    field_map_set(&map, source->dataset);
    out->len = 0;
    if (bytes_append(out, &(uint32_t){ (unsigned char)source->csv->separator }, sizeof(uint32_t)) < 0)
        return err_memory(err, len, "columns");
    while (csv_next_field((struct slice){ names, len }, source->csv->separator, &at, &name, &quoted)) {
        if (quoted) name.len = csv_unquote(names + (name.at - names), name);
        rank = UINT32_MAX;
        fields = column_fields(source, &map, name, &rank) & ~taken;
        if (rank < best) {
            best = rank;
            text = out->len;
        }
        fields &= ~(1u << FIELD_TEXT);
        taken |= fields;
        if (bytes_append(out, &fields, sizeof fields) < 0) return err_memory(err, len, "columns");
    }
    if (text == SIZE_MAX) return -ENOENT;
    memcpy(&fields, out->at + text, sizeof fields);
    fields |= 1u << FIELD_TEXT;
    memcpy(out->at + text, &fields, sizeof fields);
    return 0;
}

/* The line of names as far as it fits. */
static int no_text(const struct source *source, struct slice line, struct err *err)
{
    const char *given = source->dataset->fields[FIELD_TEXT];
    const int   len = (int)(line.len < 300 ? line.len : 300);

    return err_set(err, -EINVAL, "%s: datasets.%s.fields.text: there is no column %s; the columns are %.*s%s"
                                 "; say which it is: fields: {text: COLUMN} (or --field text=COLUMN)",
                   source->shard->name, source->dataset->name, given ? given : "text, content or code", len, line.at,
                   line.len > 300 ? "..." : "");
}

/* Passes blank lines over, as between rows: a table without columns is written as one. */
static int blanks_pass(struct source *source, struct err *err)
{
    struct bytes *raw = &source->carry;
    ssize_t       got = 1;

    while (got > 0) {
        size_t blank = 0;

        while (blank < raw->len && (raw->at[blank] == '\n' || raw->at[blank] == '\r')) blank++;
        source->at += blank;
        raw->len -= blank;
        if (raw->len) memmove(raw->at, raw->at + blank, raw->len);
        if (raw->len) break;
        if (bytes_reserve(raw, SOURCE_HEAD_BYTES) < 0) return err_memory(err, SOURCE_HEAD_BYTES, "a line of names");
        got = source_read(source, raw->at, SOURCE_HEAD_BYTES, err);
        if (got > 0) raw->len = (size_t)got;
    }
    return got < 0 ? (int)got : 0;
}

/* Reads until the line of names is whole.  *end: its length, with its line end; 0: there is none. */
static int header_read(struct source *source, size_t *end, struct err *err)
{
    struct bytes  *raw = &source->carry;
    enum csv_place place = CSV_FIELD;
    enum csv_end   met = CSV_MORE;
    size_t         scanned = 0, used;
    ssize_t        got = 1;

    *end = 0;
    while (met == CSV_MORE && got > 0) {
        if (raw->len > HEADER_MOST)
            return err_set(err, -EINVAL, "%s: its line of names is longer than 1 MiB", source->shard->name);
        if (bytes_reserve(raw, raw->len + SOURCE_HEAD_BYTES) < 0) return err_memory(err, raw->len, "a line of names");
        got = source_read(source, raw->at + raw->len, SOURCE_HEAD_BYTES, err);
        if (got < 0) return (int)got;
        raw->len += (size_t)got;
        met = csv_scan(&place, (struct slice){ raw->at + scanned, raw->len - scanned }, source->csv->separator, &used);
        scanned += used;
    }
    if (met == CSV_BROKEN || place == CSV_QUOTED)
        return err_set(err, -EINVAL, "%s: a quote in its first line, which has the names of the columns, is not closed "
                                     "as CSV has it", source->shard->name);
    *end = scanned;
    return 0;
}

int source_open_csv(struct source *source, char separator, struct err *err)
{
    struct csv_source *csv = source->csv = calloc(1, sizeof *csv);
    struct slice       line;
    char              *names;
    size_t             end;
    int                rc;

    if (!csv || !(csv->columns = shared_new())) return err_memory(err, sizeof *csv, "a table");
    csv->separator = separator;
    source->kind = BATCH_CSV;
    source->fill = source_fill_csv;
    if ((rc = blanks_pass(source, err)) < 0 || (rc = header_read(source, &end, err)) < 0) return rc;
    line = csv_row_without_end((struct slice){ source->carry.at, end });
    source->at += end;
    /* Of a line that is cut, the damage is told instead. */
    if (end && (!source->damage.there || line.len < end)) {
        if (!(names = malloc(line.len + 1))) return err_memory(err, line.len, "a line of names");
        memcpy(names, line.at, line.len);
        rc = columns_make(source, names, line.len, err);
        free(names);
        if (rc == -ENOENT) return no_text(source, line, err);
        if (rc < 0) return rc;
    }
    memmove(source->carry.at, source->carry.at + end, source->carry.len - end);
    source->carry.len -= end;
    return 0;
}

void source_close_csv(struct source *source)
{
    if (source->csv) shared_release(source->csv->columns);
    free(source->csv);
    source->csv = NULL;
}

/* ---- rows ---- */

/* The row at *at is longer than a record may be: what follows is not kept. */
static int row_too_long(struct source *source, const struct batch *batch, size_t *at)
{
    struct csv_source *csv = source->csv;
    uint64_t           byte = batch->byte + *at;
    char               why[64];

    snprintf(why, sizeof why, "longer than %llu bytes", (unsigned long long)source->max_record);
    *at += csv->scanned;
    csv->scanned = 0;
    csv->skip = SKIP_ROW;
    csv->skipped = 0;
    return source_reject_later(source, byte, byte, REJECT_TOO_LONG, why);
}

/* Something follows a closing quote.  The line that it is in may well be a row: the quote was opened in one before. */
static int row_broken(struct source *source, const struct batch *batch, size_t *at)
{
    struct csv_source *csv = source->csv;
    const char        *row = batch->raw.at + *at, *feed = memrchr(row, '\n', csv->scanned);
    uint64_t           from = batch->byte + *at, byte = from + csv->scanned;

    csv->skip = feed ? SKIP_NOTHING : SKIP_LINE;
    *at += feed ? (size_t)(feed - row) + 1 : csv->scanned;
    csv->scanned = 0;
    csv->place = CSV_FIELD;
    return source_reject_later(source, from, byte, REJECT_INVALID_CSV, "something follows a closing quote");
}

/* The data end in quotes: the lines behind are read once more, without that one. */
static int row_unclosed(struct source *source, const struct batch *batch, size_t *at)
{
    struct csv_source *csv = source->csv;
    const char        *row = batch->raw.at + *at, *feed = memchr(row, '\n', csv->scanned);
    uint64_t           byte = batch->byte + *at;

    *at = feed && !csv->unclosed ? *at + (size_t)(feed - row) + 1 : batch->raw.len;
    csv->unclosed = true;
    csv->scanned = 0;
    csv->place = CSV_FIELD;
    return source_reject_later(source, byte, byte, REJECT_INVALID_CSV, "a quote is never closed");
}

/* Passes over the rest of a bad row. */
static int skip_step(struct source *source, const struct bytes *raw, size_t *at)
{
    struct csv_source *csv = source->csv;
    struct slice       rest = { raw->at + *at, raw->len - *at };
    enum csv_end       met;
    const char        *feed;
    size_t             used;

    if (csv->skip == SKIP_LINE) {
        feed = rest.len ? memchr(rest.at, '\n', rest.len) : NULL;
        *at = feed ? (size_t)(feed - raw->at) + 1 : raw->len;
        if (!feed) return source_is_drained(source) ? PIECE_TAKEN : PIECE_MORE;
    } else {
        if (rest.len > source->max_record - csv->skipped) rest.len = source->max_record - csv->skipped;
        met = csv_scan(&csv->place, rest, csv->separator, &used);
        *at += used;
        csv->skipped += used;
        if (met == CSV_BROKEN || csv->skipped == source->max_record) {
            csv->skip = met == CSV_ROW ? SKIP_NOTHING : SKIP_LINE;
            csv->place = CSV_FIELD;
            return PIECE_TAKEN;
        }
        if (met == CSV_MORE) return source_is_drained(source) ? PIECE_TAKEN : PIECE_MORE;
    }
    csv->skip = SKIP_NOTHING;
    csv->place = CSV_FIELD;
    return PIECE_TAKEN;
}

/* Blank lines are no rows.  False: what is there does not tell. */
static bool skip_blank_lines(const struct source *source, const struct bytes *raw, size_t *at)
{
    for (;; (*at)++) {
        if (*at == raw->len) return source_is_drained(source);
        if (raw->at[*at] == '\n') continue;
        if (raw->at[*at] != '\r') return true;
        if (*at + 1 == raw->len) return source_is_drained(source);
        if (raw->at[*at + 1] != '\n') return true;
    }
}

static int row_step(struct source *source, struct batch *batch, size_t *at, struct err *err)
{
    struct csv_source *csv = source->csv;
    struct bytes      *raw = &batch->raw;
    const uint64_t     most = source->max_record + 3;       /* with its line end, and a byte more */
    enum csv_end       met;
    size_t             used, len;
    bool               bad;

    if (csv->skip && !(source_is_drained(source) && *at == raw->len)) return skip_step(source, raw, at);
    if (source->late.there) return source_reject_late(source, batch, *at, err);
    if (!csv->scanned && !skip_blank_lines(source, raw, at)) return PIECE_MORE;
    if (*at == raw->len) {
        if (!source->damage.there) return PIECE_END;
        if (batch->record_count) return PIECE_FULL;
        source->finished = true;
        return source_reject(source, batch, batch->byte + *at, source->damage.loss, source->damage.reason,
                             source->damage.detail, err) < 0 ? -ENOMEM : PIECE_FULL;
    }
    if (!source_batch_takes(source, batch, *at)) return PIECE_FULL;
    len = raw->len - *at - csv->scanned;
    if (len > most - csv->scanned) len = (size_t)(most - csv->scanned);
    met = csv_scan(&csv->place, (struct slice){ raw->at + *at + csv->scanned, len }, csv->separator, &used);
    csv->scanned += used;
    if (met == CSV_MORE && csv->scanned < most && !source_is_drained(source)) return PIECE_MORE;
    if (met == CSV_MORE && csv->scanned < most && source->damage.there) {
        *at = raw->len;                                     /* what was decoded of the last row is none */
        csv->scanned = 0;
        return PIECE_TAKEN;
    }
    bad = met == CSV_BROKEN || (met == CSV_MORE && (csv->scanned == most || csv->place == CSV_QUOTED));
    if (bad && batch->record_count) {                       /* it is met once more, alone */
        csv->scanned = 0;
        csv->place = CSV_FIELD;
        return PIECE_FULL;
    }
    if (bad)
        return met == CSV_BROKEN ? row_broken(source, batch, at)
            : csv->scanned == most ? row_too_long(source, batch, at) : row_unclosed(source, batch, at);
    if (source_add_piece(source, batch, *at, csv->scanned, err) < 0) return -ENOMEM;
    *at += csv->scanned;
    csv->scanned = 0;
    csv->place = CSV_FIELD;
    return PIECE_TAKEN;
}

int source_fill_csv(struct source *source, struct batch *batch, struct err *err)
{
    batch->held = shared_hold(source->csv->columns);
    return source_fill_pieces(source, batch, row_step, err);
}
