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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dataset dataset = { .name = (char[]){ "d" }, .format = FORMAT_LINES, .max_record_bytes = 1000 };
    struct shard   shard = { .name = (char[]){ "a.jsonl.zst" } };
    uint64_t       passed = 0;
    char           path[64];
    int            fd, rc;

    if (!size) return 0;
    dataset.max_ratio = data[0] & 1 ? 10 : 1000000;
    fd = memfd_create("shard", MFD_CLOEXEC);
    require(fd >= 0 && write(fd, data + 1, size - 1) == (ssize_t)(size - 1));
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    shard.path = path;
    shard.bytes = size - 1;
    require(!parts_differ(&dataset, &shard, 64ull << (data[0] >> 4), 2, &passed, &rc));
    require(rc == 0 || rc == -EINVAL);                      /* something that is not read: refused */
    close(fd);
    return 0;
}
