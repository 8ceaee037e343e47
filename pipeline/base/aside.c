/* base/aside.c -- see aside.h.
 *
 * Blocks are reserved on the disk before they are written to through the map, where a full disk would be a signal. */
#include "base/aside.h"

#include "base/stage_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ASIDE_LEAST = 4 << 20, ASIDE_PATH = 4096 };

static int aside_fail(const struct stage *stage, int number, size_t bytes, struct err *err)
{
    return err_set(err, err_of_write(number), "%s: cannot put %zu bytes aside: %s", stage->work, bytes,
                   strerror(number));
}

/* A file that is gone when it is closed; or -1 with errno set. */
static int aside_open(struct stage *stage)
{
    unsigned long long number = (unsigned long long)atomic_fetch_add(&stage->counter, 1);
    char               path[ASIDE_PATH];
    int                file;

    /* too long a path is cut, and open says so */
    snprintf(path, sizeof path, "%s/" STAGE_TEMPORARY "%s-%ld-%llu-aside" STAGE_SPILL, stage->work, stage->host,
             (long)getpid(), number);
    do file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    while (file < 0 && errno == EINTR);
    if (file >= 0) unlink(path);
    return file;
}

void aside_leave(const void *at, size_t len)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = ((uintptr_t)at + page - 1) / page * page,
                    end = ((uintptr_t)at + len) / page * page;

    if (from < end) madvise((void *)from, end - from, MADV_DONTNEED);
}

/* The map of `size` bytes, which hold what b holds. */
static int aside_map(struct aside *aside, struct bytes *b, size_t size)
{
    const int file = aside->file - 1, failed = posix_fallocate(file, 0, (off_t)size);
    void     *at;

    if (failed) return failed;
    at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at == MAP_FAILED) return errno;
    if (aside->mapped) munmap(b->at, b->room + BYTES_PAD);
    else if (b->at) {
        memcpy(at, b->at, b->len);
        free(b->at);
    }
    aside->mapped = true;
    b->at = at;
    b->room = size - BYTES_PAD;
    return 0;
}

int aside_reserve(struct aside *aside, struct stage *stage, struct bytes *b, size_t more, struct err *err)
{
    const size_t need = b->len + more;
    int          failed;

    if (!aside->file && (need <= ASIDE_LEAST || !stage))
        return bytes_reserve(b, need) < 0 ? err_memory(err, need, "a buffer") : 0;
    if (!aside->mapped || need > b->room) {
        const size_t twice = b->room > need / 2 ? 2 * b->room : need, size = (twice + BYTES_PAD + 4095) / 4096 * 4096;
        const bool   opened = !aside->file;

        if (opened) aside->file = aside_open(stage) + 1;
        failed = aside->file ? aside_map(aside, b, size) : errno;
        if (failed && opened && aside->file) {
            close(aside->file - 1);
            aside->file = 0;
        }
        if (failed) return aside_fail(stage, failed, size, err);
    }
    if (b->len - aside->left >= ASIDE_LEAST) {
        aside_leave(b->at, b->len);
        aside->left = b->len;
    }
    return 0;
}

int aside_append(const struct aside *aside, const struct stage *stage, struct bytes *b, struct slice piece,
                 struct err *err)
{
    for (size_t done = 0; aside->mapped && done < piece.len; ) {
        const ssize_t n = pwrite(aside->file - 1, piece.at + done, piece.len - done, (off_t)(b->len + done));

        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return aside_fail(stage, n < 0 ? errno : EIO, piece.len, err);
        done += (size_t)n;
    }
    if (!aside->mapped && piece.len) memcpy(b->at + b->len, piece.at, piece.len);
    b->len += piece.len;
    return 0;
}

int aside_end(struct aside *aside, const struct bytes *b, const struct stage *stage, struct err *err)
{
    const int file = aside->file - 1;

    aside->file = 0;
    return file >= 0 && close(file) < 0 ? aside_fail(stage, errno, b->len, err) : 0;
}

void aside_free(struct aside *aside, struct bytes *b)
{
    if (aside->mapped) munmap(b->at, b->room + BYTES_PAD);
    else bytes_free(b);
    if (aside->file) close(aside->file - 1);
    *b = (struct bytes){ 0 };
    *aside = (struct aside){ 0 };
}
