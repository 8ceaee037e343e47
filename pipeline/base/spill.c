/* base/spill.c -- spill files; see spill.h.
 *
 * A file is blocks one after the other, each a header of 64 bytes and its items.  A block's checksum covers its header
 * too, and the header says where in which file the block belongs: blocks cannot change places unnoticed. */
#include "base/spill.h"

#include "base/file.h"
#include "base/stage_private.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SPILL_PATH = 4096, SPILL_ORDER = 0x0102 };

struct spill_header {
    char     magic[6];
    uint16_t order;                                         /* reads 0x0201 on a machine of the other byte order */
    char     name[24];
    uint64_t at;                                            /* of the header in its file */
    uint64_t count;                                         /* items */
    uint32_t partition, spare;
    /* xxh3-64 of the bytes before this field and of the items */
    uint64_t checksum;
};
_Static_assert(sizeof(struct spill_header) == 64, "file format");

static const char spill_magic[6] = "LKGSP\1";

int spill_open(struct spill *out, struct stage *stage, const char *name, struct err *err)
{
    unsigned long long number = (unsigned long long)atomic_fetch_add(&stage->counter, 1);
    size_t             room = strlen(stage->work) + strlen(name) + sizeof stage->host + 64;

    assert(strlen(name) < sizeof out->name && !strchr(name, '/'));
    *out = (struct spill){ .prefix = malloc(room), .folder = stage->folder, .name_at = strlen(stage->work) + 1 };
    if (!out->prefix) return err_memory(err, room, "a path");
    memcpy(out->name, name, strlen(name));
    snprintf(out->prefix, room, "%s/" STAGE_TEMPORARY "%s-%ld-%llu-%s", stage->work, stage->host, (long)getpid(),
             number, name);
    return 0;
}

void spill_close(struct spill *spill)
{
    free(spill->prefix);
    *spill = (struct spill){ 0 };
}

static void spill_path(const struct spill *spill, uint32_t partition, char path[SPILL_PATH])
{
    /* too long a path is cut, and open says so */
    snprintf(path, SPILL_PATH, "%s-%lu" STAGE_SPILL, spill->prefix, (unsigned long)partition);
}

int spill_append(const struct spill *spill, uint32_t partition, uint64_t *bytes, struct iovec *piece, size_t pieces,
                 struct err *err)
{
    struct spill_header header = { .order = SPILL_ORDER, .at = *bytes, .partition = partition };
    XXH3_state_t        state;
    char                path[SPILL_PATH];
    uint64_t            size = 0;
    int                 fd, rc;

    memcpy(header.magic, spill_magic, sizeof header.magic);
    memcpy(header.name, spill->name, sizeof header.name);
    for (size_t i = 1; i < pieces; i++) size += piece[i].iov_len;
    header.count = size / sizeof(struct sort_item);
    XXH3_64bits_reset(&state);
    XXH3_64bits_update(&state, &header, offsetof(struct spill_header, checksum));
    for (size_t i = 1; i < pieces; i++)
        if (piece[i].iov_len) XXH3_64bits_update(&state, piece[i].iov_base, piece[i].iov_len);
    header.checksum = XXH3_64bits_digest(&state);
    piece[0] = (struct iovec){ &header, sizeof header };

    spill_path(spill, partition, path);
    fd = file_open_in(spill->folder, path + spill->name_at,
                      O_WRONLY | O_APPEND | O_NOFOLLOW | (*bytes == 0 ? O_CREAT | O_EXCL : 0));
    if (fd < 0) return stage_write_error(path, *bytes, errno, err);
    rc = stage_write(fd, path, *bytes, piece, pieces, err);
    /* NFS tells a full disk here */
    if (close(fd) < 0 && rc == 0 && errno != EINTR) rc = stage_write_error(path, *bytes, errno, err);
    *bytes += sizeof header + size;                         /* after a failure too: there is a file to be removed */
    return rc;
}

/* ---- reading ---- */

