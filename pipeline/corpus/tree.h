/* corpus/tree.h -- the files of a directory tree, in the order of their relative paths' bytes.
 *
 * Every regular file counts, hidden ones too; whatever is called `.git` is passed over.  Links to files are followed;
 * links to folders are not, so no cycle can be entered.  A link to nothing is listed with no bytes: reading it is what
 * fails. */
#ifndef LEAKGRAPH_CORPUS_TREE_H
#define LEAKGRAPH_CORPUS_TREE_H

#include "base/bytes.h"
#include "base/err.h"
#include "corpus/dataset.h"

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
};

/* Lists the tree under root, without what the dataset leaves out (dataset_excludes).  0; -EIO when a folder
 * cannot be read, -ENOMEM; then *out is empty and err set. */
int  tree_list(struct tree *out, const char *root, const struct dataset *dataset, struct err *err);
void tree_free(struct tree *tree);

#endif
