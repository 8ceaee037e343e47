/* corpus/source_parquet.c -- Parquet: the rows of each row group, put together from the columns that are fields.
 *
 * The columns are read side by side, each page by page, so the file's bytes are not met in order: the hash follows
 * behind, over bytes that the system has just had in hand. */
#include "base/ratio.h"
#include "corpus/json_record.h"
#include "corpus/parquet_column.h"
#include "corpus/parquet_fields.h"
#include "corpus/row_group.h"
#include "corpus/source_state.h"
#include "corpus/writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* bytes that a value counts for beside its text: nulls are no way to make much of little */
enum { VALUE_COST = 16 };
enum { HELD_BYTES_MIN = 256 << 10, HELD_BYTES_MAX = 64 << 20 };         /* of pages that batches point into */
enum { ROW_END = 0, ROW_TAKEN = 1, ROW_TOO_LONG = 2 };      /* or <0 */

struct parquet_source {
    struct parquet_footer      footer;
    struct parquet_fields      fields;
    struct parquet_column      column[PARQUET_FIELDS];      /* [fields.count] */
    struct row_group           group;                       /* at hand; source->at is text of its rows */
    bool                       passed;                      /* it was passed over, just now */
    uint64_t                   used, piece;                 /* of what it claims; in the unit's piece at hand */
    /* in the row group; in the file; in the row groups begun */
    uint64_t                   rows_left, rows_done, rows_told;
    struct bytes               tokens;                      /* of a row */
    uint64_t                   held;                        /* bytes of texts that the batch being filled points to */
    uint64_t                   fault_at;                    /* byte of the file where the last error lies */
    /* in the row group: what the values count for against the bytes read; when that is looked at; and what was read
     * before it */
    uint64_t                   made, made_next, read_before;
};

/* ---- opening ---- */

static int find_columns(struct source *source, struct err *err)
{
    struct parquet_source *p = source->parquet;
    int                    rc = parquet_fields_find(&p->fields, &p->footer, source->dataset, err);

    for (size_t i = 0; i < p->fields.count && rc == 0; i++)
        p->column[i] = (struct parquet_column){ .node = p->fields.node[i], .input = &source->input,
                                                .path = parquet_node_path(&p->footer, p->fields.node[i]),
                                                .max_ratio = dataset_max_ratio(source->dataset) };
    return rc;
}

/* Makes damage of an error that the data are to blame for: 0, or the error itself. */
static int to_damage(struct source *source, int rc, struct err *err)
{
    struct damage *damage = &source->damage;

    switch (rc) {
    case PARQUET_CORRUPT:   damage->reason = REJECT_CORRUPT; break;
    case PARQUET_TRUNCATED: damage->reason = REJECT_TRUNCATED; break;
    case PARQUET_BOMB:      damage->reason = REJECT_RATIO; break;
    case PARQUET_UNKNOWN:   damage->reason = REJECT_UNREADABLE; break;
    default: return rc;
    }
    damage->there = true;
    damage->byte = source->parquet->fault_at;
    snprintf(damage->detail, sizeof damage->detail, "%.*s", (int)sizeof damage->detail - 1, err->text);
    *err = (struct err){ 0 };
    return 0;
}

/* What is written as it should be, but not read, is told before a run has begun: of the footer, and of the first row
 * group that has rows. */
static int check_first_group(struct source *source, struct err *err)
{
    struct parquet_source *p = source->parquet;
    struct parquet_footer  copy = p->footer;
    struct parquet_chunk   chunk[PARQUET_FIELDS];
    struct err             ignored = { 0 };
    uint64_t               rows;
    int                    rc;

    do rc = parquet_next_group(&copy, p->fields.node, p->fields.count, chunk, &rows, &ignored);
    while (rc > 0 && !rows);
    if (rc == PARQUET_UNKNOWN) return err_set(err, -EINVAL, "%s", ignored.text);
    for (size_t i = 0; rc > 0 && i < p->fields.count; i++)
        if (parquet_codec_known(chunk[i].codec, err) < 0) return err->code = -EINVAL;
    return 0;
}

