/* corpus/again.c -- see again.h. */
#include "corpus/again.h"

#include "base/search.h"
#include "corpus/source.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

/* The records, ascending; those before `at` are done.  whole: the shard's hash is wanted too. */
struct wanted { struct again_record *record; size_t count, at; bool whole; };

static int say(struct err *err, int rc) { return rc < 0 ? err_memory(err, 64, "a note") : 0; }

/* Why a record of the batch is none. */
static int say_reject(const struct batch *batch, struct again_record *record)
{
    for (size_t i = 0; i < batch->rejects.count; i++) {
        const struct reject *reject = &batch->rejects.at[i];

        if (record->number >= reject->record && record->number - reject->record < reject->records)
            return bytes_printf(&record->note, "the record could not be used: %s, at its byte %llu: %s",
                                reject_names[reject->reason], (unsigned long long)reject->byte, reject->detail);
    }
    return 0;
}

static int take(const struct record *record, struct again_record *out, struct err *err)
{
    if (bytes_append_slice(&out->text, record->text) < 0) return err_memory(err, record->text.len, "a text");
    if (record_field(record, FIELD_PATH, &out->path) && !out->path.at) return err_memory(err, 64, "a path");
    out->read = true;
    return 0;
}

static bool wants_below(const struct wanted *wanted, uint64_t number)
{
    return wanted->at < wanted->count && wanted->record[wanted->at].number < number;
}

static bool is_one_of(void *context, uint64_t number)
{
    const struct wanted *wanted = context;
    const size_t         at = search_u64(wanted->record, sizeof *wanted->record, offsetof(struct again_record, number),
                                         wanted->at, wanted->count, number);

    return at < wanted->count && wanted->record[at].number == number;
}

/* Those of the batch.  Rejects take a number, and are not among its records. */
static int batch_take(struct batch *batch, struct wanted *wanted, struct err *err)
{
    const uint64_t end = batch->first_record + batch->record_count;
    struct record  record;
    int            rc = 0;

    while (wants_below(wanted, end) && (rc = batch_next(batch, &record, err)) > 0) {
        for (rc = 0; rc == 0 && wants_below(wanted, record.number); wanted->at++)
            rc = say(err, say_reject(batch, &wanted->record[wanted->at]));
        if (rc == 0 && wanted->at < wanted->count && wanted->record[wanted->at].number == record.number)
            rc = take(&record, &wanted->record[wanted->at++], err);
        if (rc < 0) return rc;
    }
    for (; rc == 0 && wants_below(wanted, end); wanted->at++)
        rc = say(err, say_reject(batch, &wanted->record[wanted->at]));
    return rc;
}

/* What has none of them is passed over. */
static bool stretch_wanted(void *context, const struct stretch *stretch)
{
    const struct wanted *wanted = context;
    const size_t         at = search_u64(wanted->record, sizeof *wanted->record, offsetof(struct again_record, number),
                                         wanted->at, wanted->count, stretch->first_record);

    if (!stretch->records) return wanted->whole;
    return at < wanted->count && wanted->record[at].number - stretch->first_record < stretch->records;
}

static int shard_read(struct source *source, struct wanted *wanted, struct err *err)
{
    struct batch batch = { .wants = is_one_of, .wants_context = wanted };
    int          rc = 0;

    source_set_wants(source, stretch_wanted, wanted);
    while ((wanted->whole || wanted->at < wanted->count) && (rc = source_next(source, &batch, err)) > 0)
        if ((rc = batch_take(&batch, wanted, err)) < 0) break;
    batch_free(&batch);
    return rc < 0 ? rc : 0;
}

/* The shard is another one: nothing of it is taken. */
static int __attribute__((format(printf, 4, 5)))
refuse(struct again_record *record, size_t count, struct err *err, const char *format, ...)
{
    char    why[1024];
    va_list args;
    int     rc = 0;

    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    for (size_t i = 0; i < count && rc == 0; i++) {
        record[i].text.len = record[i].path.len = record[i].note.len = 0;
        record[i].read = false;
        rc = say(err, bytes_append_slice(&record[i].note, slice_of(why)));
    }
    return rc;
}

int again_read(const struct dataset *dataset, const struct shard *shard, const struct shard_was *was,
               struct again_record *record, size_t count, struct err *err)
{
    const bool     touched = shard->mtime_ns != was->mtime_ns;
    struct wanted  wanted = { .record = record, .count = count, .whole = touched };
    struct source *source = NULL;
    int            rc;

    if (shard->bytes != was->bytes)
        return refuse(record, count, err, "%s has changed since the run: %llu bytes, it had %llu", shard->path,
                      (unsigned long long)shard->bytes, (unsigned long long)was->bytes);
    rc = source_open(&source, dataset, shard, err);
    if (rc == 0) rc = shard_read(source, &wanted, err);
    if (rc == 0 && touched && source_xxh3(source) != was->xxh3)
        rc = refuse(record, count, err, "%s has changed since the run: its content is another one", shard->path);
    for (size_t i = 0; i < count && rc == 0; i++)
        if (!record[i].read && !record[i].note.len)
            rc = say(err, bytes_printf(&record[i].note, "%s has no record %llu", shard->path,
                                       (unsigned long long)record[i].number));
    source_close(source);
    return rc;
}

void again_record_free(struct again_record *record)
{
    bytes_free(&record->text);
    bytes_free(&record->path);
    bytes_free(&record->note);
    *record = (struct again_record){ 0 };
}

/* ---- by what is known of it ---- */

static bool is_wanted(struct again_wanted *wanted, const struct record *record, struct bytes *path, struct bytes *id)
{
    path->len = id->len = 0;
    if (wanted->numbered && wanted->number-- == 0) {
        wanted->numbered = false;
        record_field(record, FIELD_PATH, path);
        return true;
    }
    if (wanted->id.len && record_field(record, FIELD_ID, id) && slice_equal(bytes_slice(id), wanted->id)) {
        record_field(record, FIELD_PATH, path);
        return true;
    }
    if (!(wanted->path[0].len || wanted->path[1].len) || !record_field(record, FIELD_PATH, path) || !path->len)
        return false;
    return slice_equal(bytes_slice(path), wanted->path[0]) || slice_equal(bytes_slice(path), wanted->path[1]);
}

int again_find(const struct dataset *dataset, const struct shard *shard, struct again_wanted *wanted, uint64_t from,
               uint64_t *number, struct bytes *path, struct err *err)
{
    struct source *source = NULL;
    struct batch   batch = { 0 };
    struct record  record;
    struct bytes   id = { 0 };
    bool           found = false;
    int            rc = source_open(&source, dataset, shard, err);

    while (rc >= 0 && !found && (rc = source_next(source, &batch, err)) > 0)
        while (!found && (rc = batch_next(&batch, &record, err)) > 0)
            found = record.number >= from && is_wanted(wanted, &record, path, &id);
    if (found) *number = record.number;
    batch_free(&batch);
    bytes_free(&id);
    source_close(source);
    return rc < 0 ? rc : found;
}
