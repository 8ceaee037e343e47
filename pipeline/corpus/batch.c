/* corpus/batch.c -- batch_next: the records of a batch, one by one.  See record.h. */
#include "corpus/csv.h"
#include "base/file.h"
#include "corpus/inner_records.h"
#include "corpus/json_record.h"
#include "corpus/line.h"
#include "corpus/record.h"
#include "corpus/shared.h"
#include "base/ratio.h"
#include "base/utf8.h"
#include "kernels/kernels.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STEP_END = 0, STEP_RECORD = 1, STEP_REJECTED = 2 };  /* or passed over; or -ENOMEM */

static uint64_t max_record(const struct batch *batch) { return dataset_max_record(batch->dataset); }

static int rejected(int rc) { return rc < 0 ? rc : STEP_REJECTED; }

/* The dataset's policy for text that is no UTF-8.  bytes: of the record.  stored: the bytes that record->text came
 * from, `byte` their offset; escapes stand for whole characters, so the stored bytes are ill-formed exactly where the
 * text is.  fixed: where a repaired text may go. */
static int apply_utf8(struct batch *batch, struct record *record, uint64_t bytes, struct slice stored, uint64_t byte,
                      struct bytes *fixed)
{
    size_t valid;

    if (batch->dataset->utf8 == UTF8_KEEP) return STEP_RECORD;
    valid = utf8_valid_length(stored);
    if (valid == stored.len) return STEP_RECORD;
    if (batch->dataset->utf8 == UTF8_REJECT)
        return rejected(reject_add(&batch->rejects, record->number, byte + valid, bytes, REJECT_INVALID_UTF8,
                                   "byte 0x%02X of the text",
                                   (unsigned)(unsigned char)stored.at[valid]));
    fixed->len = 0;
    if (utf8_repair(fixed, record->text) < 0) return -ENOMEM;
    record->text = bytes_slice(fixed);
    return STEP_RECORD;
}

static int too_long(struct batch *batch, const struct record *record, uint64_t byte, uint64_t bytes)
{
    return rejected(reject_add(&batch->rejects, record->number, byte, bytes, REJECT_TOO_LONG, "longer than %llu bytes",
                               (unsigned long long)max_record(batch)));
}

/* A line that is no record.  The shard's last one, without a line feed and with its object not closed: the file was
 * cut there, and what is missing of it is a byte at least. */
static int reject_line(struct batch *batch, const struct record *record, const struct json_fault *fault)
{
    const struct slice line = record->line;
    const char        *brace = memchr(line.at, '{', line.len);
    const bool         cut = batch->open_end && batch->next_at == batch->raw.len && brace &&
        line_is_blank((struct slice){ line.at, (size_t)(brace - line.at) }) &&
        !kernels->json_container_end(brace, line.len - (size_t)(brace - line.at));
    const uint64_t     bytes = cut ? ratio_share(line.len, batch->stored, batch->decoded) + 1 : line.len;
    int                rc = reject_add(&batch->rejects, record->number, record->byte + fault->at, bytes,
                                       cut ? REJECT_TRUNCATED : fault->reason, "%s", fault->what);

    if (rc == 0) batch->rejects.at[batch->rejects.count - 1].missing = cut;
    return rejected(rc);
}

/* A record that is an object of JSON, `text` alone. */
static int take_object(struct batch *batch, struct record *record, struct slice text)
{
    struct json_fault fault;
    struct slice      stored;
    int               rc;

    record->number = batch->next_record++;
    record->byte = batch->byte + (uint64_t)(text.at - batch->raw.at);
    record->line = text;
    record->extra = NULL;
    if (batch->wants && !batch->wants(batch->wants_context, record->number)) return STEP_REJECTED;
    if (text.len > max_record(batch)) return too_long(batch, record, record->byte, text.len);
    rc = json_record_parse(record, &batch->fields, text, batch->want_fields, &batch->text, &batch->scratch, &fault);
    if (rc < 0) return rc;
    if (!rc) return reject_line(batch, record, &fault);
    stored = record->raw[FIELD_TEXT];
    return apply_utf8(batch, record, text.len, stored, record->byte + (uint64_t)(stored.at - text.at),
                      &batch->scratch);
}