int source_open_parquet(struct source *source, struct err *err)
{
    struct parquet_source *p = source->parquet = calloc(1, sizeof *p);
    int                    rc;

    if (!p) return err_memory(err, sizeof *p, "a Parquet file");
    rc = parquet_footer_open(&p->footer, &source->input, err);
    if (rc == PARQUET_UNKNOWN) return err->code = -EINVAL;
    p->fault_at = p->footer.data_end ? p->footer.data_end : source->input.size;
    if (rc < 0) return to_damage(source, rc, err);
    rc = find_columns(source, err);
    return rc < 0 ? rc : check_first_group(source, err);
}

void source_close_parquet(struct source *source)
{
    struct parquet_source *p = source->parquet;

    if (!p) return;
    for (size_t i = 0; i < p->fields.count; i++) parquet_column_close(&p->column[i]);
    parquet_footer_close(&p->footer);
    bytes_free(&p->tokens);
    free(p);
    source->parquet = NULL;
}

/* ---- rows ---- */

/* The bytes that all columns have read. */
static uint64_t bytes_read(const struct parquet_source *p)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < p->fields.count; i++) sum += p->column[i].bytes_read;
    return sum;
}

/* Counts a value of len bytes.  0, or PARQUET_BOMB. */
static int count_value(struct source *source, uint64_t len, struct err *err)
{
    struct parquet_source *p = source->parquet;
    const uint32_t         most = dataset_max_ratio(source->dataset);
    uint64_t               from;

    p->made += len + VALUE_COST;
    if (p->made < p->made_next) return 0;
    p->made_next = p->made + (p->made / 8 < SOURCE_BATCH_BYTES ? p->made / 8 : SOURCE_BATCH_BYTES);
    from = bytes_read(p) - p->read_before;
    if (!row_group_is_bomb(&p->group, p->made, from, most)) return 0;
    return err_set(err, PARQUET_BOMB, "parquet: %llu bytes of values from %llu: more than max_ratio %u",
                   (unsigned long long)p->made, (unsigned long long)from, most);
}

/* The row's list as a JSON array of strings into p->tokens; at NULL: it is null.  1, 0 at the chunk's end,
 * ROW_TOO_LONG, <0. */
static int next_list(struct source *source, struct parquet_column *column, struct slice *list, struct err *err)
{
    struct parquet_source *p = source->parquet;
    struct slice           token;
    uint32_t               level;
    bool                   too_long = false;
    int                    rc = parquet_column_next(column, &token, &level, err);

    if (rc <= 0) return rc;
    *list = (struct slice){ 0 };
    p->tokens.len = 0;
    if (level + 1 < column->node->list_definition) return 1;
    if (bytes_append(&p->tokens, "[", 1) < 0) return err_memory(err, 1, "tokens");
    if (level >= column->node->list_definition)
        for (;;) {
            if (count_value(source, token.len, err) < 0) return err->code;
            too_long |= p->tokens.len > source->max_record;
            if (!too_long && (p->tokens.len > 1 ? bytes_append(&p->tokens, ",", 1) : 0) < 0)
                return err_memory(err, p->tokens.len, "tokens");
            if (!too_long && (token.at ? json_append_string(&p->tokens, token)
                              : bytes_append(&p->tokens, "null", 4)) < 0)
                return err_memory(err, p->tokens.len, "tokens");
            if ((rc = parquet_column_continues(column, err)) < 0) return rc;
            if (!rc) break;
            if ((rc = parquet_column_next(column, &token, &level, err)) < 0) return rc;
        }
    if (bytes_append(&p->tokens, "]", 1) < 0) return err_memory(err, p->tokens.len, "tokens");
    *list = bytes_slice(&p->tokens);
    return too_long ? ROW_TOO_LONG : 1;
}

static int next_value(struct source *source, size_t i, struct slice *value, struct err *err)
{
    struct parquet_column *column = &source->parquet->column[i];
    uint32_t               level;

    return column->node->max_repetition ? next_list(source, column, value, err)
        : parquet_column_next(column, value, &level, err);
}

