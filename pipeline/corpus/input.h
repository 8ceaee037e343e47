/* corpus/input.h -- a shard's file as it lies on disk: large reads, and the hash of all its bytes on the way.
 *
 * Readers may seek (zip and 7z do); the hash then simply goes on when the bytes after the hashed prefix come by, and
 * input_finish reads what nobody asked for. */
#ifndef LEAKGRAPH_CORPUS_INPUT_H
#define LEAKGRAPH_CORPUS_INPUT_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { INPUT_BUFFER_BYTES = 1 << 20 };

/* buffer[at, len) is read and not yet taken; a decoder takes bytes by raising at. */
struct input {
    int                  fd;
    const char          *path;                              /* borrowed */
    unsigned char       *buffer;
    size_t               at, len;
    /* of the file: where the next read starts, = end of the buffer */
    uint64_t             offset;
    uint64_t             size;                              /* of the file when it was opened */
    uint64_t             hashed;                            /* length of the prefix that is in the hash */
    void                *hash;                              /* xxHash's own state, whose type is input.c's secret */
};

/* Opens a regular file.  0; -ENOENT, -EIO, -ENOMEM with err set; then input_close is not needed.  path is borrowed
 * until close. */
int      input_open(struct input *input, const char *path, struct err *err);
void     input_close(struct input *input);                  /* a closed or failed input may be closed again */

/* Makes buffer[at, len) non-empty unless the file is at its end: 1, 0 at the end, -EIO. */
int      input_fill(struct input *input, struct err *err);

/* Takes n bytes at most into out, past the buffer where that saves a copy.  Bytes taken, 0 at the end, -EIO. */
ssize_t  input_read(struct input *input, void *out, size_t n, struct err *err);
void     input_seek(struct input *input, uint64_t offset);
/* The same, within what is in the buffer where it is there. */
void     input_go(struct input *input, uint64_t offset);

/* The n bytes at offset, beside the stream: they are not taken.  1; 0 when the file does not have them; -EIO. */
int      input_read_at(struct input *input, uint64_t offset, void *out, size_t n, struct err *err);
uint64_t input_taken(const struct input *input);            /* offset of the next byte to be taken */

/* Hashes the rest, in one call `most` bytes of it and a read at most: 1 when there may be more to do, 0 at the end,
 * -EIO. */
int      input_finish(struct input *input, uint64_t most, struct err *err);
/* of the hashed prefix; the whole file after input_finish */
uint64_t input_xxh3(const struct input *input);

#endif