static int next_json(struct batch *batch, struct record *record)
{
    struct slice line;

    do if (!line_next(bytes_slice(&batch->raw), &batch->next_at, &line)) return STEP_END;
    while (!line_is_record(line, max_record(batch)));
    return take_object(batch, record, line);
}

static int next_element(struct batch *batch, struct record *record)
{
    const struct batch_item *item;

    if (batch->next_at == batch->item_count) return STEP_END;
    item = &batch->item[batch->next_at++];
    return take_object(batch, record, (struct slice){ batch->raw.at + item->at, item->len });
}

static int next_line(struct batch *batch, struct record *record)
{
    struct slice line;

    if (!line_next(bytes_slice(&batch->raw), &batch->next_at, &line)) return STEP_END;
    *record = (struct record){ .text = line, .number = batch->next_record++,
                               .byte = batch->byte + (uint64_t)(line.at - batch->raw.at) };
    if (line.len > max_record(batch)) return too_long(batch, record, record->byte, line.len);
    return apply_utf8(batch, record, line.len, line, record->byte, &batch->text);
}

/* Binary, `len` bytes in all: passed over, but what the dataset names itself is rejected. */
static int take_binary(struct batch *batch, const struct record *record, uint64_t byte, uint64_t len)
{
    batch->skipped.files[SKIP_BINARY] += !batch->alone;
    return rejected(reject_add(&batch->rejects, record->number, byte, len,
                               batch->alone ? REJECT_INVALID_UTF8 : REJECT_BINARY, "binary"));
}

/* A member or file whose text is there: records, text or binary? */
static int take_document(struct batch *batch, struct record *record, struct bytes *fixed)
{
    struct slice text = record->text;
    const char  *nul = skip_of_text(text);
    const char  *inner = batch->alone ? NULL : inner_records(&batch->fields, record->raw[FIELD_PATH], text);

    if (inner)
        return rejected(reject_add(&batch->rejects, record->number, 0, text.len, REJECT_RECORDS, INNER_RECORDS_WHY,
                                   inner));
    if (nul) return take_binary(batch, record, (uint64_t)(nul - text.at), text.len);
    return apply_utf8(batch, record, text.len, text, 0, fixed);
}

static const struct batch_item *next_item(struct batch *batch, struct record *record)
{
    const struct batch_item *item;

    if (batch->next_at == batch->item_count) return NULL;
    item = &batch->item[batch->next_at++];
    *record = (struct record){ .number = batch->next_record++, .byte = batch->byte + item->at };
    record->raw[FIELD_PATH] = (struct slice){ batch->raw.at + item->path_at, item->path_len };
    return item;
}

static int next_member(struct batch *batch, struct record *record)
{
    const struct batch_item *item = next_item(batch, record);

    if (!item) return STEP_END;
    record->text = (struct slice){ batch->raw.at + item->at, item->len };
    return take_document(batch, record, &batch->text);
}

/* A row: what is looked for of its values. */
static int next_row(struct batch *batch, struct record *record)
{
    const struct batch_item *item = next_item(batch, record);
    const uint32_t           unwanted = FIELDS_ON_DEMAND & ~batch->want_fields;
    struct slice             values, bytes;
    struct row_value         value;

    if (!item) return STEP_END;
    values = record->raw[FIELD_PATH];
    record->raw[FIELD_PATH] = (struct slice){ 0 };
    record->extra = batch->extra;
    memset(batch->extra, 0, sizeof batch->extra);
    for (size_t at = 0; at < values.len; ) {
        memcpy(&value, values.at + at, sizeof value);
        at += sizeof value;
        bytes = (struct slice){ values.at + at, value.len };
        if (value.field & ROW_HELD) memcpy(&bytes.at, values.at + at, sizeof bytes.at);
        at += value.field & ROW_HELD ? sizeof bytes.at : value.len;
        value.field &= ~(uint32_t)ROW_HELD;
        if (value.field >= FIELD_COUNT) batch->extra[value.field - FIELD_COUNT] = bytes;
        else if (!(unwanted >> value.field & 1)) record->raw[value.field] = bytes;
    }
    record->text = record->raw[FIELD_TEXT];
    if (!record->raw[FIELD_TEXT].at)
        return rejected(reject_add(&batch->rejects, record->number, record->byte, values.len,
                                   REJECT_MISSING_FIELD, "the text is null"));
    return apply_utf8(batch, record, record->text.len, record->text, record->byte, &batch->text);
}

