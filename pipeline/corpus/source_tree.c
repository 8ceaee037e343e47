/* corpus/source_tree.c -- a directory tree: batches of paths, whose files batch_next reads.
 *
 * Reading is the slow part and needs no order, so it is left to whoever parses the batch. */
#include "corpus/source_state.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { FILES_IN_BATCH = 4096, READ_BYTES = 1 << 16 };

int source_open_tree(struct source *source, struct err *err)
{
    source->kind = BATCH_FILES;
    source->fill = source_fill_tree;
    return tree_list(&source->tree, source->shard->path, err);
}

static const char *file_path(const struct source *source, const struct tree_file *file) { return source->tree.paths.at + file->path_at; }

int source_fill_tree(struct source *source, struct batch *batch, struct err *err)
{
    uint64_t bytes = 0;

    if (bytes_printf(&batch->raw, "%s/", source->shard->path) < 0) return err_memory(err, strlen(source->shard->path), "a path");
    while (source->next_file < source->tree.count && batch->item_count < FILES_IN_BATCH && source_batch_has_room(source, batch, bytes)) {
        const struct tree_file *file = &source->tree.file[source->next_file++];

        if (source_add_item(source, batch, file->bytes, batch->raw.len, file->path_len, err) < 0) return -ENOMEM;
        if (bytes_append(&batch->raw, file_path(source, file), file->path_len) < 0) return err_memory(err, file->path_len, "a path");
        bytes += file->bytes;
    }
    return batch->record_count > 0;
}

/* Of a file: its path with the closing NUL, its length when it was listed, its bytes (none when it cannot be read). */
uint64_t source_tree_xxh3(struct source *source)
{
    XXH3_state_t  state;
    unsigned char buffer[READ_BYTES];
    int           root = open(source->shard->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    XXH3_64bits_reset(&state);
    for (size_t i = 0; i < source->tree.count; i++) {
        const struct tree_file *file = &source->tree.file[i];
        ssize_t                 got;
        int                     fd;

        XXH3_64bits_update(&state, file_path(source, file), file->path_len + 1);
        XXH3_64bits_update(&state, &file->bytes, sizeof file->bytes);
        fd = openat(root, file_path(source, file), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        while (fd >= 0 && ((got = read(fd, buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR)))
            if (got > 0) XXH3_64bits_update(&state, buffer, (size_t)got);
        if (fd >= 0) close(fd);
    }
    if (root >= 0) close(root);
    return XXH3_64bits_digest(&state);
}