/* Whether the batch points to a text instead of copying it: where it lies in a large page.  A batch points into one
 * page; what lies in small ones is copied, as it is in the cache, and what in giant ones, as one of them is enough to
 * have in memory. */
static bool hold(struct batch *batch, const struct parquet_column *column, struct slice text)
{
    struct shared *owner = parquet_column_owner(column, text);

    if (!owner || owner->bytes.len < HELD_BYTES_MIN || owner->bytes.len > HELD_BYTES_MAX ||
        (batch->held && batch->held != owner))
        return false;
    if (!batch->held) batch->held = shared_hold(owner);
    return true;
}

static int add_value(struct source *source, struct batch *batch, size_t i, struct slice value, struct err *err)
{
    struct parquet_source *p = source->parquet;
    struct row_value       head = { .field = p->fields.field[i], .len = (uint32_t)value.len };
    const char            *place = value.at;

    if (head.field == FIELD_TEXT && hold(batch, &p->column[i], value)) {
        p->held += value.len;
        head.field |= ROW_HELD;
        value = (struct slice){ (const char *)&place, sizeof place };
    }
    if (bytes_append(&batch->raw, &head, sizeof head) < 0 || bytes_append_slice(&batch->raw, value) < 0)
        return err_memory(err, value.len, "a row");
    return 0;
}

/* Appends the row's values to the batch; of a row that is too long some only.  *text_len: of its text; too long: of all
 * its values. */
static int next_row(struct source *source, struct batch *batch, uint64_t *text_len, struct err *err)
{
    struct parquet_source *p = source->parquet;
    uint64_t               len = 0;
    bool                   too_long = false;

    *text_len = 0;

    for (size_t i = 0; i < p->fields.count; i++) {
        struct slice value = { 0 };
        int          rc = next_value(source, i, &value, err);

        p->fault_at = p->column[i].page_byte;
        if (rc < 0) return rc;
        if (rc == 0)
            return err_set(err, PARQUET_CORRUPT, "parquet: column %.*s ends before its row group",
                           (int)p->column[i].path.len, p->column[i].path.at);
        if (count_value(source, value.len, err) < 0) return err->code;
        len += value.len;
        too_long |= rc == ROW_TOO_LONG || value.len > UINT32_MAX || len > source->max_record;
        if (!value.at || too_long) continue;
        if (p->fields.field[i] == FIELD_TEXT) *text_len = value.len;
        if (add_value(source, batch, i, value, err) < 0) return err->code;
    }
    if (too_long) *text_len = len;
    return too_long ? ROW_TOO_LONG : ROW_TAKEN;
}

/* The share of the file that rows are, which is told by the footer alone.  Where a row is less than a byte every reject
 * has one for itself, so that all of them together are no more than the file. */
static uint64_t bytes_of_rows(const struct source *source, uint64_t rows)
{
    const struct parquet_footer *footer = &source->parquet->footer;
    const uint64_t               size = source_size(source);

    if (!footer->rows) return size;
    if (footer->rows <= size) return ratio_share(size, rows, footer->rows);
    return 1 + ratio_share(size - 1 - footer->group_count, rows, footer->rows);
}

/* The row that could not be had stands for the rest of its row group, and costs their share of the file: columns that
 * nobody reads are lost with those that are.  It stands for the rest of the file when the row group does not even have
 * a number of rows: a footer of a million such would make a million rejects.  That is the footer's damage, known to
 * everybody; what is found in a row group's pages never costs another one, as not everybody reads them. */
static int reject_group(struct source *source, struct batch *batch, struct err *err)
{
    struct parquet_source *p = source->parquet;
    bool                   over = !p->rows_left;
    uint64_t               lost = over ? p->footer.rows - p->rows_done : p->rows_left;
    struct loss            loss = { bytes_of_rows(source, lost), 0 };

    source->lost = 0;                                       /* what others lose is not known to everybody */
    if (source_reject(source, batch, source->damage.byte, loss, source->damage.reason, source->damage.detail,
                      err) < 0)
        return -ENOMEM;
    if (lost > 1) {
        batch->rejects.at[batch->rejects.count - 1].records = lost;
        batch->record_count += lost - 1;
        source->record += lost - 1;
    }
    p->rows_done += p->rows_left;
    p->rows_left = 0;
    source->damage.there = false;
    source->finished = over;                                /* else the footer's count is still to be compared */
    return 0;
}

