/* tests/unit/corpus/parquet_read.h -- a Parquet file read to its end: what it says, to one reader and to those who
 * divide it. */
#ifndef LEAKGRAPH_TESTS_UNIT_CORPUS_PARQUET_READ_H
#define LEAKGRAPH_TESTS_UNIT_CORPUS_PARQUET_READ_H

#include "corpus/record.h"
#include "corpus/source.h"
#include "tests/unit/corpus/parts_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#define GOLDEN TEST_DIR "/golden/parquet/"

struct seen { struct bytes records, rejects; uint64_t count, reject_count, rejected, lost, missing, units,
    xxh3; unsigned reasons; };

static inline void seen_free(struct seen *seen)
{
    bytes_free(&seen->records);
    bytes_free(&seen->rejects);
}

static inline void show_record(struct seen *seen, const struct record *record)
{
    struct bytes field = { 0 };

    bytes_printf(&seen->records, "%llu text=", (unsigned long long)record->number);
    bytes_append_slice(&seen->records, record->text);
    for (enum field f = FIELD_ID; f < FIELD_COUNT; f++) {
        if (f == FIELD_TOKENS) continue;
        field.len = 0;
        if (!record_field(record, f, &field)) continue;
        bytes_printf(&seen->records, " %s=", field_names[f]);
        bytes_append_slice(&seen->records, bytes_slice(&field));
    }
    if (record_has_tokens(record)) {
        struct slice token;
        size_t       at = 0;

        while (record_next_token(record, &at, &field, &token) == 1) {
            bytes_append_slice(&seen->records, SLICE(" <"));
            bytes_append_slice(&seen->records, token);
            bytes_append_slice(&seen->records, SLICE(">"));
        }
        bytes_append_slice(&seen->records, SLICE(" end"));
    }
    bytes_append_slice(&seen->records, SLICE("\n"));
    bytes_free(&field);
}

static inline int read_path(struct seen *seen, const struct dataset *dataset, const char *path, uint64_t unit_bytes,
                            struct err *err)
{
    struct shard   shard = { .path = (char *)(uintptr_t)path, .name = (char *)(uintptr_t)path };
    struct source *source;
    struct batch   batch = { .want_fields = 1u << FIELD_TOKENS | 1u << FIELD_STARS | 1u << FIELD_DATE };
    struct record  record;
    uint64_t       next = 0;
    int            rc = source_open(&source, dataset, &shard, err);

    *seen = (struct seen){ 0 };
    if (rc < 0) return rc;
    if (unit_bytes) source_set_unit_bytes(source, unit_bytes);
    while ((rc = source_next(source, &batch, err)) > 0) {
        uint64_t used = 0;

        assert_int_equal(batch.first_record, next);
        assert_true(batch.unit + 1 >= seen->units);
        seen->units = batch.unit + 1;
        next += batch.record_count;
        while ((rc = batch_next(&batch, &record, err)) > 0) {
            show_record(seen, &record);
            used++;
        }
        assert_int_equal(rc, 0);
        assert_int_equal(used + reject_records(batch.rejects.at, batch.rejects.count), batch.record_count);
        for (size_t i = 0; i < batch.rejects.count; i++) {
            seen->rejected += batch.rejects.at[i].records;
            if (reject_is_damage(batch.rejects.at[i].reason)) {
                assert_true(batch.rejects.at[i].bytes > 0);
                seen->lost += batch.rejects.at[i].bytes;
                seen->missing += batch.rejects.at[i].missing;
            }
            bytes_printf(&seen->rejects, "%llu @%llu %s %s\n", (unsigned long long)batch.rejects.at[i].record,
                         (unsigned long long)batch.rejects.at[i].byte,
                         reject_names[batch.rejects.at[i].reason],
                         batch.rejects.at[i].detail);
            seen->reasons |= 1u << batch.rejects.at[i].reason;
        }
        seen->count += used;
        seen->reject_count += batch.rejects.count;
    }
    assert_int_equal(rc, 0);
    assert_int_equal(bytes_append(&seen->records, "", 1) + bytes_append(&seen->rejects, "", 1), 0);
    seen->xxh3 = source_xxh3(source);
    source_close(source);
    batch_free(&batch);
    return 0;
}

static inline void read_file(struct bytes *out, const char *path)
{
    FILE *file = fopen(path, "rb");

    out->len = 0;
    if (!file) fail_msg("%s is not there", path);
    bytes_reserve(out, 1 << 20);
    out->len = fread(out->at, 1, 1 << 20, file);
    fclose(file);
}

/* The bytes as a file of their own.  Returns what source_open said. */
static inline int read_bytes(struct seen *seen, const struct dataset *dataset, const void *at, size_t len,
                             struct err *err)
{
    int  fd = memfd_create("shard", MFD_CLOEXEC), rc;
    char path[64];

    assert_int_equal(write(fd, at, len), len);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    rc = read_path(seen, dataset, path, 0, err);
    close(fd);
    return rc;
}

/* Every column of the fixtures as some field. */
static inline struct dataset fixture_fields(void)
{
    static char    name[] = "d";
    struct dataset dataset = { .name = name };

    dataset.fields[FIELD_TEXT] = "file.body";
    dataset.fields[FIELD_ID] = "idx";
    dataset.fields[FIELD_REPO] = "repo.name.full";
    dataset.fields[FIELD_LICENSE] = "flag";
    dataset.fields[FIELD_SPLIT] = "score";
    dataset.fields[FIELD_DATE] = "half";
    return dataset;
}

/* ---- by parts ---- */

static inline uint64_t check_parts_of_bytes(const struct dataset *dataset, const void *at, size_t len,
                                            uint64_t unit_bytes)
{
    struct shard shard = { .name = (char[]){ "a.parquet" }, .bytes = len };
    char         path[64];
    int          fd = memfd_create("shard", MFD_CLOEXEC);
    uint64_t     passed;

    assert_true(fd >= 0 && write(fd, at, len) == (ssize_t)len);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    shard.path = path;
    passed = check_parts(dataset, &shard, unit_bytes);
    close(fd);
    return passed;
}

#endif
