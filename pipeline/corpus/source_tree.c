/* corpus/source_tree.c -- a directory tree: batches of paths, whose files batch_next reads.
 *
 * Reading is the slow part and needs no order, so it is left to whoever parses the batch. */
#include "corpus/source_state.h"

#include <errno.h>

enum { FILES_IN_BATCH = 4096 };

int source_open_tree(struct source *source, struct err *err)
{
    source->kind = BATCH_FILES;
    source->fill = source_fill_tree;
    return tree_list(&source->tree, source->shard->path, source->dataset, err);
}

static const char *file_path(const struct source *source, const struct tree_file *file)
{
    return source->tree.paths.at + file->path_at;
}

int source_fill_tree(struct source *source, struct batch *batch, struct err *err)
{
    uint64_t bytes = 0;

    if (bytes_printf(&batch->raw, "%s/", source->shard->path) < 0)
        return err_memory(err, strlen(source->shard->path), "a path");
    while (source->next_file < source->tree.count && batch->item_count < FILES_IN_BATCH &&
           source_batch_has_room(source, batch, bytes)) {
        const struct tree_file *file = &source->tree.file[source->next_file++];

        if (source_add_item(source, batch, file->bytes, batch->raw.len, file->path_len, err) < 0) return -ENOMEM;
        if (bytes_append(&batch->raw, file_path(source, file), file->path_len) < 0)
            return err_memory(err, file->path_len, "a path");
        bytes += file->bytes;
    }
    return batch->record_count > 0;
}
