/* tests/fuzz/fuzz_frames.c -- a .zst file of lines, of any bytes: two readers who divide its units, entering at frames
 * where it has sound ones, find what one finds who has them all.  The first byte says how large units are. */
#include "corpus/record.h"
#include "corpus/source.h"
#include "tests/parts.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

static void read_parts(const struct dataset *dataset, const struct shard *shard, uint64_t unit_bytes)
{
    struct parts_seen whole, seen;
    struct err        err = { 0 };
    const int         rc = parts_read(&whole, dataset, shard, unit_bytes, 2, 2, &err);

    if (rc == -EINVAL) return;                              /* something that is not read: refused */
    require(rc == 0);
    for (uint32_t part = 0; part < 2; part++) {
        require(parts_read(&seen, dataset, shard, unit_bytes, part, 2, &err) == 0);
        require(seen.hash[part] == whole.hash[part] && seen.read == whole.read);
        require(seen.xxh3 == (!seen.asked || whole.last % 2 == part ? whole.xxh3 : 0));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dataset dataset = { .name = (char[]){ "d" }, .format = FORMAT_LINES, .max_record_bytes = 1000 };
    struct shard   shard = { .name = (char[]){ "a.jsonl.zst" } };
    char           path[64];
    int            fd;

    if (!size) return 0;
    dataset.max_ratio = data[0] & 1 ? 10 : 1000000;
    fd = memfd_create("shard", MFD_CLOEXEC);
    require(fd >= 0 && write(fd, data + 1, size - 1) == (ssize_t)(size - 1));
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    shard.path = path;
    shard.bytes = size - 1;
    read_parts(&dataset, &shard, 64ull << (data[0] >> 4));
    close(fd);
    return 0;
}
