/* corpus/again.c -- see again.h. */
#include "corpus/again.h"

#include "corpus/source.h"

#include <errno.h>

static int say(const struct bytes *note, struct err *err, int rc)
{
    return rc < 0 ? err_memory(err, note->len, "a note") : 0;
}

/* 1: the batch has the record. */
static int batch_take(struct batch *batch, uint64_t number, struct bytes *text, struct bytes *path, struct err *err)
{
    struct record record;
    int           rc;

    while ((rc = batch_next(batch, &record, err)) > 0) {
        if (record.number != number) continue;
        if (bytes_append_slice(text, record.text) < 0) return err_memory(err, record.text.len, "a text");
        if (record_field(&record, FIELD_PATH, path) && !path->at) return err_memory(err, 64, "a path");
        return 1;
    }
    return rc;
}

static int reject_say(const struct batch *batch, uint64_t number, struct bytes *note)
{
    for (size_t i = 0; i < batch->rejects.count; i++) {
        const struct reject *reject = &batch->rejects.at[i];

        if (number >= reject->record && number - reject->record < reject->records)
            return bytes_printf(note, "the record could not be used: %s, at its byte %llu: %s",
                                reject_names[reject->reason], (unsigned long long)reject->byte, reject->detail);
    }
    return 0;
}

/* The record, and the shard's hash where that is asked for. */
static int shard_read(struct source *source, uint64_t number, bool whole, struct bytes *text, struct bytes *path,
                      struct bytes *note, struct err *err)
{
    struct batch batch = { 0 };
    int          rc, found = 0;

    while ((rc = source_next(source, &batch, err)) > 0) {
        if (!found && !note->len && number - batch.first_record < batch.record_count) {
            rc = found = batch_take(&batch, number, text, path, err);
            if (rc == 0) rc = say(note, err, reject_say(&batch, number, note));
            if (rc < 0) break;
        }
        if (!whole && (found || note->len || batch.first_record > number)) break;
    }
    batch_free(&batch);
    return rc < 0 ? rc : found;
}

int again_read(const struct dataset *dataset, const struct shard *shard, const struct shard_was *was, uint64_t number,
               struct bytes *text, struct bytes *path, struct bytes *note, struct err *err)
{
    struct source *source = NULL;
    const bool     touched = shard->mtime_ns != was->mtime_ns;
    int            rc;

    if (shard->bytes != was->bytes)
        return say(note, err, bytes_printf(note, "%s has changed since the run: %llu bytes, it had %llu", shard->path,
                                           (unsigned long long)shard->bytes, (unsigned long long)was->bytes));
    rc = source_open(&source, dataset, shard, err);
    if (rc == 0) rc = shard_read(source, number, touched, text, path, note, err);
    if (rc >= 0 && touched && source_xxh3(source) != was->xxh3) {
        text->len = path->len = note->len = 0;
        rc = say(note, err, bytes_printf(note, "%s has changed since the run: its content is another one",
                                         shard->path));
    } else if (rc == 0 && !note->len) {
        rc = say(note, err, bytes_printf(note, "%s has no record %llu", shard->path, (unsigned long long)number));
    }
    source_close(source);
    return rc;
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
