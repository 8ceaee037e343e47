/* tests/fuzz/same_records.h -- for fuzz targets: of a file of any bytes the same records and rejects are read whatever
 * the batches and units.
 *
 * The first byte picks their sizes, and what is done with text that is no UTF-8. */
#ifndef LEAKGRAPH_TESTS_FUZZ_SAME_RECORDS_H
#define LEAKGRAPH_TESTS_FUZZ_SAME_RECORDS_H

#include "corpus/record.h"
#include "corpus/source.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void require(bool holds)
{
    if (!holds) abort();
}

/* Records as text, appended to said[0], rejects to said[1].  False: the shard is refused. */
static bool read_shard(const struct dataset *dataset, const struct shard *shard, size_t batch_bytes, uint64_t unit,
                       struct bytes said[2])
{
    struct source *source;
    struct batch   batch = { .want_fields = 1u << FIELD_TOKENS };
    struct record  record;
    struct err     err = { 0 };
    uint64_t       next = 0;
    int            rc = source_open(&source, dataset, shard, &err);

    if (rc == -EINVAL) return false;
    require(rc == 0);
    source_set_batch_bytes(source, batch_bytes);
    source_set_unit_bytes(source, unit);
    while ((rc = source_next(source, &batch, &err)) > 0) {
        uint64_t used = 0;

        require(batch.first_record == next);
        next += batch.record_count;
        while (batch_next(&batch, &record, &err) > 0) {
            require(record.number >= batch.first_record && record.number < next && record.byte / unit == batch.unit);
            require(bytes_printf(said, "%llu %llu ", (unsigned long long)record.number,
                                 (unsigned long long)record.byte) == 0);
            require(bytes_append_slice(said, record.text) == 0);
            for (enum field f = 0; f < FIELD_COUNT; f++) record_field(&record, f, said);
            used++;
        }
        require(err.code == 0 && used + reject_records(batch.rejects.at, batch.rejects.count) == batch.record_count);
        for (size_t i = 0; i < batch.rejects.count; i++)
            require(bytes_printf(&said[1], "%llu %llu %s\n", (unsigned long long)batch.rejects.at[i].record,
                                 (unsigned long long)batch.rejects.at[i].byte, batch.rejects.at[i].detail) == 0);
    }
    require(rc == 0);
    batch_free(&batch);
    source_close(source);
    return true;
}

/* data: a byte, then the file, which is named `name`. */
static void same_records(const char *name, const uint8_t *data, size_t size)
{
    static const enum utf8_policy policy[] = { UTF8_KEEP, UTF8_REPAIR, UTF8_REJECT, UTF8_KEEP };
    struct dataset dataset = { .name = (char[]){ "d" }, .max_record_bytes = 100 };
    struct shard   shard = { .name = (char *)(uintptr_t)name };
    struct bytes   one[2] = { 0 }, other[2] = { 0 };
    char           path[64];
    int            fd;

    if (!size) return;
    dataset.utf8 = policy[data[0] & 3];
    fd = memfd_create("shard", MFD_CLOEXEC);
    require(fd >= 0 && write(fd, data + 1, size - 1) == (ssize_t)(size - 1));
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    shard.path = path;
    shard.bytes = size - 1;
    if (read_shard(&dataset, &shard, SOURCE_BATCH_BYTES, SOURCE_UNIT_BYTES, one)) {
        require(read_shard(&dataset, &shard, 1 + (data[0] >> 2 & 7), 1 + (data[0] >> 5) * 50u, other));
        for (int i = 0; i < 2; i++) require(slice_equal(bytes_slice(&one[i]), bytes_slice(&other[i])));
    }
    for (int i = 0; i < 2; i++) {
        bytes_free(&one[i]);
        bytes_free(&other[i]);
    }
    close(fd);
}

#endif
