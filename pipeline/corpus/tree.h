/* corpus/tree.h -- the files of a directory tree, in the order of their relative paths' bytes.
 *
 * Every regular file counts, hidden ones too, but those that are passed over (skip.h): these are counted.  No link is
 * followed: it may lead out of the tree, count a file twice, or go in a circle. */
#ifndef LEAKGRAPH_CORPUS_TREE_H
#define LEAKGRAPH_CORPUS_TREE_H

#include "base/bytes.h"
#include "base/err.h"
#include "corpus/dataset.h"
#include "corpus/skip.h"

#include <stdint.h>

/* relative path in tree.paths, NUL-terminated there */
struct tree_file { uint64_t path_at, path_len, bytes; int64_t mtime_ns; };

/* A zeroed struct is an empty tree.  Owned: paths, file. */
struct tree {
    struct bytes      paths;
    struct tree_file *file;                                 /* [count] */
    size_t            count, room;
    uint64_t          bytes;                                /* sum over the files */
    int64_t           mtime_ns;                             /* newest of files and folders */
    /* xxh3-64 over path with its NUL, bytes and mtime_ns of each file, in order */
    uint64_t          signature;
    struct skips      skipped;                              /* files and links that are not listed */
};

/* Lists the tree under root.  0; -EIO when a folder cannot be read, -ENOMEM; then *out is empty and err set.  What
 * cannot be read in a folder that is passed over is not counted. */
int  tree_list(struct tree *out, const char *root, const struct dataset *dataset, struct err *err);
void tree_free(struct tree *tree);

#endif
