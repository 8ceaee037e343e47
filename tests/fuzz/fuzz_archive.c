/* tests/fuzz/fuzz_archive.c -- a shard of any bytes: told apart, decoded, parsed to its end.
 *
 * The first byte picks the shard's name (which decides where bytes cannot) and the format; the rest are the file. */
#include "corpus/record.h"
#include "corpus/source.h"

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
    struct batch   batch = { 0 };
    struct record  record;
    struct err     err = { 0 };
    uint64_t       next = 0;
    int            rc = source_open(&source, dataset, shard, &err);

    if (rc == -EINVAL) return;                              /* a table: refused with advice */
    require(rc == 0);
    source_set_unit_bytes(source, 1000);
    while ((rc = source_next(source, &batch, &err)) > 0) {
        uint64_t used = 0;

        require(batch.first_record == next);
        next += batch.record_count;
        while (batch_next(&batch, &record, &err) > 0) {
            require(record.number >= batch.first_record && record.number < next && record.byte / 1000 == batch.unit);
            used++;
        }
        require(err.code == 0 && used + batch.rejects.count == batch.record_count);
    }
    require(rc == 0);
    source_xxh3(source);
    batch_free(&batch);
    source_close(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char    names[8][8] = { "a.c", "a.jsonl", "a.zst", "a.gz", "a.tar", "a.zip", "a.xz", "a.7z" };
    struct dataset dataset = { .max_record_bytes = 100000 };
    struct shard   shard = { 0 };
    char           path[64];
    int            fd;

    if (!size) return 0;
    fd = memfd_create("shard", MFD_CLOEXEC);
    require(fd >= 0 && write(fd, data + 1, size - 1) == (ssize_t)(size - 1));
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    shard = (struct shard){ .path = path, .name = names[data[0] & 7], .bytes = size - 1 };
    dataset.format = data[0] & 8 ? FORMAT_LINES : FORMAT_AUTO;
    dataset.utf8 = UTF8_REPAIR;
    read_shard(&dataset, &shard);
    close(fd);
    return 0;
}
