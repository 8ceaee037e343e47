/* corpus/tree.c -- see tree.h. */
#include "corpus/tree.h"

#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Folders still to be read, one after the other: a byte, the relative path, NUL.  The byte says what its files are:
 * LISTED, or 1 + the reason to pass them over.  A list instead of recursion, so that a hostile depth costs neither
 * stack nor open files. */
enum { LISTED = 1 + SKIP_REASON_COUNT };

struct walk {
    struct tree *tree;
    const char  *root;
    const struct dataset *dataset;
    struct bytes folders;                                   /* the path "" is the root itself */
    struct bytes path;                                      /* scratch: the path being looked at */
};

static int64_t note_time(struct tree *tree, const struct stat *st)
{
    int64_t ns = (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;

    if (ns > tree->mtime_ns) tree->mtime_ns = ns;
    return ns;
}

static int add_file(struct tree *tree, struct slice path, uint64_t bytes, int64_t mtime_ns)
{
    if (tree->count == tree->room) {
        size_t            room = tree->room ? tree->room * 2 : 256;
        struct tree_file *file = realloc(tree->file, room * sizeof *file);

        if (!file) return -ENOMEM;
        tree->file = file;
        tree->room = room;
    }
    tree->file[tree->count] = (struct tree_file){ tree->paths.len, path.len, bytes, mtime_ns };
    if (bytes_append_slice(&tree->paths, path) < 0 || bytes_append(&tree->paths, "", 1) < 0) return -ENOMEM;
    tree->count++;
    tree->bytes += bytes;
    return 0;
}

/* One entry of a folder: into the files, into what is passed over, into the folders to read, or nowhere.  An error
 * where it is meant and cannot be looked at, as in a folder that may be listed but not searched.  0; -ENOMEM, which the
 * caller tells; -EIO with err set. */
static int add_entry(struct walk *walk, int folder_fd, const char *folder, const char *name, struct err *err)
{
    struct bytes    *path = &walk->path;
    struct skips    *skipped = &walk->tree->skipped;
    char             mark = folder[0];
    enum skip_reason reason;
    struct stat      st;

    path->len = 0;
    if (folder[1] && bytes_printf(path, "%s/", folder + 1) < 0) return -ENOMEM;
    if (bytes_append(path, name, strlen(name)) < 0) return -ENOMEM;
    if (mark == LISTED && skip_of_path(walk->dataset, bytes_slice(path), &reason)) mark = (char)(1 + reason);
    if (fstatat(folder_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
        if (errno == ENOENT || mark != LISTED) return 0;    /* gone since the folder was read */
        return err_set(err, -EIO, "%s%s%s/%s: cannot be read: %s", walk->root, folder[1] ? "/" : "", folder + 1, name,
                       strerror(errno));
    }
    if (mark == LISTED && S_ISLNK(st.st_mode)) mark = 1 + SKIP_LINK;
    if (S_ISDIR(st.st_mode))
        return bytes_append(&walk->folders, &mark, 1) < 0 || bytes_append_slice(&walk->folders, bytes_slice(path)) < 0
            ? -ENOMEM : bytes_append(&walk->folders, "", 1);
    if (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode)) return 0;
    if (mark == LISTED)
        return add_file(walk->tree, bytes_slice(path), (uint64_t)st.st_size, note_time(walk->tree, &st));
    skipped->files[mark - 1]++;
    return 0;
}

/* Opens a folder of the walk.  1; 0: it is passed over, and cannot be read; <0 with err set. */
static int open_folder(const struct walk *walk, const char *folder, DIR **out, struct err *err)
{
    struct bytes full = { 0 };
    int          rc = bytes_printf(&full, "%s%s%s", walk->root, folder[1] ? "/" : "", folder + 1);

    *out = NULL;
    if (rc < 0) rc = err_memory(err, strlen(folder), "a folder's path");
    else if ((*out = file_list(full.at))) rc = 1;
    else if (errno != ENOMEM && folder[0] != LISTED) rc = 0;
    else
        rc = err_set(err, errno == ENOMEM ? -ENOMEM : -EIO, "%s: cannot read the folder: %s", full.at,
                     strerror(errno));
    bytes_free(&full);
    return rc;
}

static int read_folder(struct walk *walk, const char *folder, struct err *err)
{
    struct dirent *entry;
    struct stat    st;
    DIR           *dir;
    int            rc = open_folder(walk, folder, &dir, err);

    if (rc <= 0) return rc;
    rc = 0;
    if (folder[0] == LISTED && fstat(dirfd(dir), &st) == 0) note_time(walk->tree, &st);
    while (rc == 0) {
        errno = 0;
        entry = readdir(dir);
        if (!entry) {
            if (errno && folder[0] == LISTED)
                rc = err_set(err, -EIO, "%s/%s: cannot read the folder: %s", walk->root, folder + 1, strerror(errno));
            break;
        }
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        rc = add_entry(walk, dirfd(dir), folder, entry->d_name, err);
        if (rc == -ENOMEM) err_memory(err, walk->tree->paths.len, "the paths of a tree");
    }
    closedir(dir);
    return rc;
}

static int by_path(const void *a, const void *b, void *paths)
{
    const struct tree_file *left = a, *right = b;
    const char             *base = paths;

    return slice_compare((struct slice){ base + left->path_at, left->path_len },
                         (struct slice){ base + right->path_at, right->path_len });
}

/* Over what a changed file changes, so that one that is put in another's place is noticed without reading either. */
static uint64_t sign(const struct tree *tree)
{
    XXH3_state_t state;

    XXH3_64bits_reset(&state);
    for (size_t i = 0; i < tree->count; i++) {
        const struct tree_file *file = &tree->file[i];

        XXH3_64bits_update(&state, tree->paths.at + file->path_at, file->path_len + 1);
        XXH3_64bits_update(&state, &file->bytes, sizeof file->bytes);
        XXH3_64bits_update(&state, &file->mtime_ns, sizeof file->mtime_ns);
    }
    return XXH3_64bits_digest(&state);
}

int tree_list(struct tree *out, const char *root, const struct dataset *dataset, struct err *err)
{
    struct walk walk = { .tree = out, .root = root, .dataset = dataset };
    int         rc;

    *out = (struct tree){ 0 };
    rc = bytes_append(&walk.folders, (char[]){ LISTED, '\0' }, 2);
    if (rc < 0) err_memory(err, 1, "the folders of a tree");
    for (size_t at = 0; rc == 0 && at < walk.folders.len; ) {
        /* A copy: reading the folder appends to the list that its name stands in. */
        char *folder = strdup(walk.folders.at + at);

        if (!folder) {
            rc = err_memory(err, walk.folders.len, "the folders of a tree");
            break;
        }
        at += strlen(folder) + 1;
        rc = read_folder(&walk, folder, err);
        free(folder);
    }
    bytes_free(&walk.folders);
    bytes_free(&walk.path);
    if (rc < 0) {
        tree_free(out);
        return rc;
    }
    if (out->count) qsort_r(out->file, out->count, sizeof *out->file, by_path, out->paths.at);
    out->signature = sign(out);
    return 0;
}

void tree_free(struct tree *tree)
{
    bytes_free(&tree->paths);
    free(tree->file);
    *tree = (struct tree){ 0 };
}