/* A value of a row of CSV goes to the fields of its column. */
static int take_csv_value(struct batch *batch, struct record *record, uint32_t fields, struct slice value, bool quoted)
{
    char *to = batch->raw.at + (value.at - batch->raw.at);

    if (!quoted && !value.len) fields &= 1u << FIELD_TEXT;  /* empty without quotes: not there */
    if (quoted && fields && memchr(value.at, '"', value.len)) {
        /* The text's own bytes stay, for what is to be said of them. */
        if (fields & 1u << FIELD_TEXT) {
            if (bytes_reserve(&batch->text, value.len + BYTES_PAD) < 0) return -ENOMEM;
            to = batch->text.at;
        }
        value = (struct slice){ to, csv_unquote(to, value) };
    }
    for (; fields; fields &= fields - 1) {
        unsigned f = (unsigned)__builtin_ctz(fields);

        if (f < FIELD_COUNT) record->raw[f] = value;
        else batch->extra[f - FIELD_COUNT] = value;
    }
    return 0;
}

static int next_csv(struct batch *batch, struct record *record)
{
    const struct batch_item *item = next_item(batch, record);
    const uint32_t           unwanted = FIELDS_ON_DEMAND & ~batch->want_fields;
    const struct bytes      *held = &batch->held->bytes;
    struct slice             row, value, stored = { 0 };
    size_t                   columns, at = 0, n = 0;
    uint32_t                 fields;
    char                     separator;
    bool                     quoted;

    if (!item) return STEP_END;
    columns = held->len / sizeof(uint32_t) - 1;
    separator = (char)*(const uint32_t *)(const void *)held->at;
    row = csv_row_without_end((struct slice){ batch->raw.at + item->at, item->len });
    if (row.len > max_record(batch)) return too_long(batch, record, record->byte, row.len);
    record->raw[FIELD_PATH] = (struct slice){ 0 };
    record->extra = batch->extra;
    memset(batch->extra, 0, sizeof batch->extra);
    for (; csv_next_field(row, separator, &at, &value, &quoted); n++) {
        if (n >= columns) continue;
        memcpy(&fields, held->at + (n + 1) * sizeof fields, sizeof fields);
        if (fields & 1u << FIELD_TEXT) stored = value;
        if (take_csv_value(batch, record, fields & ~unwanted, value, quoted) < 0) return -ENOMEM;
    }
    if (n != columns)
        return rejected(reject_add(&batch->rejects, record->number, record->byte, row.len, REJECT_INVALID_CSV,
                                   "%zu columns, while the first line names %zu", n, columns));
    record->text = record->raw[FIELD_TEXT];
    return apply_utf8(batch, record, row.len, stored, batch->byte + (uint64_t)(stored.at - batch->raw.at),
                      &batch->scratch);
}