/* Where the row group lies among the others, now that it is known to be one that has rows.  Whether it is wanted. */
static bool place_group(struct source *source, const struct parquet_chunk *text)
{
    struct parquet_source *p = source->parquet;

    p->group = row_group_place(p->group.behind, row_group_claim(p->rows_left, text->unpacked), source->unit_bytes);
    p->group.free = row_group_free(source_size(source), dataset_max_ratio(source->dataset), p->rows_left,
                                   p->footer.rows, p->footer.group_count);
    p->made = 0;
    p->made_next = p->group.free;
    p->read_before = bytes_read(p);
    return !source->wants || source->wants(source->wants_context,
                                           &(struct stretch){ source->record, p->rows_left, p->group.first_unit,
                                                              p->group.last_unit });
}

/* Its rows keep their numbers. */
static void pass_over(struct source *source)
{
    struct parquet_source *p = source->parquet;

    source->record += p->rows_left;
    p->rows_done += p->rows_left;
    p->rows_left = 0;
    p->passed = true;
}

/* The next one that has rows, or is passed over: 1; 0 when there is none. */
static int next_group(struct source *source, struct err *err)
{
    struct parquet_source *p = source->parquet;
    struct parquet_chunk   chunk[PARQUET_FIELDS];
    int                    rc = parquet_next_group(&p->footer, p->fields.node, p->fields.count, chunk, &p->rows_left,
                                                   err);

    p->fault_at = p->footer.data_end;
    p->group = row_group_place(p->group.behind, 0, source->unit_bytes);
    source->at = p->used = 0;
    if (rc == 0) {
        source->finished = true;
        if (p->rows_told == p->footer.rows) return 0;
        return err_set(err, PARQUET_CORRUPT, "parquet: the footer counts %llu rows, its row groups hold %llu",
                       (unsigned long long)p->footer.rows,
                       (unsigned long long)p->rows_told);
    }
    if (p->rows_left > p->footer.rows - p->rows_told) {     /* they are not believed, and count for nothing */
        p->rows_left = 0;
        return err_set(err, PARQUET_CORRUPT, "parquet: the row groups hold more rows than the footer counts (%llu)",
                       (unsigned long long)p->footer.rows);
    }
    p->rows_told += p->rows_left;
    if (rc < 0 || !p->rows_left) return rc;
    for (size_t i = 0; i < p->fields.count; i++) {
        int known = parquet_codec_known(chunk[i].codec, err);

        if (known < 0) return known;
    }
    if (place_group(source, &chunk[p->fields.text]))
        for (size_t i = 0; i < p->fields.count; i++) parquet_column_start(&p->column[i], &chunk[i]);
    else
        pass_over(source);
    return rc;
}

/* Whether the page that the batch points into is over: a new batch lets go of it, so that the next page is unpacked in
 * its place. */
static bool at_page_end(const struct parquet_source *p, const struct batch *batch)
{
    const struct parquet_column *column = &p->column[p->fields.text];

    return batch->held && batch->held == column->page && !column->page_left;
}

/* Whether the next row may go into the batch. */
static bool has_room(const struct source *source, const struct batch *batch)
{
    const struct parquet_source *p = source->parquet;

    return batch->record_count == 0 ||
           (batch->raw.len + p->held + VALUE_COST * batch->record_count < SOURCE_BATCH_BYTES &&
            row_group_unit(&p->group, p->used, source->unit_bytes) == batch->unit &&
            !row_group_piece_is_full(p->piece, source->unit_bytes));
}

