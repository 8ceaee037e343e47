/* corpus/input.c -- see input.h. */
#include "corpus/input.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

int input_open(struct input *input, const char *path, struct err *err)
{
    struct stat st;
    int         rc;

    *input = (struct input){ .path = path };
    /* O_NONBLOCK: a FIFO that took the file's place must not hang the run; regular files ignore it. */
    input->fd = file_open(path, O_RDONLY | O_NONBLOCK);
    if (input->fd < 0) {
        rc = errno == ENOENT ? -ENOENT : -EIO;
        return err_set(err, rc, "%s: cannot be opened: %s", path, strerror(errno));
    }
    if (fstat(input->fd, &st) < 0 || !S_ISREG(st.st_mode)) {
        rc = err_set(err, -EIO, "%s: not a regular file", path);
        goto fail;
    }
    input->size = (uint64_t)st.st_size;
    input->buffer = malloc(INPUT_BUFFER_BYTES);
    input->hash = XXH3_createState();
    if (!input->buffer || !input->hash) {
        rc = err_memory(err, INPUT_BUFFER_BYTES, "reading a file");
        goto fail;
    }
    XXH3_64bits_reset(input->hash);
    posix_fadvise(input->fd, 0, 0, POSIX_FADV_SEQUENTIAL);  /* advice: nothing is lost when it is not taken */
    return 0;
fail:
    close(input->fd);
    free(input->buffer);
    XXH3_freeState(input->hash);
    *input = (struct input){ .fd = -1 };
    return rc;
}

void input_close(struct input *input)
{
    if (!input->buffer) return;
    close(input->fd);
    free(input->buffer);
    XXH3_freeState(input->hash);
    *input = (struct input){ .fd = -1 };
}

static ssize_t read_some(const struct input *input, uint64_t offset, void *out, size_t n, struct err *err)
{
    ssize_t got;

    got = file_read_at(input->fd, out, n, (off_t)offset);
    if (got < 0)
        return err_set(err, -EIO, "%s: read failed at byte %llu: %s", input->path, (unsigned long long)offset,
                       strerror(errno));
    return got;
}

/* Takes into the hash what follows the hashed prefix among the n bytes at offset. */
static void hash_on(struct input *input, uint64_t offset, const unsigned char *at, size_t n)
{
    uint64_t skip = input->hashed - offset;

    if (offset > input->hashed || skip >= n) return;
    XXH3_64bits_update(input->hash, at + skip, (size_t)(n - skip));
    input->hashed = offset + n;
}

int input_read_at(struct input *input, uint64_t offset, void *out, size_t n, struct err *err)
{
    for (size_t done = 0; done < n; ) {
        ssize_t got = read_some(input, offset + done, (char *)out + done, n - done, err);

        if (got <= 0) return (int)got;
        done += (size_t)got;
    }
    hash_on(input, offset, out, n);
    return 1;
}

static ssize_t read_at_offset(struct input *input, void *out, size_t n, struct err *err)
{
    ssize_t got = read_some(input, input->offset, out, n, err);

    if (got < 0) return got;
    hash_on(input, input->offset, out, (size_t)got);
    input->offset += (uint64_t)got;
    return got;
}

int input_fill(struct input *input, struct err *err)
{
    ssize_t got;

    if (input->at < input->len) return 1;
    input->at = input->len = 0;
    got = read_at_offset(input, input->buffer, INPUT_BUFFER_BYTES, err);
    if (got < 0) return (int)got;
    input->len = (size_t)got;
    return got > 0;
}

ssize_t input_read(struct input *input, void *out, size_t n, struct err *err)
{
    size_t have = input->len - input->at;

    if (!have) {
        input->at = input->len = 0;                         /* what is in the buffer does not end at offset any more */
        return read_at_offset(input, out, n < INPUT_BUFFER_BYTES ? n : INPUT_BUFFER_BYTES, err);
    }
    if (n > have) n = have;
    memcpy(out, input->buffer + input->at, n);
    input->at += n;
    return (ssize_t)n;
}

void input_seek(struct input *input, uint64_t offset)
{
    input->at = input->len = 0;
    input->offset = offset;
}

void input_go(struct input *input, uint64_t offset)
{
    const uint64_t from = input->offset - input->len;

    if (offset < from || offset > input->offset) input_seek(input, offset);
    else input->at = (size_t)(offset - from);
}

uint64_t input_taken(const struct input *input) { return input->offset - (input->len - input->at); }

int input_finish(struct input *input, uint64_t most, struct err *err)
{
    uint64_t from = input->hashed;
    int      rc;

    input_seek(input, from);
    while ((rc = input_fill(input, err)) > 0) {
        input->at = input->len;
        if (input->hashed - from > most) break;
    }
    return rc;
}

uint64_t input_xxh3(const struct input *input) { return XXH3_64bits_digest(input->hash); }