/* Reads a whole file of at most `max` bytes.  1; 0 when it is longer, and then its beginning at least; or -errno. */
static int read_file(const char *path, uint64_t max, struct bytes *out)
{
    int         fd = file_open(path, O_RDONLY | O_NONBLOCK), rc = 1;
    struct stat st;
    ssize_t     got = 1;

    out->len = 0;
    if (fd < 0) return -errno;
    if (fstat(fd, &st) < 0) rc = -errno;
    else if (!S_ISREG(st.st_mode)) rc = -EINVAL;
    else if ((uint64_t)st.st_size > max) rc = bytes_reserve(out, SKIP_LOOK) < 0 ? -ENOMEM : 0;
    if (rc == 0) out->len = (got = file_read(fd, out->at, SKIP_LOOK)) > 0 ? (size_t)got : 0;
    while (rc == 1 && got > 0) {
        /* One byte more than its size: a file that grows while it is read is seen to. */
        size_t want = out->len < (size_t)st.st_size ? (size_t)st.st_size - out->len + 1 : 65536;

        rc = bytes_reserve(out, out->len + want) < 0 ? -ENOMEM : 1;
        if (rc == 1 && (got = file_read(fd, out->at + out->len, want)) < 0) rc = -errno;
        else if (rc == 1) {
            out->len += (size_t)got;
            if (out->len > max) rc = 0;
        }
    }
    close(fd);
    return rc;
}

static int next_file(struct batch *batch, struct record *record)
{
    const struct batch_item *item = next_item(batch, record);
    struct slice             path = record->raw[FIELD_PATH];
    int                      rc;

    if (!item) return STEP_END;
    path = record->raw[FIELD_PATH];
    batch->scratch.len = 0;
    if (bytes_append(&batch->scratch, batch->raw.at, batch->item[0].path_at) < 0 ||
        bytes_append_slice(&batch->scratch, path) < 0
        || bytes_append(&batch->scratch, "", 1) < 0) return -ENOMEM;
    rc = read_file(batch->scratch.at, max_record(batch), &batch->text);
    if (rc == -ENOMEM) return rc;
    if (rc < 0)
        return rejected(reject_add(&batch->rejects, record->number, 0, item->len ? item->len : 1, REJECT_UNREADABLE,
                                   "%s", strerror(-rc)));
    record->text = bytes_slice(&batch->text);
    if (rc == 0)
        return skip_of_text(record->text) || inner_records(&batch->fields, path, record->text)
            ? take_document(batch, record, &batch->scratch) : too_long(batch, record, 0, item->len);
    if (record->text.len < item->len)                       /* half a document is none */
        return rejected(reject_add(&batch->rejects, record->number, record->text.len, item->len, REJECT_TRUNCATED,
                                   "%zu bytes, though it had %llu when it was listed", record->text.len,
                                   (unsigned long long)item->len));
    return take_document(batch, record, &batch->scratch);
}

static int step(struct batch *batch, struct record *record)
{
    switch (batch->kind) {
    case BATCH_JSON_LINES: return next_json(batch, record);
    case BATCH_LINES:      return next_line(batch, record);
    case BATCH_MEMBERS:    return next_member(batch, record);
    case BATCH_FILES:      return next_file(batch, record);
    case BATCH_ROWS:       return next_row(batch, record);
    case BATCH_ELEMENTS:   return next_element(batch, record);
    case BATCH_CSV:        return next_csv(batch, record);
    }
    return STEP_END;
}

int batch_next(struct batch *batch, struct record *record, struct err *err)
{
    bool documents = batch->kind == BATCH_MEMBERS || batch->kind == BATCH_FILES;
    int  rc;

    while ((rc = step(batch, record)) == STEP_REJECTED)
        if (documents && !reject_is_skip(&batch->rejects.at[batch->rejects.count - 1]) &&
            reject_set_path(&batch->rejects, record->raw[FIELD_PATH]) < 0)
            return err_memory(err, batch->raw.len, "a path");
    if (rc < 0) return err_memory(err, batch->raw.len, "a record");
    return rc;
}

void batch_free(struct batch *batch)
{
    bytes_free(&batch->raw);
    bytes_free(&batch->text);
    bytes_free(&batch->scratch);
    reject_list_free(&batch->rejects);
    shared_release(batch->held);
    free(batch->item);
    *batch = (struct batch){ 0 };
}