/* A file of ours is only wrong when somebody or something else has touched it; what was in it can be had again. */
static int spill_damaged(const char *path, int code, uint64_t byte, const char *what, struct err *err)
{
    return err_set(err, code, "%s: byte %llu: %s; the same command again makes it anew", path, (unsigned long long)byte,
                   what);
}

static int spill_read_part(int fd, const char *path, uint64_t byte, void *at, size_t len, struct err *err)
{
    for (size_t done = 0; done < len; ) {
        ssize_t got = file_read(fd, (char *)at + done, len - done);

        if (got < 0) return spill_damaged(path, -EIO, byte + done, strerror(errno), err);
        if (got == 0) return spill_damaged(path, -EBADMSG, byte + done, "the spill file is cut off", err);
        done += (size_t)got;
    }
    return 0;
}

/* The block at byte `at` of a file of `bytes`: its items to item. */
static int spill_read_block(const struct spill *spill, int fd, const char *path, uint32_t partition, uint64_t at,
                            uint64_t bytes,
                            struct sort_item *item, size_t *count, struct err *err)
{
    struct spill_header header;
    XXH3_state_t        state;
    int                 rc;

    if (bytes - at < sizeof header)
        return spill_damaged(path, -EBADMSG, at, "a spill file's blocks do not end with it", err);
    if ((rc = spill_read_part(fd, path, at, &header, sizeof header, err)) < 0) return rc;
    if (memcmp(header.magic, spill_magic, sizeof header.magic) != 0 || header.order != SPILL_ORDER ||
        memcmp(header.name, spill->name, sizeof header.name) != 0 || header.at != at || header.partition != partition)
        return spill_damaged(path, -EBADMSG, at, "not the header of this spill file's block", err);
    if (header.count > (bytes - at - sizeof header) / sizeof *item)
        return spill_damaged(path, -EBADMSG, at + offsetof(struct spill_header, count),
                             "a spill file's block is longer than the file", err);
    *count = (size_t)header.count;
    if ((rc = spill_read_part(fd, path, at + sizeof header, item, *count * sizeof *item, err)) < 0) return rc;
    XXH3_64bits_reset(&state);
    XXH3_64bits_update(&state, &header, offsetof(struct spill_header, checksum));
    XXH3_64bits_update(&state, item, *count * sizeof *item);
    if (XXH3_64bits_digest(&state) != header.checksum)
        return spill_damaged(path, -EBADMSG, at, "the checksum of a spill file's block does not fit its content", err);
    return 0;
}

int spill_read(const struct spill *spill, uint32_t partition, uint64_t bytes, struct sort_item *item, size_t *count,
               struct err *err)
{
    char     path[SPILL_PATH], more;
    uint64_t at = 0;
    size_t   total = 0, here = 0;
    ssize_t  got;
    int      fd, rc = 0;

    spill_path(spill, partition, path);
    fd = file_open_in(spill->folder, path + spill->name_at, O_RDONLY | O_NOFOLLOW);
    if (fd < 0)
        return spill_damaged(path, -EIO, 0, errno == ENOENT ? "the spill file has vanished" : strerror(errno), err);
    while (at < bytes && rc == 0) {
        rc = spill_read_block(spill, fd, path, partition, at, bytes, item + total, &here, err);
        if (rc == 0) {
            total += here;
            at += sizeof(struct spill_header) + here * sizeof *item;
        }
    }
    if (rc == 0) {
        got = file_read(fd, &more, 1);
        if (got != 0)
            rc = spill_damaged(path, got < 0 ? -EIO : -EBADMSG, bytes, got < 0 ? strerror(errno)
                               : "the spill file has grown", err);
    }
    close(fd);
    *count += total;
    return rc;
}

void spill_remove(const struct spill *spill, uint32_t partition)
{
    char path[SPILL_PATH];

    spill_path(spill, partition, path);
    /* a file that stays is removed by the folder's next owner */
    unlinkat(spill->folder, path + spill->name_at, 0);
}
