/* tests/fuzz/fuzz_parquet.c -- a Parquet file of any bytes: footer, pages, values, parsed to the end.
 *
 * The first byte picks which columns are asked for, and how large units are: two readers who divide them find what one
 * finds who has them all.  Checksums of gzip are not taken out: the other codecs lead to what
 * lies behind. */
#include "corpus/record.h"
#include "corpus/source.h"
#include "tests/parts.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

static void read_shard(const struct dataset *dataset, const struct shard *shard)
{
    struct source *source;
    struct batch   batch = { .want_fields = 1u << FIELD_TOKENS | 1u << FIELD_STARS | 1u << FIELD_DATE };
    struct record  record;
    struct bytes   scratch = { 0 };
    struct err     err = { 0 };
    uint64_t       next = 0;
    int            rc = source_open(&source, dataset, shard, &err);

    if (rc == -EINVAL) return;                              /* something that is not read: refused */
    require(rc == 0);
    source_set_unit_bytes(source, 1000);
    while ((rc = source_next(source, &batch, &err)) > 0) {
        uint64_t used = 0;

        require(batch.first_record == next);
        next += batch.record_count;
        while (batch_next(&batch, &record, &err) > 0) {
            struct slice token;
            size_t       at = 0;

            require(record.number >= batch.first_record && record.number < next);
            for (enum field f = 0; f < FIELD_COUNT; f++) {
                scratch.len = 0;
                record_field(&record, f, &scratch);
            }
            while (record_next_token(&record, &at, &scratch, &token) == 1) { }
            used++;
        }
        require(err.code == 0 && used + reject_records(batch.rejects.at, batch.rejects.count) == batch.record_count);
    }
    require(rc == 0);
    source_xxh3(source);
    bytes_free(&scratch);
    batch_free(&batch);
    source_close(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dataset dataset = { .name = (char[]){ "d" }, .max_record_bytes = 100000, .max_ratio = 10 };
    struct shard   shard = { .name = (char[]){ "a.parquet" } };
    uint64_t       passed = 0;
    char           path[64];
    int            fd, rc;

    if (!size) return 0;
    if (data[0] & 1) {
        dataset.fields[FIELD_TEXT] = "file.body";
        dataset.fields[FIELD_ID] = "idx";
        dataset.fields[FIELD_REPO] = "repo.name.full";
        dataset.fields[FIELD_LICENSE] = "flag";
        dataset.fields[FIELD_SPLIT] = "score";
        dataset.fields[FIELD_DATE] = "half";
    }
    if (data[0] & 2) dataset.fields[FIELD_TEXT] = "stars";
    fd = memfd_create("shard", MFD_CLOEXEC);
    require(fd >= 0 && write(fd, data + 1, size - 1) == (ssize_t)(size - 1));
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    shard.path = path;
    shard.bytes = size - 1;
    read_shard(&dataset, &shard);
    require(!parts_differ(&dataset, &shard, 64ull << (data[0] >> 4), 2, &passed, &rc));
    close(fd);
    return 0;
}