/* The next row's unit and piece are the batch's. */
static void place_batch(struct source *source, struct batch *batch)
{
    struct parquet_source *p = source->parquet;
    bool                   other, full;

    batch->byte = source->at;
    batch->unit = row_group_unit(&p->group, p->used, source->unit_bytes);
    other = batch->unit != source->unit;
    full = row_group_piece_is_full(p->piece, source->unit_bytes);
    if (other || full) p->piece = 0;
    batch->piece = other ? 0 : source->piece + full;
}

/* Rows of one row group until the batch is full: 0, or <0. */
static int fill_rows(struct source *source, struct batch *batch, struct err *err)
{
    struct parquet_source *p = source->parquet;

    while (p->rows_left && !at_page_end(p, batch) && has_room(source, batch)) {
        size_t   at = batch->raw.len;
        uint64_t len, cost;
        char     why[64];
        int      rc = next_row(source, batch, &len, err);

        if (rc != ROW_TAKEN) batch->raw.len = at;
        if (rc < 0) return rc;
        p->rows_left--;
        p->rows_done++;
        cost = row_group_claim(1, rc == ROW_TAKEN ? len : 0);
        p->used += cost;
        p->piece += cost;
        if (rc == ROW_TOO_LONG) {                           /* a reject is the batch's last record */
            snprintf(why, sizeof why, "longer than %llu bytes", (unsigned long long)source->max_record);
            return source_reject(source, batch, source->at, (struct loss){ len, 0 }, REJECT_TOO_LONG, why, err);
        }
        if (source_add_item(source, batch, len, at, batch->raw.len - at, err) < 0) return -ENOMEM;
    }
    return 0;
}

/* The unit that will be the last one, if no row group turns out to be damaged. */
static uint32_t last_unit(const struct source *source)
{
    const struct parquet_source *p = source->parquet;
    struct parquet_footer        copy = p->footer;
    struct row_group             group = p->group;
    struct parquet_chunk         chunk[PARQUET_FIELDS];
    struct err                   ignored = { 0 };
    uint64_t                     rows;

    while (copy.groups_left)
        if (parquet_next_group(&copy, p->fields.node, p->fields.count, chunk, &rows, &ignored) > 0 && rows)
            group = row_group_place(group.behind, row_group_claim(rows, chunk[p->fields.text].unpacked),
                                    source->unit_bytes);
    return group.last_unit;
}

/* Lets the hash follow to where in the file, roughly, the rows that were read lie. */
static int follow(struct source *source, struct err *err)
{
    struct parquet_source *p = source->parquet;
    double                 part = p->footer.rows ? (double)p->rows_done / (double)p->footer.rows : 1;
    double                 target = (double)source->input.size * (part < 1 ? part : 1);
    int                    rc = 1;

    if (!source_is_followed(source, last_unit)) {
        source->behind = (uint64_t)target;
        return 0;
    }

    if ((double)source->input.hashed < target) rc = input_finish(&source->input, SOURCE_STEP_BYTES, err);
    return rc < 0 ? rc : 0;
}

int source_fill_parquet(struct source *source, struct batch *batch, struct err *err)
{
    struct parquet_source *p = source->parquet;
    int                    rc = 0;

    if (source->damage.there && !p->rows_left) {            /* the footer's: there is nothing else to read */
        rc = reject_group(source, batch, err);
        source->finished = true;
        return rc < 0 ? rc : 1;
    }
    if (source->finished) return 0;
    p->held = 0;
    p->passed = false;
    while (rc == 0 && !p->rows_left && !p->passed && !source->finished) {
        rc = next_group(source, err);
        if (rc > 0) rc = 0;
    }
    place_batch(source, batch);
    if (rc == 0 && p->rows_left) rc = fill_rows(source, batch, err);
    if (rc < 0) {
        if ((rc = to_damage(source, rc, err)) < 0 || (rc = reject_group(source, batch, err)) < 0) return rc;
    }
    if (p->passed) {                                        /* what is empty is of the last one */
        source->unit = batch->unit;
        source->piece = batch->piece;
    }
    if ((rc = follow(source, err)) < 0) return rc;
    return batch->record_count > 0 || p->passed;
}
