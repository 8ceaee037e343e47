/* tests/unit/corpus/shards.h -- shards in a folder of the test's own, read to the end. */
#ifndef LEAKGRAPH_TESTS_UNIT_CORPUS_SHARDS_H
#define LEAKGRAPH_TESTS_UNIT_CORPUS_SHARDS_H

#include "corpus/record.h"
#include "corpus/source.h"
#include "kernels/kernels.h"
#include "tests/unit/corpus/pack.h"
#include "tests/unit/draw.h"
#include "tests/unit/folder.h"

#include <errno.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static char     folder[64];                                 /* everything is written below it */
static uint64_t random_state;
static size_t   batch_bytes;                                /* of batches of elements and rows; 0: the usual ones */

static inline uint32_t random_below(uint32_t n) { return (uint32_t)(draw(&random_state) % n); }

/* Setup and teardown of a group of tests. */
static inline int make_folder(void **state)
{
    const char *base = getenv("TMPDIR");

    (void)state;
    random_state = seed_of_run();
    printf("seed=%llu\n", (unsigned long long)random_state);
    kernels = kernels_select(kernels_cpu(), NULL);
    snprintf(folder, sizeof folder, "%.40s/leakgraph.XXXXXX", base ? base : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    (void)state;
    remove_tree(folder);
    return 0;
}

static inline const char *path_of(const char *name)
{
    static char path[256];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static inline void write_shard(const char *name, const void *at, size_t len)
{
    write_file(path_of(name), at, len);
}

/* What a shard gave: one line for each record (number, byte, path, text) and for each reject (number, byte, reason). */
struct seen {
    struct bytes records, rejects;
    uint64_t     record_count, reject_count, counted, xxh3;
    uint64_t     lost, missing, rejected_bytes;             /* of the file; of these behind its end; of whole records */
    size_t       batches, empty, room;                      /* room: of the largest batch */
    uint32_t     units;
    char         detail[104];                               /* of the last reject */
    unsigned     reasons;                                   /* bit r: some reject has reason r */
    struct skips skipped;
};

static inline void seen_free(struct seen *seen)
{
    bytes_free(&seen->records);
    bytes_free(&seen->rejects);
}

static inline int read_shard(struct seen *seen, const struct dataset *dataset, const struct shard *shard,
                             uint64_t unit_bytes, struct err *err)
{
    struct source *source;
    struct batch   batch = { 0 };
    struct record  record;
    uint64_t       next = 0;
    int            rc = source_open(&source, dataset, shard, err);

    *seen = (struct seen){ 0 };
    if (rc < 0) return rc;
    if (unit_bytes) source_set_unit_bytes(source, unit_bytes);
    else unit_bytes = SOURCE_UNIT_BYTES;
    if (batch_bytes) source_set_batch_bytes(source, batch_bytes);
    while ((rc = source_next(source, &batch, err)) > 0) {
        uint64_t used = 0;

        if (batch.record_count) {
            assert_true(batch.unit + 1 >= seen->units);     /* units never decrease */
            if (batch.unit + 1 > seen->units) seen->units = batch.unit + 1;
        } else {
            assert_int_equal(batch.rejects.count, 0);
            assert_int_equal(batch.unit + 1, seen->units ? seen->units : 1);
            seen->empty++;
        }
        assert_int_equal(batch.first_record, next);
        next += batch.record_count;
        while ((rc = batch_next(&batch, &record, err)) > 0) {
            assert_int_equal(record.byte / unit_bytes, batch.unit);
            assert_in_range(record.number, batch.first_record, batch.first_record + batch.record_count - 1);
            assert_int_equal(bytes_printf(&seen->records, "%llu %llu %.*s ", (unsigned long long)record.number,
                                          (unsigned long long)record.byte,
                                          record.json ? 0 : (int)record.raw[FIELD_PATH].len, record.raw[FIELD_PATH].at
                                              ? record.raw[FIELD_PATH].at : ""), 0);
            bytes_append_slice(&seen->records, record.text);
            bytes_append(&seen->records, "\n", 1);
            used++;
        }
        assert_int_equal(rc, 0);
        assert_int_equal(used + batch.rejects.count, batch.record_count);       /* nothing is lost in silence */
        for (size_t i = 0; i < batch.rejects.count; i++) {
            const struct reject *reject = &batch.rejects.at[i];

            assert_in_range(reject->record, batch.first_record, batch.first_record + batch.record_count - 1);
            bytes_printf(&seen->rejects, "%llu %llu %s\n", (unsigned long long)reject->record,
                         (unsigned long long)reject->byte, reject_names[reject->reason]);
            seen->reasons |= 1u << reject->reason;
            if (reject_is_damage(reject->reason)) seen->lost += reject->bytes;
            else seen->rejected_bytes += reject->bytes;
            seen->missing += reject->missing;
            assert_true(reject->bytes > 0 || !reject_is_damage(reject->reason));
            assert_true(reject->missing <= reject->bytes);
            memcpy(seen->detail, reject->detail, sizeof reject->detail);
        }
        skips_add(&seen->skipped, &batch.skipped);
        seen->record_count += used;
        seen->reject_count += batch.rejects.count;
        seen->batches++;
        if (batch.raw.room > seen->room) seen->room = batch.raw.room;
    }
    if (rc == 0) {
        seen->xxh3 = source_xxh3(source);
        if (!shard->tree) assert_true(source_bytes_read(source) <= shard->bytes);
        assert_true(shard->tree || seen->lost <= shard->bytes + seen->missing);
    }
    batch_free(&batch);
    source_close(source);
    return rc;
}

/* Writes the bytes as a file of that name, reads it as a shard. */
static inline void read_bytes(struct seen *seen, const struct dataset *dataset, const char *name, const void *at,
                              size_t len)
{
    char         path[256];
    struct shard shard = { .path = path, .name = (char *)(uintptr_t)name, .bytes = len };
    struct err   err = { 0 };

    write_shard(name, at, len);
    snprintf(path, sizeof path, "%s", path_of(name));
    if (read_shard(seen, dataset, &shard, 0, &err) < 0) fail_msg("%s: %s", name, err.text);
    assert_true(seen->xxh3 == XXH3_64bits(at, len));       /* so all of it was read */
}

static inline void assert_same(const struct bytes *got, const struct bytes *want, const char *what)
{
    if (got->len != want->len || (got->len && memcmp(got->at, want->at, got->len)))
        fail_msg("%s: %zu bytes said, %zu wanted", what, got->len, want->len);
}

static inline void assert_text(const struct bytes *got, const char *want)
{
    if (got->len != strlen(want) || (got->len && memcmp(got->at, want, got->len)))
        fail_msg("said:\n%.*swanted:\n%s", (int)got->len, got->at ? got->at : "", want);
}

static inline void make_lines(struct bytes *out, int count)
{
    for (int i = 0; i < count; i++) {
        bytes_printf(out, "{\"id\":%d,\"text\":\"line %d", i, i);
        for (uint32_t n = random_below(20); n; n--) bytes_printf(out, " word%u\\n", random_below(1000));
        bytes_printf(out, "\"}\n");
    }
}

#endif
